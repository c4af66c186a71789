// Picks the members of chat messages that services want to see again in later requests.
//
// Sources: the references of DeepSeek ("Thinking mode"), OpenRouter ("Preserving reasoning blocks"), LiteLLM
// ("Reasoning content"), Google ("Thought signatures", of its interface for OpenAI's clients), Mistral
// ("Reasoning") and Groq ("Reasoning").
#include "providers/shapes/chat_parts.h"

#include <algorithm>
#include <map>

#include "providers/shapes/parts.h"
#include "providers/shapes/reply/reply_json.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kCarried[] = {"reasoning_content", "reasoning",     "reasoning_details",
                                         "thinking_blocks",   "extra_content", "tool_plan"};

bool SaysSomething(const Value& value) {
  if (value.is_list()) return !value.AsList().empty();
  if (value.is_map()) return !value.AsMap().empty();
  return value.Truthy();
}

// Of a call what stands beside its id and what it calls.
Value BesideCall(const Value& call) {
  Map beside;
  if (!call.is_map()) return Value(std::move(beside));
  for (const Member& member : call.AsMap()) {
    const bool is_said = member.key == "id" || member.key == "index" || member.key == "function" ||
                         member.key == "custom" || (member.key == "type" && call.Find("custom") == nullptr);
    if (!is_said && !member.value.is_nullish()) beside.Append(member.key, member.value);
  }
  return Value(std::move(beside));
}

// A list of parts of which some are no texts: a text alone is the answer.
bool HasOtherParts(const Value& content) {
  return content.is_list() &&
         std::any_of(content.AsList().begin(), content.AsList().end(), [](const Value& part) {
           return !HasOnly(part, {"type", "text"});
         });
}

}  // namespace

std::string ChatParts(const Value& message) {
  Map parts;
  if (const Value* content = message.Find("content"); content != nullptr && HasOtherParts(*content))
    parts.Append("content", *content);
  for (const std::string_view name : kCarried) {
    const Value* value = message.Find(name);
    if (value != nullptr && SaysSomething(*value)) parts.Append(std::string(name), *value);
  }
  // Where the details are, the same in plain words is one time too many.
  if (parts.Find("reasoning_details") != nullptr) parts.Erase("reasoning");
  if (parts.Find("reasoning_content") != nullptr) parts.Erase("reasoning");
  List beside;
  bool has_beside = false;
  for (const Value& call : message.ListAt("tool_calls")) {
    if (call.Find("function") == nullptr && call.Find("custom") == nullptr) continue;
    has_beside = !beside.emplace_back(BesideCall(call)).AsMap().empty() || has_beside;
  }
  if (has_beside) parts.Append("calls", Value(std::move(beside)));
  return parts.empty() ? std::string() : PartsAs(kChatForm, Value(std::move(parts)));
}

void JoinDelta(const Value& delta, Value& message) {
  if (!delta.is_map()) return;
  Map& whole = message.AsMap();
  const auto joined_list = [&whole](std::string_view name) -> List& {
    Value* list = whole.Find(name);
    if (list == nullptr || !list->is_list()) list = &whole.Set(std::string(name), Value(List()));
    return list->AsList();
  };
  for (const Member& member : delta.AsMap()) {
    const bool is_carried =
        std::find(std::begin(kCarried), std::end(kCarried), member.key) != std::end(kCarried);
    if (member.key == "content" && member.value.is_list()) {
      for (const Value& part : member.value.AsList()) JoinPart(part, joined_list("content"));
    } else if (member.key == "content" && member.value.is_string() && whole.Find("content") != nullptr) {
      Map text = Object{{"type", "text"}, {"text", member.value}};
      if (member.value.Truthy()) JoinPart(Value(std::move(text)), joined_list("content"));
    } else if (is_carried && member.value.is_list()) {
      for (const Value& part : member.value.AsList()) JoinPart(part, joined_list(member.key));
    } else if (is_carried && member.value.is_string()) {
      whole.Set(member.key, Value(whole.TextAt(member.key) + member.value.AsString()));
    } else if (is_carried && member.value.is_map()) {
      whole.Set(member.key, member.value);
    }
  }
}

std::string TextOfDetails(const Value& message) {
  std::string text;
  for (const Value& detail : message.ListAt("reasoning_details"))
    text += detail.TextAt("text") + detail.TextAt("summary");
  return text;
}

}  // namespace assay
