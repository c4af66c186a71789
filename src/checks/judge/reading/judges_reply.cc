// Looks at the end, the error and the words of a judge's reply.
#include "checks/judge/reading/judges_reply.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <variant>

#include "spec/exchange/tool_calls.h"
#include "spec/exchange/unread_reply.h"

namespace assay {

std::string ReplyText(const Exchange& exchange) {
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  return reply == nullptr ? std::string() : TextWithCalls(*reply);
}

bool IsWhole(const Exchange& exchange) {
  // The limit of tokens ended a reply within its thoughts.
  if (exchange.error) return exchange.error->code != ErrorCode::kNoAnswer;
  constexpr std::string_view kEnds[] = {"", "stop", "tool_calls"};  // "": a recording that does not say
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  return reply == nullptr ||
         std::find(std::begin(kEnds), std::end(kEnds), reply->finish_reason) != std::end(kEnds);
}

bool IsUnreadReply(const Exchange& exchange) {
  return exchange.error && MayQuoteUnread(exchange.error->code);
}

bool HasCalls(const Exchange& exchange) {
  const auto* reply = exchange.error ? nullptr : std::get_if<ModelReply>(&exchange.reply);
  return reply != nullptr && !reply->tool_calls.empty();
}

bool MayQuote(const Exchange& exchange) { return !exchange.error || IsUnreadReply(exchange); }

}  // namespace assay
