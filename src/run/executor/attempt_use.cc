// Adding up an answer's exchanges.
#include "run/executor/attempt_use.h"

#include <algorithm>
#include <cmath>

#include "providers/facts/model_facts.h"
#include "run/limits/cost/call_cost.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// Who answered: the variant's own model, or the one that stood in for it.
const ModelRef& AnsweredBy(const AnswerUsed& used) {
  const std::vector<ModelRef>& fallbacks = used.variant.fallbacks;
  const auto found = std::find_if(fallbacks.begin(), fallbacks.end(), [&used](const ModelRef& fallback) {
    return used.answered_by == fallback.provider + ":" + fallback.model;
  });
  return found == fallbacks.end() ? static_cast<const ModelRef&>(used.variant) : *found;
}

}  // namespace

AttemptUse UseOf(const AnswerUsed& used) {
  const auto price_of = [&used](const ModelRef& model) {
    return used.models.PriceOf(model.provider, model.model);
  };
  const std::optional<Price> of_answer = price_of(AnsweredBy(used));
  std::optional<Price> of_summarizer;
  if (used.suite.agent.summarizer) of_summarizer = price_of(*used.suite.agent.summarizer);
  AttemptUse use;
  use.nano_usd = 0;
  for (const Exchange& exchange : used.exchanges) {
    use.duration_us += exchange.duration_us;
    const bool is_answer = !exchange.error && exchange.role != RequestRole::kSummarizer;
    if (const auto* reply = std::get_if<ModelReply>(&exchange.reply); reply != nullptr && is_answer)
      use.finish_reason = reply->finish_reason;
    if (!exchange.usage.known) continue;
    use.usage += exchange.usage;
    const std::optional<Price>& price = exchange.role == RequestRole::kSummarizer ? of_summarizer : of_answer;
    const std::optional<std::int64_t> paid = CostNanoUsd(price, exchange.usage, exchange.price_factor);
    if (!paid) use.nano_usd.reset();
    if (use.nano_usd) *use.nano_usd += *paid;
  }
  return use;
}

}  // namespace assay
