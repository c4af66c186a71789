// Compares the parameters of a plan with the facts of its models.
#include "cli/passes/open/model_notes.h"

#include <fmt/core.h>

#include <set>

#include "plan/models_of.h"
#include "providers/facts/adapt.h"

namespace assay {

std::vector<std::string> LeftOutLines(const Plan& plan, const ModelBook& models) {
  std::vector<std::string> lines;
  std::set<std::string> seen;
  for (const PlannedModel& planned : ModelsOf(plan)) {
    if (planned.params == nullptr) continue;
    const std::optional<ModelFacts> facts = models.FactsOf(*planned.ref);
    const std::string left_out = facts ? LeftOutParameters(*facts, *planned.params) : std::string();
    const std::string id = fmt::format("{}:{}", planned.ref->provider, planned.ref->model);
    if (left_out.empty() || !seen.insert(id + left_out).second) continue;
    lines.push_back(fmt::format("{} takes no {}: it is asked without.", id, left_out));
  }
  return lines;
}

}  // namespace assay
