// Counting bytes, tokens and money.
#include "run/limits/cost/call_cost.h"

#include "providers/facts/output_max.h"
#include "spec/exchange/tool_calls.h"
#include "spec/suite/asked_members.h"

namespace assay {

namespace {

constexpr std::int64_t kBytesPerTokenLeast = 2;
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

}  // namespace

BilledTokens BilledTokensOf(const Usage& usage) {
  return {.input = usage.input_tokens,
          .output = usage.output_tokens,
          .cached_read = usage.cached_read_tokens,
          .cached_write = usage.cached_write_tokens};
}

CallCost WorstCost(const PreparedRequest& prepared, const ModelBook& models) {
  if (prepared.recorded) return {.tokens = 0, .nano_usd = 0};
  if (const auto* model = std::get_if<ModelRequest>(&prepared.request)) {
    std::size_t bytes = 0;
    bytes += BytesToRead(*model);
    return CostOf(
        models.PriceOf(model->provider, ModelSent(*model)),
        {.input = InputTokensMost(bytes, model->messages.size()), .output = OutputTokensMax(*model)});
  }
  if (const auto* embed = std::get_if<EmbedRequest>(&prepared.request)) {
    std::size_t bytes = 0;
    for (const std::string& text : embed->texts) bytes += text.size();
    return CostOf(models.PriceOf(embed->provider, embed->model),
                  {.input = InputTokensMost(bytes, embed->texts.size())});
  }
  return {.tokens = 0, .nano_usd = 0};
}

std::optional<CallCost> ActualCost(const Request& request, const Usage& usage, const ModelBook& models) {
  if (!usage.known) return std::nullopt;
  std::optional<Price> price;
  if (const auto* model = std::get_if<ModelRequest>(&request)) {
    price = models.PriceOf(model->provider, ModelSent(*model));
  } else if (const auto* embed = std::get_if<EmbedRequest>(&request)) {
    price = models.PriceOf(embed->provider, embed->model);
  }
  return CostOf(price, BilledTokensOf(usage));
}

}  // namespace assay
