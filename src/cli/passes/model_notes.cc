// Facts of models, beside what a plan asks of them.
#include "cli/passes/model_notes.h"

#include <fmt/core.h>

#include <map>
#include <set>
#include <tuple>

#include "plan/models_of.h"
#include "providers/facts/adapt.h"

namespace assay {

std::vector<std::string> LeftOutLines(const Plan& plan, const ModelBook& models) {
  std::vector<std::string> lines;
  std::set<std::string> seen;
  for (const PlannedModel& planned : ModelsOf(plan)) {
    if (planned.params == nullptr || !planned.ref->custom.is_undefined()) continue;
    const std::optional<ModelFacts> facts = models.Find(planned.ref->provider, planned.ref->model);
    const std::string left_out = facts ? LeftOut(*facts, *planned.params) : std::string();
    const std::string id = fmt::format("{}:{}", planned.ref->provider, planned.ref->model);
    if (left_out.empty() || !seen.insert(id + left_out).second) continue;
    lines.push_back(fmt::format("{} takes no {}: it is asked without.", id, left_out));
  }
  return lines;
}

void WarnOfSameRequests(const Plan& plan, const ModelBook& models, Diagnostics& diagnostics) {
  using Question = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Question, std::set<double>> temperatures;
  const Suite& suite = plan.suite();
  for (const Variant& variant : suite.variants) {
    if (!variant.params.temperature || !variant.custom.is_undefined()) continue;
    const std::optional<ModelFacts> facts = models.Find(variant.provider, variant.model);
    if (!facts || facts->sampling.temperature) continue;
    SamplingParams rest = variant.params;
    rest.temperature.reset();
    temperatures[{variant.provider, variant.model, variant.system.value_or(""), CanonicalParams(rest)}]
        .insert(*variant.params.temperature);
  }
  for (const auto& [question, values] : temperatures) {
    if (values.size() < 2) continue;
    diagnostics.Warning("run.same-request",
                        fmt::format("{}:{} takes no temperature: its {} temperatures are the same request",
                                    std::get<0>(question), std::get<1>(question), values.size()),
                        suite.span, "list one temperature for it, or ask a model that takes them");
  }
}

}  // namespace assay
