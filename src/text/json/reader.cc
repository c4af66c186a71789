// The JSON reader: recursive, in one pass, with exact places. Why not simdjson:
// docs/decisions/0010-json-reader.md.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/core.h>

#include "base/limits.h"
#include "base/text/ascii.h"
#include "base/text/byte_order_mark.h"
#include "base/text/utf8.h"
#include "text/json/json.h"
#include "text/json/plain.h"
#include "text/json/stored.h"
#include "text/limits.h"
#include "text/python/json.h"

namespace assay {

namespace {

enum class JsonRules { kJavaScript, kPython };

enum class ProblemKind { kSyntax, kLimit, kEncoding };

struct Problem {
  ProblemKind kind = ProblemKind::kSyntax;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string message;
  std::string hint;
};

bool IsWordCharacter(int c) { return IsAsciiAlphanumeric(c) || c == '_'; }

// A number that is too large or too small for a double: Infinity or 0, by where its first digit stands.
double OutOfRange(std::string_view number) {
  const bool negative = number.front() == '-';
  if (negative) number.remove_prefix(1);
  const std::size_t exponent_mark = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, exponent_mark);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  // An exponent beyond what an int holds has decided the matter alone: a text has fewer digits.
  bool negative_exponent = false;
  int exponent = 0;
  if (exponent_mark != std::string_view::npos) {
    std::string_view text = number.substr(exponent_mark + 1);
    negative_exponent = text.front() == '-';
    if (text.front() == '+') text.remove_prefix(1);
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (parsed.ec != std::errc()) exponent = std::numeric_limits<int>::max() * (negative_exponent ? -1 : 1);
  }
  const std::int64_t magnitude =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) + exponent;
  const double value = magnitude > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -value : value;
}

double ToDouble(std::string_view number) {
  double value = 0;
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value);
  return parsed.ec == std::errc::result_out_of_range ? OutOfRange(number) : value;
}

// Of members with the same key, the last one's value stays, at the place of the first. Null if no key stands
// twice, else the first that was found.
std::optional<Span> DropDuplicates(Map& map) {
  constexpr std::size_t kFewMembers = 12;  // comparing each with each costs less than sorting
  const Member* members = map.begin();
  const std::size_t count = map.size();
  std::vector<std::uint32_t> by_key;
  bool found = false;
  if (count <= kFewMembers) {
    for (std::size_t i = 1; i < count && !found; ++i) {
      for (std::size_t j = 0; j < i; ++j) found = found || members[i].key == members[j].key;
    }
    if (!found) return std::nullopt;
  }
  by_key.resize(count);
  std::iota(by_key.begin(), by_key.end(), 0u);
  std::sort(by_key.begin(), by_key.end(), [members](std::uint32_t a, std::uint32_t b) {
    const int order = members[a].key.compare(members[b].key);
    return order != 0 ? order < 0 : a < b;
  });
  const auto same = [members](std::uint32_t a, std::uint32_t b) { return members[a].key == members[b].key; };
  const auto twice = std::adjacent_find(by_key.begin(), by_key.end(), same);
  if (twice == by_key.end()) return std::nullopt;
  const Span again = members[twice[1]].key_span;

  constexpr std::uint32_t kDropped = 0xffffffffu;
  std::vector<std::uint32_t> taken_from(count, kDropped);  // for the first of each key, the index of its last
  for (std::size_t i = 0; i < count;) {
    std::size_t last = i;
    while (last + 1 < count && same(by_key[i], by_key[last + 1])) ++last;
    taken_from[by_key[i]] = by_key[last];
    i = last + 1;
  }
  Map unique;
  for (std::size_t i = 0; i < count; ++i) {
    if (taken_from[i] == kDropped) continue;
    Member& last = map.begin()[taken_from[i]];
    unique.Append(std::move(last.key), std::move(last.value), last.key_span);
  }
  map = std::move(unique);
  return again;
}

