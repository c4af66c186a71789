// Keeps a model's turn as its service gave it (Message::parts), where text and calls would not say all of it,
// and sends it back as it came. {"FORM": …} in JSON, with the form of the protocol that gave it: no other
// reads it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

inline constexpr std::string_view kChatForm = "chat";
inline constexpr std::string_view kAnthropicForm = "anthropic";
inline constexpr std::string_view kGoogleForm = "google";
inline constexpr std::string_view kResponsesForm = "responses";

std::string PartsAs(std::string_view form, Value parts);
// Nothing where the message has none, or some of another protocol.
std::optional<Value> PartsOf(const Message& message, std::string_view form);

// How a reply ends that its service paused in the middle of its own tools (Anthropic).
inline constexpr std::string_view kPaused = "pause_turn";
// Such a reply with what came when the model went on.
ModelReply Continued(const ModelReply& said, ModelReply more);

// Whether a map has no other members than these; members that are null do not count.
bool HasOnly(const Value& map, std::initializer_list<std::string_view> names);

// Appends to a list of parts one that came in a stream: what goes on with the last one is joined to it, as
// the reply that comes at once has it. A thought goes on until its signature has come.
void JoinPart(const Value& piece, List& parts);

}  // namespace assay
