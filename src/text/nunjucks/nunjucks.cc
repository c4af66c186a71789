// Renders plain templates here, and all others in the script engine.
#include "text/nunjucks/nunjucks.h"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/text/ascii.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"
#include "text/nunjucks/scripts.h"

namespace assay {

namespace {

constexpr std::chrono::seconds kLoadTime{5};    // of the script itself: 170 kB, once
constexpr std::chrono::seconds kRenderTime{1};  // of one template
constexpr std::size_t kTemplateBytesMax = 4u << 20;

bool IsNameByte(char byte) { return IsAsciiAlphanumeric(byte) || byte == '_'; }

// The name of `{{ name }}` alone.
std::string_view PlainNameOf(std::string_view expression) {
  const std::string_view name = JsTrim(expression);
  if (name.empty() || IsAsciiDigit(name.front())) return {};
  for (const char byte : name) {
    if (!IsNameByte(byte)) return {};
  }
  for (const std::string_view word : {"true", "false", "none", "null", "not"}) {
    if (name == word) return {};
  }
  return name;
}

// What a text with nothing but `{{ name }}` in it says; nothing: it needs the language.
std::optional<std::string> PlainText(std::string_view text, const Map& variables) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t open = text.find('{', at);
    if (open == std::string_view::npos || open + 1 == text.size()) {
      out += text.substr(at);
      return out;
    }
    const char second = text[open + 1];
    if (second == '%' || second == '#') return std::nullopt;
    if (second != '{') {
      out += text.substr(at, open + 1 - at);
      at = open + 1;
      continue;
    }
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view name = PlainNameOf(text.substr(open + 2, close - open - 2));
    const Value* value = name.empty() ? nullptr : variables.Find(name);
    if (value == nullptr || value->is_date()) return std::nullopt;
    out += text.substr(at, open - at);
    out += JsTextOf(*value);
    at = close + 2;
  }
}

Error ErrorOf(const ScriptOutcome& outcome) {
  if (outcome.kind == ScriptOutcome::Kind::kLimit) return {ErrorCode::kLimit, outcome.message};
  std::string message = outcome.message;
  // nunjucks names a file that a template of ours does not have.
  constexpr std::string_view kUnknown = "(unknown path)";
  if (message.starts_with(kUnknown)) message.erase(0, kUnknown.size());
  for (std::size_t end = 0; (end = message.find('\n')) != std::string::npos;) message[end] = ' ';
  return {ErrorCode::kInvalidInput, "the template cannot be rendered: " + std::string(JsTrim(message))};
}

}  // namespace

std::string JsTextOf(const Value& value) { return value.is_nullish() ? "" : JsString(value); }

Status Nunjucks::Start() {
  session_ = std::make_unique<ScriptSession>();
  for (const std::string_view script : {kNunjucksScript, kNunjucksHost}) {
    if (const ScriptOutcome outcome = session_->Load(script, kLoadTime);
        outcome.kind != ScriptOutcome::Kind::kValue)
      return ErrorOf(outcome);
  }
  const ScriptOutcome outcome = session_->Call("setEnvironment", {Value(environment_)});
  if (outcome.kind != ScriptOutcome::Kind::kValue) return ErrorOf(outcome);
  return Ok();
}

Result<std::string> Nunjucks::Render(std::string_view text, const Map& variables) {
  if (std::optional<std::string> plain = PlainText(text, variables)) return *std::move(plain);
  if (text.size() > kTemplateBytesMax)
    return Error{ErrorCode::kLimit, "the template is larger than 4 MB: shorten it"};
  if (session_ == nullptr || session_->has_ended()) ASSAY_CHECK_OK(Start());
  ScriptOutcome outcome = session_->Call("renderTemplate", {Value(text), Value(variables)}, kRenderTime);
  if (outcome.kind == ScriptOutcome::Kind::kValue && outcome.value.is_string())
    return outcome.value.AsString();
  if (outcome.kind == ScriptOutcome::Kind::kThrown || outcome.kind == ScriptOutcome::Kind::kLimit)
    return ErrorOf(outcome);
  return Error{ErrorCode::kLimit, "the template writes more than a reply may hold: shorten it"};
}

}  // namespace assay