class JsonReader {
 public:
  JsonReader(FileId file, std::string_view text, JsonRules rules = JsonRules::kJavaScript,
             RepeatedKeys repeated = RepeatedKeys::kLastWins, std::size_t nodes_max = limits::kJsonNodesMax)
      : file_(file), text_(text), rules_(rules), repeated_(repeated), nodes_max_(nodes_max) {}

  // False when the text is no JSON; problem() then says why.
  bool Read(Value& value);
  const Problem& problem() const { return problem_; }
  std::size_t nodes() const { return nodes_; }

 private:
  int Peek() const { return pos_ < text_.size() ? static_cast<std::uint8_t>(text_[pos_]) : -1; }
  void SkipSpace() {
    while (pos_ < text_.size() &&
           (text_[pos_] == ' ' || text_[pos_] == '\n' || text_[pos_] == '\r' || text_[pos_] == '\t')) {
      ++pos_;
    }
  }
  Span SpanFrom(std::size_t start) const {
    return {file_, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(pos_ - start)};
  }

  bool CheckText();
  bool ReadValue(Value& value);
  bool ReadMap(Value& value);
  bool ReadMember(Map& map);
  bool ReadList(Value& value);
  bool ReadString(std::string& out);
  bool ReadEscape(std::string& out);
  bool ReadHexEscape(char32_t& unit);
  bool ReadNumber(Value& value);
  bool ReadDigits();
  bool ReadWord(Value& value);
  bool IsNegativeWord() const { return pos_ > 0 && text_[pos_ - 1] == '-'; }
  bool Enter();

  bool Fail(ProblemKind kind, std::size_t offset, std::size_t length, std::string message,
            std::string hint = {});
  bool Expected(std::string_view what, std::string hint = {});
  std::size_t FoundLength() const;
  std::string HintForValue() const;

  FileId file_;
  std::string_view text_;
  JsonRules rules_;
  RepeatedKeys repeated_;
  std::size_t nodes_max_;
  std::size_t pos_ = 0;
  std::size_t depth_ = 0;
  std::size_t nodes_ = 0;
  Problem problem_;
};

bool JsonReader::Fail(ProblemKind kind, std::size_t offset, std::size_t length, std::string message,
                      std::string hint) {
  problem_ = {kind, offset, length, std::move(message), std::move(hint)};
  return false;
}

// What stands at pos_: a word, a single character, or nothing.
std::size_t JsonReader::FoundLength() const {
  std::size_t end = pos_;
  while (end < text_.size() && IsWordCharacter(static_cast<std::uint8_t>(text_[end]))) ++end;
  return end > pos_ ? end - pos_ : DecodeUtf8(text_, pos_).size_bytes;
}

bool JsonReader::Expected(std::string_view what, std::string hint) {
  const std::size_t length = FoundLength();
  const std::string found = length == 0 ? "the end of the text" : Quoted(text_.substr(pos_, length));
  return Fail(ProblemKind::kSyntax, pos_, length, fmt::format("expected {}, found {}", what, found),
              std::move(hint));
}

std::string JsonReader::HintForValue() const {
  switch (Peek()) {
    case '\'':
      return "JSON strings need double quotes";
    case '/':
      return "JSON has no comments";
    case '+':
      return "a JSON number has no plus sign";
    case '.':
      return "a JSON number starts with a digit";
    case ']':
    case '}':
      return "remove the comma before the closing bracket";
    default:
      return {};
  }
}

bool JsonReader::CheckText() {
  if (text_.size() > limits::kInputFileBytesMax) {
    return Fail(
        ProblemKind::kLimit, 0, 0,
        fmt::format("the text is longer than {} bytes, the most that is read", limits::kInputFileBytesMax));
  }
  if (text_.starts_with(kByteOrderMark)) {
    return Fail(ProblemKind::kSyntax, 0, 3, "expected a value, found a byte order mark",
                "save the text without it");
  }
  const std::size_t invalid = FindInvalidUtf8(text_);
  if (invalid == std::string_view::npos) return true;
  return Fail(
      ProblemKind::kEncoding, invalid, 1,
      fmt::format("expected UTF-8, found the byte 0x{:02x}", static_cast<std::uint8_t>(text_[invalid])),
      "save the text as UTF-8");
}

