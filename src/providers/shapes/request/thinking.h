// Converts a wanted thinking effort, or a number of thinking tokens, to the form that a model takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "providers/facts/model_facts.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

struct ThinkingOrder {
  EffortForm form = EffortForm::kReasoningEffort;
  std::string_view effort;  // one of the model's own words where they are known; "none": not at all
  std::int64_t tokens = 0;  // 0: not at all
};

// Nothing where the parameters do not say, or where the model is known to take no such word. `otherwise`: how
// a model that is not known (null) is told.
std::optional<ThinkingOrder> ThinkingOrderOf(const SamplingParams& params, const ModelFacts* facts,
                                             EffortForm otherwise);
// Whether the parameters ask a model to think.
bool AsksToThink(const SamplingParams& params);
// What a model takes of sampling beside these parameters: some take less of it while they think.
Sampling SamplingBeside(const SamplingParams& params, const ModelFacts& facts);
// What the order adds to a body of Anthropic's, and to a generationConfig of Google's; both with what asks
// for the thoughts to be shown, where somebody wants to see them. Empty: nothing.
Map AnthropicThinking(const std::optional<ThinkingOrder>& order, const SamplingParams& params,
                      const ModelFacts* facts);
Map GoogleThinking(const std::optional<ThinkingOrder>& order, const SamplingParams& params,
                   const ModelFacts* facts);
// Whether the model thinks as it is asked, by what is known of it, and somebody wants to see what.
bool ShowsThoughts(const SamplingParams& params, const ModelFacts* facts);
// Tokens that an effort stands for where a model counts them.
std::int64_t TokensOfEffort(std::string_view effort);

}  // namespace assay
