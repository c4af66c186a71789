// Reads assertions that are written as texts.
#include "dialects/promptfoo/csv/assertion_text.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text/ascii.h"
#include "dialects/promptfoo/assertion_types.h"
#include "dialects/promptfoo/read/paths.h"
#include "text/javascript/text.h"
#include "text/object.h"

namespace assay::promptfoo {

namespace {

// What cells say before code and rubrics.
struct Prefix {
  std::string_view text;
  std::string_view type;
  bool is_trimmed;
};
constexpr Prefix kPrefixes[] = {
    {"javascript:", "javascript", true}, {"fn:", "javascript", true},          {"eval:", "javascript", true},
    {"grade:", "llm-rubric", false},     {"llm-rubric:", "llm-rubric", false}, {"python:", "python", true},
};

constexpr std::string_view kListTypes[] = {"contains-all", "contains-any", "icontains-all", "icontains-any"};
constexpr std::string_view kJsonTypes[] = {"contains-json", "is-json"};
constexpr std::string_view kThresholdTypes[] = {
    "answer-relevance", "classifier",        "context-faithfulness",
    "context-recall",   "context-relevance", "cost",
    "latency",          "levenshtein",       "perplexity",
    "perplexity-score", "rouge-n",           "similar",
    "starts-with",
};
constexpr double kSimilarThreshold = 0.8;
constexpr double kOtherThreshold = 0.75;

template <std::size_t size>
bool IsOneOf(const std::string_view (&names)[size], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The bytes of "(0.5)" at the start, and its number; nothing if there is none.
struct Bracketed {
  std::size_t size;
  double number;
};
std::optional<Bracketed> BracketedNumber(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  const std::size_t close = text.find(')');
  if (close == std::string_view::npos || close == 1) return std::nullopt;
  const std::string_view digits = text.substr(1, close - 1);
  const std::size_t point = digits.find('.');
  const auto are_digits = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), IsAsciiDigit<char>);
  };
  const bool is_number = point == std::string_view::npos
                             ? are_digits(digits)
                             : are_digits(digits.substr(0, point)) && are_digits(digits.substr(point + 1));
  if (!is_number) return std::nullopt;
  double number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return Bracketed{close + 1, number};
}

struct TypedText {
  bool is_negated = false;
  std::string_view type;
  std::optional<double> number;
  std::optional<std::string_view> value;
};

// [not-]TYPE[(NUMBER)][:VALUE]
std::optional<TypedText> TypedTextOf(std::string_view text, bool is_compatible) {
  TypedText read;
  read.is_negated = text.starts_with("not-");
  if (read.is_negated) text.remove_prefix(4);
  for (const AssertionType& type : AssertionTypes()) {
    if (!type.is_nameable || !text.starts_with(type.name)) continue;
    std::string_view rest = text.substr(type.name.size());
    const std::optional<Bracketed> bracketed = BracketedNumber(rest);
    if (bracketed) rest.remove_prefix(bracketed->size);
    if (!rest.empty() && rest.front() != ':') continue;
    // Of "similar:cosine" and "similar", the longer name is meant; promptfoo takes the shorter one.
    if (is_compatible && !read.type.empty()) continue;
    read.type = type.name;
    read.number = bracketed ? std::optional<double>(bracketed->number) : std::nullopt;
    read.value = rest.empty() ? std::nullopt : std::optional<std::string_view>(rest.substr(1));
  }
  return read.type.empty() ? std::nullopt : std::optional<TypedText>(read);
}

Value ValueOf(const TypedText& typed) {
  if (!typed.value) return Value();
  if (IsOneOf(kListTypes, typed.type)) {
    if (typed.value->empty()) return Value("");
    const std::vector<std::string> fields = CommaList(*typed.value);
    return fields.empty() ? Value("") : Value(ArrayOf(fields));
  }
  return Value(IsOneOf(kJsonTypes, typed.type) ? *typed.value : JsTrim(*typed.value));
}

}  // namespace

std::vector<std::string> CommaList(std::string_view text) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  while (at < text.size()) {
    std::string field;
    const std::string_view ahead = JsTrim(text.substr(at));
    if (ahead.starts_with('"')) {
      at = text.find('"', at) + 1;
      for (; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\')) ++at;
        field += text[at];
        while (at + 2 < text.size() && text[at + 1] == '"' && text[at + 2] == '"') {
          field += '"';
          at += 2;
        }
      }
      at = std::min(text.find(',', std::min(at, text.size())), text.size());
    } else {
      const std::size_t end = std::min(text.find(',', at), text.size());
      field = JsTrim(text.substr(at, end - at));
      at = end;
    }
    if (!field.empty()) fields.push_back(std::move(field));
    ++at;
  }
  return fields;
}

Map AssertionOfText(std::string_view text, bool is_compatible) {
  text = JsTrim(text);
  for (const Prefix& prefix : kPrefixes) {
    if (!text.starts_with(prefix.text)) continue;
    const std::string_view rest = text.substr(prefix.text.size());
    return Object{{"type", prefix.type}, {"value", prefix.is_trimmed ? JsTrim(rest) : rest}};
  }
  if (text.starts_with(kFilePrefix)) {
    const std::string_view path = WithoutFilePrefix(text);
    if (IsJavaScriptPath(path) || IsJavaScriptPath(CodePathOf(path).path))
      return Object{{"type", "javascript"}, {"value", text}};
    if (IsPythonPath(path) || IsPythonPath(CodePathOf(path).path))
      return Object{{"type", "python"}, {"value", is_compatible ? path : text}};
  }
  const std::optional<TypedText> typed = TypedTextOf(text, is_compatible);
  if (!typed) return Object{{"type", "equals"}, {"value", text}};
  Map assertion = Object{{"type", (typed->is_negated ? "not-" : "") + std::string(typed->type)},
                         {"value", ValueOf(*typed)}};
  if (IsOneOf(kThresholdTypes, typed->type)) {
    const double usual = typed->type == "similar" ? kSimilarThreshold : kOtherThreshold;
    assertion.Append("threshold", typed->number.value_or(usual));
  }
  return assertion;
}

}  // namespace assay::promptfoo