bool JsonReader::Read(Value& value) {
  if (!CheckText()) return false;
  SkipSpace();
  if (!ReadValue(value)) return false;
  SkipSpace();
  return pos_ == text_.size() || Expected("the end of the text");
}

bool JsonReader::Enter() {
  if (depth_ >= limits::kJsonDepthMax) {
    return Fail(
        ProblemKind::kLimit, pos_, 1,
        fmt::format("lists and maps lie more than {} deep, the most that is read", limits::kJsonDepthMax));
  }
  ++depth_;
  ++pos_;
  SkipSpace();
  return true;
}

bool JsonReader::ReadValue(Value& value) {
  if (++nodes_ > nodes_max_) {
    return Fail(ProblemKind::kLimit, pos_, 0,
                fmt::format("the text has more than {} values, the most that is read", nodes_max_));
  }
  const std::size_t start = pos_;
  const int c = Peek();
  bool ok = false;
  if (c == '"') {
    std::string text;
    ok = ReadString(text);
    value = Value(std::move(text));
  } else if (c == '{') {
    ok = ReadMap(value);
  } else if (c == '[') {
    ok = ReadList(value);
  } else if (c == '-' || IsAsciiDigit(c)) {
    ok = ReadNumber(value);
  } else {
    ok = ReadWord(value);
  }
  value.span = SpanFrom(start);
  return ok;
}

bool JsonReader::ReadMap(Value& value) {
  if (!Enter()) return false;
  Map map;
  if (Peek() == '}') {
    ++pos_;
  } else {
    while (true) {
      if (!ReadMember(map)) return false;
      SkipSpace();
      const int c = Peek();
      if (c != ',' && c != '}') return Expected("\",\" or \"}\"");
      ++pos_;
      if (c == '}') break;
      SkipSpace();
    }
  }
  const std::optional<Span> again = DropDuplicates(map);
  if (again && repeated_ == RepeatedKeys::kRefuse) {
    const std::string_view key = text_.substr(again->offset + 1, again->length - 2);
    return Fail(ProblemKind::kSyntax, again->offset, again->length,
                fmt::format("the key {} occurs twice in one object", Quoted(key)), "leave one of them out");
  }
  if (rules_ == JsonRules::kJavaScript) map.SortLikeJavaScript();
  value = Value(std::move(map));
  --depth_;
  return true;
}

bool JsonReader::ReadMember(Map& map) {
  if (Peek() != '"') {
    const bool closes = Peek() == '}';
    return Expected("a key in double quotes", closes ? HintForValue() : std::string());
  }
  const std::size_t start = pos_;
  std::string key;
  if (!ReadString(key)) return false;
  const Span key_span = SpanFrom(start);
  SkipSpace();
  if (Peek() != ':') return Expected("\":\" after the key");
  ++pos_;
  SkipSpace();
  return ReadValue(map.Append(std::move(key), Value(), key_span));
}

bool JsonReader::ReadList(Value& value) {
  if (!Enter()) return false;
  List list;
  if (Peek() == ']') {
    ++pos_;
  } else {
    while (true) {
      if (!ReadValue(list.emplace_back())) return false;
      SkipSpace();
      const int c = Peek();
      if (c != ',' && c != ']') return Expected("\",\" or \"]\"");
      ++pos_;
      if (c == ']') break;
      SkipSpace();
    }
  }
  value = Value(std::move(list));
  --depth_;
  return true;
}

