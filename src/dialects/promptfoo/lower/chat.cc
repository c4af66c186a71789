// Reads prompts in YAML and JSON.
#include "dialects/promptfoo/lower/chat.h"

#include <fmt/core.h>

#include <optional>

#include "base/errors/diagnostics.h"
#include "dialects/promptfoo/read/documents.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay::promptfoo {
namespace {

std::optional<Role> RoleNamed(std::string_view name) {
  if (name == "system" || name == "developer") return Role::kSystem;
  if (name == "user") return Role::kUser;
  if (name == "assistant") return Role::kAssistant;
  return std::nullopt;
}

Error BadMessage(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

// The text of a message's content: a text, or a list of parts that are texts.
Result<std::string> ContentOf(const Value& message) {
  if (const std::string* text = FindText(message, "content")) return *text;
  const Value* content = message.Find("content");
  const bool has_none = content == nullptr || content->is_null();
  if (has_none) return std::string();
  if (content->is_number() || content->is_bool()) return WriteJson(*content, JsonStyle::kJavaScript);
  if (content->is_map())
    return BadMessage("a message of the prompt: expected a text as content, found a mapping");
  std::string text;
  for (const Value& part : message.ListAt("content")) {
    const std::string& type = part.TextAt("type");
    if (type != "text" && type != "input_text")
      return BadMessage(
          fmt::format("a message of the prompt has a part of the type \"{}\"; only texts are sent", type));
    text += (text.empty() ? "" : "\n") + part.TextAt("text");
  }
  return text;
}

bool IsMessage(const Value& value) { return !value.TextAt("role").empty(); }

Result<std::vector<Turn>> TurnsOf(const List& messages) {
  std::vector<Turn> turns;
  for (const Value& message : messages) {
    const std::string& name = message.TextAt("role");
    const std::optional<Role> role = RoleNamed(name);
    if (!role)
      return BadMessage(fmt::format(
          "a message of the prompt has the role \"{}\": expected system, user or assistant", name));
    ASSAY_TRY(std::string text, ContentOf(message));
    turns.push_back({.role = *role, .text = std::move(text), .span = {}});
  }
  return turns;
}

// Whether a text that is no JSON was meant to be: an object, or a list that begins as one of JSON does.
bool LooksLikeJson(std::string_view text) {
  if (text.front() == '{') return text.back() == '}' && !text.starts_with("{{");
  if (text.back() != ']') return false;
  const std::string_view first = JsTrim(text.substr(1));
  return !first.empty() && std::string_view("{[\"").find(first.front()) != std::string_view::npos;
}

}  // namespace

Result<std::vector<Turn>> MessagesIn(std::string_view text) {
  const std::string_view trimmed = JsTrim(text);
  if (trimmed.empty()) return std::vector<Turn>();
  if (trimmed.starts_with("- role:")) {
    Diagnostics problems;
    const std::vector<Value> documents = ReadPlainYaml(FileId::kNone, trimmed, problems);
    const bool is_list = !problems.HasErrors() && documents.size() == 1 && documents.front().is_list();
    if (!is_list)
      return BadMessage("the prompt begins as messages in YAML do (\"- role:\") and cannot be read as YAML");
    return TurnsOf(documents.front().AsList());
  }
  if (trimmed.front() != '{' && trimmed.front() != '[') return std::vector<Turn>();
  const Result<Value> parsed = ParseJson(trimmed);
  if (!parsed) {
    if (LooksLikeJson(trimmed))
      return BadMessage("the prompt looks like JSON and cannot be read: " + parsed.error().message);
    return std::vector<Turn>();
  }
  if (!parsed->is_list() || parsed->AsList().empty()) return std::vector<Turn>();
  for (const Value& message : parsed->AsList()) {
    if (!IsMessage(message)) return std::vector<Turn>();
  }
  return TurnsOf(parsed->AsList());
}

}  // namespace assay::promptfoo
