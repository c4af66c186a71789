// Words the notice about assumed models, and reads the user's yes or no from the terminal.
#include "cli/terminal/views/assumed_models.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <set>

#include "engine/ci.h"
#include "engine/signals.h"
#include "plan/models_of.h"
#include "spec/suite/suite.h"

namespace assay {

std::string AssumedModelsText(const Plan& plan, const PricedPlan& priced) {
  const std::string& collection = plan.suite().assumed_models;
  if (collection.empty() || priced.total.line.most == 0) return {};
  std::set<std::string_view> models;
  for (const PlannedModel& planned : ModelsOf(plan)) {
    if (planned.variant != nullptr) models.insert(planned.variant->model_id);
  }
  std::string cost = "at a price that is not known";
  if (priced.total.usd) {
    const std::string least = UsdText(*priced.total.usd);
    const std::string most = UsdText(priced.total.usd_most.value_or(0));
    cost = least == most ? least : fmt::format("{} to {}", least, most);
    if (!priced.unpriced.empty())
      cost += fmt::format(" and what {} of unknown price cost", Counted(priced.unpriced.size(), "model"));
  }
  return fmt::format("no models named: the {} of {}, {}", models.size(), collection, cost);
}

bool CanAskUser() { return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 && !IsInCi(); }

bool UserAgrees(Ui& ui, std::string_view question) {
  ui.Problem(fmt::format("{} y or n", question));
  const UsualSignals usual;
  std::array<char, 16> answer{};
  if (std::fgets(answer.data(), answer.size(), stdin) == nullptr) return false;
  return answer[0] == 'y' || answer[0] == 'Y';
}

}  // namespace assay