bool JsonReader::ReadString(std::string& out) {
  const std::size_t start = pos_++;
  while (true) {
    const std::size_t run = pos_;
    pos_ = SkipPlain(text_, pos_);
    out.append(text_, run, pos_ - run);
    switch (Peek()) {
      case '"':
        ++pos_;
        return true;
      case '\\':
        if (!ReadEscape(out)) return false;
        break;
      case -1:
        return Fail(ProblemKind::kSyntax, start, 1, "this string has no closing quote");
      default:
        return Fail(
            ProblemKind::kSyntax, pos_, 1,
            fmt::format("a string may not hold the control character {}", Quoted(text_.substr(pos_, 1))),
            "write it as an escape: \\n, \\t or \\u00xx");
    }
  }
}

bool JsonReader::ReadEscape(std::string& out) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t start = pos_++;
  const int c = Peek();
  const std::size_t index = c < 0 ? std::string_view::npos : kEscapes.find(static_cast<char>(c));
  if (index != std::string_view::npos) {
    out.push_back(kMeanings[index]);
    ++pos_;
    return true;
  }
  if (c != 'u') {
    const std::size_t length = 1 + DecodeUtf8(text_, pos_).size_bytes;
    return Fail(ProblemKind::kSyntax, start, length,
                fmt::format("{} is no escape", Quoted(text_.substr(start, length))),
                "write \\\\ for a backslash");
  }
  char32_t unit = 0;
  if (!ReadHexEscape(unit)) return false;
  const bool is_high = unit >= 0xd800 && unit <= 0xdbff;
  if (is_high && text_.substr(pos_, 2) == "\\u") {
    const std::size_t second = pos_++;
    char32_t low = 0;
    if (!ReadHexEscape(low)) return false;
    if (low >= 0xdc00 && low <= 0xdfff) {
      unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    } else {
      pos_ = second;  // it may start a pair of its own
    }
  }
  AppendUtf8(unit, out);
  return true;
}

// pos_ stands at the "u".
bool JsonReader::ReadHexEscape(char32_t& unit) {
  const std::string_view digits = text_.substr(pos_ + 1, 4);
  std::uint32_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, number, 16);
  if (digits.size() < 4 || parsed.ptr != end) {
    return Fail(ProblemKind::kSyntax, pos_ - 1, 2, "expected four hexadecimal digits after \\u");
  }
  unit = number;
  pos_ += 5;
  return true;
}

bool JsonReader::ReadDigits() {
  if (!IsAsciiDigit(Peek())) return Expected("a digit");
  while (IsAsciiDigit(Peek())) ++pos_;
  return true;
}

bool JsonReader::ReadNumber(Value& value) {
  constexpr std::size_t kExactDigits = 15;  // fewer than 2^53, whatever the digits
  const std::size_t start = pos_;
  if (Peek() == '-') ++pos_;
  const std::size_t first = pos_;
  if (rules_ == JsonRules::kPython && Peek() == 'I') return ReadWord(value);
  if (Peek() == '0') {
    ++pos_;
    if (IsAsciiDigit(Peek())) {
      return Fail(ProblemKind::kSyntax, start, pos_ - start, "a number may not start with a needless 0");
    }
  } else if (!ReadDigits()) {
    return false;
  }
  if (Peek() != '.' && Peek() != 'e' && Peek() != 'E' && pos_ - first <= kExactDigits) {
    std::int64_t number = 0;
    for (std::size_t i = first; i < pos_; ++i) number = number * 10 + (text_[i] - '0');
    const double magnitude = static_cast<double>(number);
    if (rules_ == JsonRules::kPython) {
      value = Value(first > start ? -number : number);
    } else {
      value = Value(first > start ? -magnitude : magnitude);
    }
    return true;
  }
  if (rules_ == JsonRules::kPython && Peek() != '.' && Peek() != 'e' && Peek() != 'E') {
    std::int64_t number = 0;
    const std::string_view digits = text_.substr(start, pos_ - start);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc()) {
      value = Value(number);
      return true;
    }
  }
  if (Peek() == '.') {
    ++pos_;
    if (!ReadDigits()) return false;
  }
  if (Peek() == 'e' || Peek() == 'E') {
    ++pos_;
    if (Peek() == '+' || Peek() == '-') ++pos_;
    if (!ReadDigits()) return false;
  }
  value = Value(ToDouble(text_.substr(start, pos_ - start)));
  return true;
}

