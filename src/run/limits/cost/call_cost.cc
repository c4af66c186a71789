// Estimates tokens from bytes, and multiplies tokens by prices.
#include "run/limits/cost/call_cost.h"

#include <algorithm>
#include <cmath>

#include "providers/facts/output_max.h"
#include "spec/exchange/tool_calls.h"
#include "spec/suite/asked_members.h"

namespace assay {

namespace {

constexpr std::int64_t kBytesPerTokenLeast = 2;
constexpr std::size_t kBytesPerTokenUsual = 4;
constexpr std::int64_t kFrameTokens = 16;  // that the form of a conversation adds, per message

std::int64_t InputTokensMost(std::size_t bytes, std::size_t messages) {
  return static_cast<std::int64_t>(bytes) / kBytesPerTokenLeast +
         kFrameTokens * static_cast<std::int64_t>(messages + 1);
}

CallCost CostOf(const std::optional<Price>& price, const BilledTokens& tokens) {
  CallCost cost{.tokens = tokens.input + tokens.output, .nano_usd = {}};
  if (price) cost.nano_usd = CostNanoUsd(*price, tokens);
  return cost;
}

// A dearer tier that is asked for; a cheaper one may not be given.
double DearestTier(const ModelRequest& request, const ModelBook& models) {
  const std::string_view tier = TierOfExtra(request.params.extra);
  return tier.empty() ? 1 : std::max(1.0, models.TierFactor(request.provider, ModelSent(request), tier));
}

std::optional<Price> PriceOf(const Request& request, const ModelBook& models) {
  if (const auto* model = std::get_if<ModelRequest>(&request))
    return models.PriceOf(model->provider, ModelSent(*model));
  if (const auto* embed = std::get_if<EmbedRequest>(&request))
    return models.PriceOf(embed->provider, embed->model);
  return std::nullopt;
}

std::size_t BytesToEmbed(const EmbedRequest& request) {
  std::size_t bytes = 0;
  for (const std::string& text : request.texts) bytes += text.size();
  return bytes;
}

}  // namespace

CallCost WorstCost(const PreparedRequest& prepared, const ModelBook& models) {
  if (prepared.recorded) return {.tokens = 0, .nano_usd = 0};
  if (const auto* model = std::get_if<ModelRequest>(&prepared.request)) {
    std::size_t bytes = 0;
    bytes += BytesToRead(*model);
    CallCost cost =
        CostOf(models.PriceOf(model->provider, ModelSent(*model)),
               {.input = InputTokensMost(bytes, model->messages.size()) + MediaTokensToRead(*model),
                .output = OutputTokensMax(*model)});
    if (cost.nano_usd)
      cost.nano_usd = std::llround(static_cast<double>(*cost.nano_usd) * DearestTier(*model, models));
    return cost;
  }
  if (const auto* embed = std::get_if<EmbedRequest>(&prepared.request)) {
    return CostOf(PriceOf(prepared.request, models),
                  {.input = InputTokensMost(BytesToEmbed(*embed), embed->texts.size())});
  }
  return {.tokens = 0, .nano_usd = 0};
}

std::optional<CallCost> ActualCost(const Request& request, const Usage& usage, const ModelBook& models) {
  if (!usage.known && !usage.billing.cost_nano_usd) return std::nullopt;
  return CallCost{.tokens = usage.input_tokens + usage.output_tokens,
                  .nano_usd = CostNanoUsd(PriceOf(request, models), usage, 1)};
}

CallCost EstimatedCost(const Request& request, const Reply& reply, const ModelBook& models) {
  const auto tokens = [](std::size_t bytes) {
    return static_cast<std::int64_t>(bytes / kBytesPerTokenUsual);
  };
  BilledTokens guess;
  if (const auto* model = std::get_if<ModelRequest>(&request)) {
    guess.input = tokens(BytesToRead(*model));
    if (const auto* answer = std::get_if<ModelReply>(&reply))
      guess.output = tokens(answer->text.size() + answer->reasoning.size());
  } else if (const auto* embed = std::get_if<EmbedRequest>(&request)) {
    guess.input = tokens(BytesToEmbed(*embed));
  }
  return CostOf(PriceOf(request, models), guess);
}

}  // namespace assay
