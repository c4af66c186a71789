// Normalises the messages of a prompt, written as {role, content} or as {role: content} (spec: blueprint 5).
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/parse.h"

namespace assay::blueprint {

namespace {

bool IsShorthand(const Value& message) {
  return IsJsObject(message) && !IsTruthy(message.Find("role")) && !IsTruthy(message.Find("content"));
}

// {user: text} -> {role: user, content: text}; undefined, with an error, if it is neither form.
Value FromShorthand(Value message, std::string_view prompt, ParseContext& context) {
  constexpr std::string_view kHint =
      "write \"- user: ...\", \"- assistant: ...\", \"- system: ...\" or {role, content}";
  if (!message.is_map() || message.AsMap().size() != 1) {
    context.diagnostics.Error(
        "blueprint.messages",
        fmt::format("{}: expected a message with one role and its text, found {}", prompt,
                    message.is_map() ? fmt::format("{} keys", message.AsMap().size())
                                     : std::string(KindName(message))),
        message.span, std::string(kHint));
    return Value();
  }
  Member& member = *message.AsMap().begin();
  const KeyRow* role = FindKey(kRoles, member.key);
  if (role == nullptr) {
    const std::string_view near = NearKey(kRoles, member.key);
    context.diagnostics.Error(
        "blueprint.messages", fmt::format("{}: expected a role, found {}", prompt, Quoted(member.key)),
        member.key_span, near.empty() ? std::string(kHint) : fmt::format("did you mean \"{}\"?", near));
    return Value();
  }
  Map formal;
  formal.Append("role", Value(role->name), member.key_span);
  formal.Append("content", std::move(member.value), member.key_span);
  Value result(std::move(formal));
  result.span = message.span;
  return result;
}

// With what stands beside its text as `parts`.
Value NormaliseMessage(Value message, std::string_view prompt, ParseContext& context) {
  List media;
  const std::size_t errors_before = context.diagnostics.ErrorCount();
  if (message.is_map()) media = TakeMedia(message.AsMap(), prompt, context);
  const bool is_only_broken = context.diagnostics.ErrorCount() > errors_before && message.AsMap().empty();
  if (is_only_broken) return Value();
  if (IsShorthand(message)) message = FromShorthand(std::move(message), prompt, context);
  if (media.empty() || !message.is_map()) return message;
  const Value* role = message.Find("role");
  if (role == nullptr || !role->is_string() || role->AsString() != "user") {
    context.diagnostics.Error(
        "blueprint.media",
        fmt::format("{}: only messages of the user have an image, a file or audio", prompt),
        media.front().span, "move it to a \"- user: ...\"");
    return message;
  }
  message.AsMap().Append("parts", Value(std::move(media)));
  return message;
}

}  // namespace

Value NormaliseMessages(Value messages, std::string_view prompt, ParseContext& context) {
  if (!messages.is_list()) {
    context.diagnostics.Error(
        "blueprint.messages",
        fmt::format("{}: messages: expected a list, found {}", prompt, KindName(messages)), messages.span,
        "start each message with a dash");
    return StandInMessages(messages.span);
  }
  for (Value& message : messages.AsList()) {
    message = NormaliseMessage(std::move(message), prompt, context);
  }
  return messages;
}

}  // namespace assay::blueprint
