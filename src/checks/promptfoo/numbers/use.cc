// latency, cost, perplexity and perplexity-score: what an answer took, and how sure its model was.
#include <fmt/core.h>

#include <cmath>

#include "checks/promptfoo/families.h"
#include "text/javascript/number.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

Error NoThreshold(const AssertionCall& call, std::string_view unit) {
  return {ErrorCode::kInvalidInput,
          fmt::format("\"{}\" has no threshold: expected one, {}", call.assertion.type, unit),
          call.assertion.value.span};
}

// "... is greater than threshold t", or what says the opposite of a negated one.
std::string AboveReason(const AssertionCall& call, std::string_view found, std::string_view threshold) {
  return fmt::format("{} is {} threshold {}", found,
                     call.negated() ? "less than or equal to" : "greater than", threshold);
}

Result<double> MeanLogProb(const AssertionCall& call) {
  const auto& log_probs = call.input.log_probs;
  if (!log_probs || log_probs->empty())
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("\"{}\" needs log probabilities, and the reply has none: ask for them, or take a "
                    "provider that gives them",
                    call.assertion.type)};
  double sum = 0;
  for (const double log_prob : *log_probs) sum += log_prob;
  return sum / static_cast<double>(log_probs->size());
}

}  // namespace

Result<AssertionResult> RunLatency(const AssertionCall& call) {
  const std::optional<Threshold> most = ThresholdOf(call.assertion);
  if (!most) return NoThreshold(call, "in milliseconds");
  if (!call.input.latency_ms)
    return Error{ErrorCode::kInvalidInput,
                 "\"latency\" needs a fresh answer, and this one came from a cache: run without a cache"};
  const std::string found = fmt::format("Latency {}ms", JsNumberText(*call.input.latency_ms));
  return Verdict(call, *call.input.latency_ms <= most->number, AboveReason(call, found, most->text + "ms"));
}

Result<AssertionResult> RunCost(const AssertionCall& call) {
  const std::optional<Threshold> most = ThresholdOf(call.assertion);
  if (!most) return NoThreshold(call, "in dollars");
  if (!call.input.cost)
    return Error{ErrorCode::kInvalidInput,
                 "\"cost\" needs the cost of the answer, and the provider gives none"};
  constexpr int kDigits = 2;
  const std::string found = fmt::format("Cost {}", JsToPrecision(*call.input.cost, kDigits));
  return Verdict(call, *call.input.cost <= most->number, AboveReason(call, found, most->text));
}

Result<AssertionResult> RunPerplexity(const AssertionCall& call) {
  ASSAY_TRY(const double mean, MeanLogProb(call));
  const std::optional<Threshold> most = ThresholdOf(call.assertion);
  if (!most) return AssertionResult{true, 1, std::string(kPassed)};
  const double perplexity = std::exp(-mean);
  return Verdict(call, perplexity <= most->number,
                 AboveReason(call, "Perplexity " + JsToFixed(perplexity, 2), most->text));
}

Result<AssertionResult> RunPerplexityScore(const AssertionCall& call) {
  ASSAY_TRY(const double mean, MeanLogProb(call));
  const double score = 1 / (1 + std::exp(-mean));
  const std::optional<Threshold> least = ThresholdOf(call.assertion);
  const double shown = call.negated() ? 1 - score : score;
  if (!least) return AssertionResult{true, shown, std::string(kPassed)};
  return ShareVerdict(call, score, score >= least->number,
                      fmt::format("Perplexity score {} is {} threshold {}", JsToFixed(score, 2),
                                  call.negated() ? "greater than or equal to" : "less than", least->text));
}

}  // namespace assay::promptfoo
