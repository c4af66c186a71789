// Finds the digits of a number in its source.
#include "text/template/written.h"

#include <cstdlib>

#include "base/text/ascii.h"
#include "text/javascript/number.h"
#include "text/json/json.h"

namespace assay {

namespace {

void SkipNumberDigits(std::string_view text, std::size_t& at) {
  while (at < text.size() && IsAsciiDigit(text[at])) ++at;
}

std::string WrittenNumber(const Value& number, const SourceFiles& sources) {
  const Span span = number.span;
  const std::string_view file = sources.Text(span.file);
  if (span.offset <= file.size()) {
    const std::string_view written = file.substr(span.offset, span.length);
    // A template's place may stand before a value that it made: only the same number is its own text.
    if (PlainNumber(written) == number.AsNumber()) return std::string(written);
  }
  if (number.kind() == ValueKind::kInt) return std::to_string(number.AsInt());
  return JsNumberText(number.AsNumber());
}

void AppendWritten(const Value& value, const SourceFiles& sources, std::string& out) {
  if (value.is_number()) {
    out += WrittenNumber(value, sources);
  } else if (value.is_list()) {
    out += '[';
    bool is_first = true;
    for (const Value& item : value.AsList()) {
      if (!is_first) out += ',';
      is_first = false;
      AppendWritten(item, sources, out);
    }
    out += ']';
  } else if (value.is_map()) {
    out += '{';
    bool is_first = true;
    for (const Member& member : value.AsMap()) {
      if (!is_first) out += ',';
      is_first = false;
      AppendJsonString(member.key, out);
      out += ':';
      AppendWritten(member.value, sources, out);
    }
    out += '}';
  } else {
    AppendJson(value, JsonStyle::kJavaScript, out);
  }
}

}  // namespace

bool IsPlainNumber(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  std::size_t start = at;
  SkipNumberDigits(text, at);
  if (at == start) return false;
  if (at < text.size() && text[at] == '.') {
    start = ++at;
    SkipNumberDigits(text, at);
    if (at == start) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    start = at;
    SkipNumberDigits(text, at);
    if (at == start) return false;
  }
  return at == text.size();
}

std::optional<double> PlainNumber(std::string_view text) {
  if (!IsPlainNumber(text)) return std::nullopt;
  return std::strtod(std::string(text).c_str(), nullptr);
}

std::optional<std::string> WrittenText(const Value& value, const SourceFiles& sources) {
  if (value.is_string()) return value.AsString();
  if (value.is_number()) return WrittenNumber(value, sources);
  if (value.is_bool()) return value.AsBool() ? "true" : "false";
  return std::nullopt;
}

std::string WrittenJson(const Value& value, const SourceFiles& sources) {
  std::string json;
  AppendWritten(value, sources, json);
  return json;
}

}  // namespace assay
