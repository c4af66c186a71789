// Makes and joins messages.
#include "dialects/blueprint/rows/messages.h"

#include <algorithm>
#include <iterator>

#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/parse.h"
#include "dialects/rows_from/shots.h"

namespace assay::blueprint {

namespace {

bool IsOfSystem(const Value& message) {
  return message.TextAt("role") == "system" || message.Find("system") != nullptr;
}

// What the user says in a message; null: it is not the user's.
const Value* WordsOfUser(const Value& message) {
  if (message.is_string()) return &message;
  if (const Value* user = message.Find("user")) return user;
  return message.TextAt("role") == "user" ? message.Find("content") : nullptr;
}

}  // namespace

Value OwnText(const Map& entry) {
  if (const Value* text = FirstTruthy(entry, RowOf(kPromptKeys, "prompt")); IsTruthy(text)) return *text;
  const Value* own = nullptr;
  for (const Value& message : entry.ListAt("messages")) {
    const Value* words = WordsOfUser(message);
    if (words == nullptr) continue;
    if (own != nullptr) return Value();
    own = words;
  }
  return own == nullptr ? Value() : *own;
}

void MakeMessages(Map& members) {
  if (members.Find("messages") != nullptr) return;
  Value text = TakeFirstTruthy(members, RowOf(kPromptKeys, "prompt"));
  Value message = MessageOf("user", std::move(text));
  std::vector<std::string> moved;
  for (Member& member : members) {
    if (!IsMediaKey(member.key)) continue;
    moved.push_back(member.key);
    message.AsMap().Append(member.key, std::move(member.value), member.key_span);
  }
  for (const std::string& key : moved) members.Erase(key);
  for (const std::string_view name : {"prompt", "promptText"}) members.Erase(name);
  const Span span = message.span;
  Value messages(List{std::move(message)});
  messages.span = span;
  members.Append("messages", std::move(messages));
}

std::size_t SystemMessages(const List& messages) {
  const auto first = std::find_if_not(messages.begin(), messages.end(), IsOfSystem);
  return static_cast<std::size_t>(first - messages.begin());
}

List WithShots(const List& messages, const List& shots) {
  const auto split = static_cast<std::ptrdiff_t>(SystemMessages(messages));
  List all(messages.begin(), messages.begin() + split);
  all.insert(all.end(), shots.begin(), shots.end());
  all.insert(all.end(), messages.begin() + split, messages.end());
  return all;
}

Value SystemMessage(Value text) { return MessageOf("system", std::move(text)); }

}  // namespace assay::blueprint
