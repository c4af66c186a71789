// Compares names of models and of judges; what a side does not tell is no difference.
#include "report/decide/gate/sides.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "spec/suite/suite.h"

namespace assay {

namespace {

bool HasJudgedPoints(const Suite& suite) {
  return std::any_of(suite.cases.begin(), suite.cases.end(), [](const Case& the_case) {
    return the_case.extracts_key_points ||
           std::any_of(the_case.checks.begin(), the_case.checks.end(),
                       [](const Check& check) { return check.IsCriterion(); });
  });
}

// Sorted, each once.
std::vector<std::string> JudgeNames(const Suite& suite) {
  std::vector<std::string> names;
  for (const auto* judges : {&suite.judges, &suite.named_judges}) {
    for (const Judge& judge : *judges) names.push_back(judge.label.empty() ? judge.model_id : judge.label);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::optional<OtherNames> OtherModels(const Variant& fresh, const Variant& base) {
  // An alias of the settings may name one model today and another tomorrow.
  const bool are_known = !fresh.model.empty() && !base.model.empty();
  const auto of = [are_known](const Variant& variant) {
    return are_known ? fmt::format("{}:{}", variant.provider, variant.model) : variant.model_id;
  };
  OtherNames names{.fresh = of(fresh), .base = of(base)};
  if (names.fresh.empty() || names.base.empty() || names.fresh == names.base) return std::nullopt;
  return names;
}

std::optional<OtherNames> OtherServed(const std::string& fresh, const std::string& base) {
  if (fresh.empty() || base.empty() || fresh == base) return std::nullopt;
  return OtherNames{.fresh = fresh, .base = base};
}

std::optional<OtherNames> OtherJudges(const Suite& fresh, const Suite& base) {
  if (!HasJudgedPoints(fresh) || !HasJudgedPoints(base)) return std::nullopt;
  const std::vector<std::string> of_fresh = JudgeNames(fresh);
  const std::vector<std::string> of_base = JudgeNames(base);
  if (of_fresh.empty() || of_base.empty() || of_fresh == of_base) return std::nullopt;
  return OtherNames{.fresh = Joined(of_fresh), .base = Joined(of_base)};
}

std::string SidesText(const std::optional<OtherNames>& models, const std::optional<OtherNames>& judges) {
  std::string text;
  if (models)
    text = fmt::format("Answered by different models: {} here, {} in the base.", models->fresh, models->base);
  if (judges)
    text += fmt::format("{}Graded by different judges: {} here, {} in the base.", text.empty() ? "" : " ",
                        judges->fresh, judges->base);
  return text;
}

}  // namespace assay
