// Checks the messages of a prompt and converts them to turns.
#include "dialects/blueprint/lower/conversation.h"

#include <fmt/core.h>
#include <algorithm>

#include "dialects/blueprint/read/js_values.h"
#include "spec/suite/case.h"

namespace assay::blueprint {

namespace {

std::string_view RoleOf(const Value& message) {
  const Value* role = message.Find("role");
  return role != nullptr && role->is_string() ? std::string_view(role->AsString()) : std::string_view();
}

bool IsGenerated(const Value& message) {
  const Value* content = message.Find("content");
  return RoleOf(message) == "assistant" && content != nullptr && content->is_null();
}

bool IsRole(std::string_view role) { return role == "user" || role == "assistant" || role == "system"; }

bool HasWords(const Value& message) {
  const Value* content = message.Find("content");
  return content != nullptr && content->is_string() && !IsBlank(content->AsString());
}

}  // namespace

void CheckConversation(const Value& prompt, Diagnostics& diagnostics) {
  const Value* id = prompt.Find("id");
  const auto complain = [&](const Value& at, std::string_view message, std::string hint) {
    diagnostics.Error("blueprint.messages",
                      fmt::format("prompt {}: {}", Quoted(id == nullptr ? "" : JsText(*id)), message),
                      at.span, std::move(hint));
  };
  const Value* messages = prompt.Find("messages");
  if (messages == nullptr || !messages->is_list() || messages->AsList().empty()) {
    complain(prompt, "expected something to ask", "give it \"prompt: ...\" or \"messages: ...\"");
    return;
  }
  const List& list = messages->AsList();
  if (RoleOf(list.front()) == "assistant") {
    complain(list.front(), "the first message comes from the user or the system, not from the assistant",
             "start with \"- user: ...\"");
  }
  if (const std::string_view last = RoleOf(list.back()); IsRole(last) && last != "user") {
    complain(list.back(), "the last message comes from the user",
             "the model's answer to it is what is graded");
  }
  std::string_view last_speaker;
  for (const Value& message : list) {
    const std::string_view role = RoleOf(message);
    if (!IsRole(role)) {
      last_speaker = {};
      if (message.is_undefined()) continue;  // an error told of it
      complain(message, fmt::format("expected the role user, assistant or system, found {}", Quoted(role)),
               "write {role: user, content: ...}");
      continue;
    }
    if (!IsGenerated(message) && !HasWords(message)) {
      const Value* content = message.Find("content");
      if (content != nullptr && content->is_list()) {
        complain(message, "expected one text to ask, found a list",
                 "write an entry of `prompts` for each text; turns of one conversation go under `messages`");
      } else if (content != nullptr && (content->is_number() || content->is_bool() || content->is_map())) {
        complain(message, fmt::format("expected a text to ask, found {}", KindName(*content)),
                 "put the text in quotes");
      } else {
        complain(message, fmt::format("the {} message has no text", role), "write what is said after it");
      }
    }
    if (role == "system") continue;
    if (role == last_speaker) {
      complain(message, fmt::format("two {} messages in a row", role),
               "join them, or put the other side between");
    }
    last_speaker = role;
  }
}

std::vector<Turn> ConversationTurns(const Value& prompt, MediaReader& media) {
  std::vector<Turn> turns;
  for (const Value& message : prompt.Find("messages")->AsList()) {
    Turn turn;
    const std::string_view role = RoleOf(message);
    turn.role = role == "system" ? Role::kSystem : role == "assistant" ? Role::kAssistant : Role::kUser;
    turn.kind = IsGenerated(message) ? TurnKind::kGenerate : TurnKind::kText;
    if (turn.kind == TurnKind::kText) turn.text = message.Find("content")->AsString();
    turn.span = message.span;
    if (turn.role == Role::kUser) turn.media = media.PartsOf(message, JsText(*prompt.Find("id")));
    turns.push_back(std::move(turn));
  }
  // A checked conversation ends with the user; the answer to that is what is graded. Where an unchecked one
  // does not, what the assistant said last is the answer, and only a conversation without any assistant is
  // asked for one.
  const bool ends_with_user = !turns.empty() && turns.back().role == Role::kUser;
  const bool has_assistant =
      std::any_of(turns.begin(), turns.end(), [](const Turn& turn) { return turn.role == Role::kAssistant; });
  if (!ends_with_user && has_assistant) return turns;
  Turn answer;
  answer.role = Role::kAssistant;
  answer.kind = TurnKind::kGenerate;
  answer.span = prompt.span;
  turns.push_back(std::move(answer));
  return turns;
}

}  // namespace assay::blueprint
