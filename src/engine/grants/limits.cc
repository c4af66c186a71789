// Fills RunLimits and BudgetLimits, and finds the models of a plan that have no price.
#include "engine/grants/limits.h"

#include <fmt/core.h>

#include <cmath>
#include <set>
#include <tuple>

#include "plan/models_of.h"
#include "store/location.h"

namespace assay {

namespace {

// Judges are asked what models extract, too; who is asked only if others fail costs as well.
bool MayBeAsked(const PlannedModel& model) {
  const bool is_answer = model.role == RequestRole::kCandidate || model.role == RequestRole::kSummary;
  return is_answer || model.requests > 0;
}

}  // namespace

std::chrono::milliseconds Milliseconds(double seconds) {
  constexpr double kMsPerSecond = 1000;
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * kMsPerSecond));
}

RunLimits RunLimitsOf(const Granted& granted) {
  const CallRules& calls = granted.calls;
  std::optional<std::chrono::milliseconds> max_time;
  if (calls.max_time_s) max_time = Milliseconds(*calls.max_time_s);
  return {.each = {.max_in_flight = {},  // the plan has it
                   .requests_per_min = calls.requests_per_min,
                   .tokens_per_min = calls.tokens_per_min},
          .providers = granted.settings.limits,
          .max_errors = calls.max_errors,
          .max_time = max_time};
}

StoreOptions StoreOptionsOf(const Granted& granted) {
  constexpr double kFileTimeoutS = 10;
  constexpr double kServerTimeoutS = 300;
  return {
      .path = granted.store,
      .lost_s = granted.store_timeout_s.value_or(IsServer(granted.store) ? kServerTimeoutS : kFileTimeoutS)};
}

BudgetLimits BudgetOf(const CallRules& calls) {
  BudgetLimits budget{.nano_usd = {}, .tokens = calls.budget_tokens};
  if (calls.budget_usd) budget.nano_usd = std::llround(*calls.budget_usd * kNanoPerUsd);
  return budget;
}

void RefuseUnpriced(const Plan& plan, const ModelBook& models, Diagnostics& diagnostics) {
  std::set<std::pair<std::string, std::string>> seen;  // provider, model
  for (const PlannedModel& planned : ModelsOf(plan)) {
    const auto& [provider, model] = std::tie(planned.ref->provider, planned.ref->model);
    if (!MayBeAsked(planned) || models.PriceOf(provider, model) || !seen.emplace(provider, model).second)
      continue;
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