bool JsonReader::ReadWord(Value& value) {
  const std::size_t length = FoundLength();
  const std::string_view word = text_.substr(pos_, length);
  if (word == "true" || word == "false") {
    value = Value(word == "true");
  } else if (word == "null") {
    value = Value(Null{});
  } else if (rules_ == JsonRules::kPython && word == "NaN" && !IsNegativeWord()) {
    value = Value(std::numeric_limits<double>::quiet_NaN());
  } else if (rules_ == JsonRules::kPython && word == "Infinity") {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    value = Value(IsNegativeWord() ? -kInfinity : kInfinity);
  } else {
    return Expected("a value", HintForValue());
  }
  pos_ += length;
  return true;
}

std::string_view CodeOf(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::kSyntax:
      return "json.syntax";
    case ProblemKind::kLimit:
      return "json.limit";
    case ProblemKind::kEncoding:
      return "json.encoding";
  }
  return "json.syntax";
}

Span SpanOf(FileId file, const Problem& problem) {
  return {file, static_cast<std::uint32_t>(problem.offset), static_cast<std::uint32_t>(problem.length)};
}

Value ReadBy(JsonRules rules, FileId file, std::string_view text, Diagnostics& diagnostics) {
  JsonReader reader(file, text, rules);
  Value value;
  if (reader.Read(value)) return value;
  const Problem& problem = reader.problem();
  diagnostics.Error(std::string(CodeOf(problem.kind)), problem.message, SpanOf(file, problem), problem.hint);
  return Value();
}

Error ErrorOf(const Problem& problem, std::string_view text) {
  const std::string_view before = text.substr(0, problem.offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t column = 1 + CountCodePoints(before.substr(before.rfind('\n') + 1));
  Error error{problem.kind == ProblemKind::kLimit ? ErrorCode::kLimit : ErrorCode::kInvalidInput,
              fmt::format("JSON, line {} column {}: {}", line, column, problem.message),
              SpanOf(FileId::kNone, problem)};
  if (!problem.hint.empty()) error.notes.push_back(problem.hint);
  return error;
}

Result<Value> ParseBy(JsonRules rules, std::string_view text, RepeatedKeys repeated) {
  JsonReader reader(FileId::kNone, text, rules, repeated);
  Value value;
  if (reader.Read(value)) return value;
  return ErrorOf(reader.problem(), text);
}

}  // namespace

Value ReadJson(FileId file, std::string_view text, Diagnostics& diagnostics) {
  return ReadBy(JsonRules::kJavaScript, file, text, diagnostics);
}

Result<Value> ParseJson(std::string_view text, RepeatedKeys repeated) {
  return ParseBy(JsonRules::kJavaScript, text, repeated);
}

Result<Value> ParseStored(std::string_view text, std::size_t& values_left) {
  constexpr std::size_t kValuesMax = 3'000'000;
  JsonReader reader(FileId::kNone, text, JsonRules::kJavaScript, RepeatedKeys::kLastWins,
                    std::min(values_left, kValuesMax));
  Value value;
  if (!reader.Read(value)) return ErrorOf(reader.problem(), text);
  values_left -= reader.nodes();
  return value;
}

Result<Value> ParseStoredIn(std::size_t stored_bytes, std::string_view text) {
  constexpr std::size_t kAnyValues = 250'000;
  constexpr std::size_t kValuesPerByte = 8;  // what is packed of assay's own records has fewer
  std::size_t values_left = kAnyValues + kValuesPerByte * stored_bytes;
  return ParseStored(text, values_left);
}

Value ReadPythonJson(FileId file, std::string_view text, Diagnostics& diagnostics) {
  return ReadBy(JsonRules::kPython, file, text, diagnostics);
}

Result<Value> ParsePythonJson(std::string_view text) {
  return ParseBy(JsonRules::kPython, text, RepeatedKeys::kLastWins);
}

}  // namespace assay
