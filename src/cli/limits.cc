// Options -> limits, and models without a price.
#include "cli/limits.h"

#include <fmt/core.h>

#include <cmath>
#include <set>

namespace assay {

namespace {

using ModelKey = std::pair<std::string, std::string>;  // provider, model

std::set<StepKind> KindsOf(const Plan& plan) {
  std::set<StepKind> kinds;
  for (CaseIndex i = 0; i < plan.suite().cases.size(); ++i) {
    for (const StepTemplate& step : plan.case_plan(i).slots) kinds.insert(step.kind);
  }
  return kinds;
}

std::set<ModelKey> ModelsOf(const Plan& plan) {
  const Suite& suite = plan.suite();
  const std::set<StepKind> kinds = KindsOf(plan);
  std::set<ModelKey> models;
  for (const Variant& variant : suite.variants) models.emplace(variant.provider, variant.model);
  const bool extracts = kinds.count(StepKind::kKeyPoints) > 0;
  if (extracts || kinds.count(StepKind::kJudge) > 0) {
    for (const Judge& judge : suite.judges) models.emplace(judge.provider, judge.model);
    if (suite.backup_judge) models.emplace(suite.backup_judge->provider, suite.backup_judge->model);
  }
  if (extracts) {
    for (const Judge& extractor : suite.extractors) models.emplace(extractor.provider, extractor.model);
  }
  if (suite.embedder) models.emplace(suite.embedder->provider, suite.embedder->model);
  return models;
}

}  // namespace

std::chrono::milliseconds Milliseconds(double seconds) {
  constexpr double kMsPerSecond = 1000;
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * kMsPerSecond));
}

RunLimits RunLimitsOf(const Options& options) {
  std::optional<std::chrono::milliseconds> max_time;
  if (options.max_time_s) max_time = Milliseconds(*options.max_time_s);
  return {.each = {.max_in_flight = {},  // the plan has it
                   .requests_per_min = options.requests_per_min,
                   .tokens_per_min = options.tokens_per_min},
          .providers = options.settings.limits,
          .max_errors = options.max_errors,
          .max_time = max_time};
}

Budget BudgetOf(const Options& options) {
  Budget budget{.nano_usd = {}, .tokens = options.budget_tokens};
  if (options.budget_usd) budget.nano_usd = std::llround(*options.budget_usd * kNanoPerUsd);
  return budget;
}

void RefuseUnpriced(const Plan& plan, const ModelBook& models, Diagnostics& diagnostics) {
  for (const auto& [provider, model] : ModelsOf(plan)) {
    if (models.PriceOf(provider, model)) continue;
    diagnostics.Error(
        "run.no-price",
        fmt::format("--budget-usd: no price is known of {}", Quoted(fmt::format("{}:{}", provider, model))),
        {},
        fmt::format(
            "write it into assay.toml: [prices], then \"{}:{}\" = {{input = 1, output = 2}} (US dollars "
            "for a million tokens); or use --budget-tokens",
            provider, model));
  }
}

}  // namespace assay
