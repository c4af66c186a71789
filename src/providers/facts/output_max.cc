// Finds the stated maximum of a model, and which of request, parameters and codec sets the limit of a reply.
#include "providers/facts/output_max.h"

#include <algorithm>

#include "providers/provider.h"
#include "providers/shapes/request/thinking.h"
#include "spec/suite/asked_members.h"

namespace assay {

namespace {

// What a model that a suite describes says of its own limit: a number, null for none, or nothing.
const Value* OwnLimit(const ModelRequest& request) {
  return request.custom.MapAt("parameters").Find("max_tokens");
}

// Tokens that thoughts may take beside the answer.
std::int64_t ThoughtsOf(const SamplingParams& params, const std::optional<ModelFacts>& facts) {
  if (facts && facts->thinking == Thinking::kNo && facts->effort == EffortForm::kNone) return 0;
  if (params.thinking_tokens) return *params.thinking_tokens;
  // Only a model that is really told so does not think.
  const auto order = ThinkingOrderOf(params, facts ? &*facts : nullptr, EffortForm::kReasoningEffort);
  if (params.effort == "none" && order && order->effort == "none") return 0;
  const std::int64_t unasked = facts ? facts->thinking_room : 0;
  return params.effort.empty() ? unasked : std::max(unasked, TokensOfEffort(params.effort));
}

}  // namespace

std::int64_t StatedOutputMax(std::string_view model) {
  if (const std::size_t slash = model.rfind('/'); slash != std::string_view::npos)
    model.remove_prefix(slash + 1);
  const ModelRow* best = nullptr;
  for (const ModelRow& row : ModelTable()) {
    if (row.facts.output_max == 0 || !FitsName(row.model, model)) continue;
    if (best == nullptr || IsNarrower(row.model, best->model)) best = &row;
  }
  return best == nullptr ? kAssumedOutputMax : best->facts.output_max;
}

std::int64_t RoomOf(const ModelRequest& request, const std::optional<ModelFacts>& facts) {
  const SamplingParams& params = request.params;
  if ((params.max_tokens && !params.limit_is_default) || OwnLimit(request) != nullptr) return 0;
  const ProviderRow* provider = FindProvider(request.provider);
  const std::int64_t answer = params.max_tokens.value_or(provider == nullptr ? 0 : provider->max_tokens);
  const std::int64_t thoughts = ThoughtsOf(params, facts);
  if (answer == 0 || thoughts == 0) return 0;
  const std::int64_t room = thoughts + answer;
  return facts && facts->output_max > 0 ? std::min(room, facts->output_max) : room;
}

std::int64_t LimitSent(const ModelRequest& request, std::int64_t otherwise) {
  if (request.room == kNoLimit) return 0;
  return request.room > 0 ? request.room : request.params.max_tokens.value_or(otherwise);
}

std::int64_t OutputTokensMax(const ModelRequest& request) {
  const std::int64_t each = OutputTokensOfExtra(request.params.extra).value_or(LimitOfReply(request));
  return each * AnswersOfExtra(request.params.extra);
}

std::int64_t LimitOfReply(const ModelRequest& request) {
  if (const Value* own = OwnLimit(request); own != nullptr) {
    return own->is_number() ? static_cast<std::int64_t>(own->AsNumber()) : StatedOutputMax(request.model);
  }
  if (request.room == kNoLimit) return StatedOutputMax(request.model);
  if (request.room > 0) return request.room;
  if (request.params.max_tokens) return *request.params.max_tokens;
  const ProviderRow* provider = FindProvider(request.provider);
  if (provider != nullptr && provider->max_tokens > 0) return provider->max_tokens;
  return StatedOutputMax(request.model);
}

}  // namespace assay
