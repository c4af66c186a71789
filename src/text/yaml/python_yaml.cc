// Chooses scalar styles and line breaks as PyYAML's emitter does; written from its behaviour.
#include "text/yaml/python_yaml.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/text/utf8.h"
#include "text/javascript/number.h"
#include "text/packed/base64.h"
#include "text/python/text.h"
#include "text/yaml/schema.h"

namespace assay {

namespace {

constexpr std::size_t kLineColumns = 80;
constexpr std::size_t kYamlIndentColumns = 2;
constexpr std::size_t kSimpleKeyMax =
    123;  // characters of a key that stands before its colon: 128 with `!!str`

using Text = std::u32string_view;

bool IsBreak(char32_t c) { return c == U'\n' || c == U'\x85' || c == U'\x2028' || c == U'\x2029'; }
bool IsYamlBlank(char32_t c) { return c == U'\0' || c == U' ' || c == U'\t' || c == U'\r' || IsBreak(c); }
bool IsPrintableAscii(char32_t c) { return c >= U' ' && c <= U'~'; }
bool IsOneOf(char32_t c, std::u32string_view set) { return set.find(c) != std::u32string_view::npos; }

// What stands in a text, as far as it decides the styles that it may have.
struct TextFacts {
  bool is_multiline = false;
  bool may_be_plain = true;
  bool may_be_single_quoted = true;
};

// A character that would be read as structure where the text stands without quotes.
bool IsIndicator(Text text, std::size_t i) {
  const char32_t c = text[i];
  const bool before_blank = i + 1 >= text.size() || IsYamlBlank(text[i + 1]);
  if (i == 0) {
    if (IsOneOf(c, U"#,[]{}&*!|>'\"%@`")) return true;
    return IsOneOf(c, U"?:-") && before_blank;
  }
  if (c == U':') return before_blank;
  return c == U'#' && IsYamlBlank(text[i - 1]);
}

TextFacts FactsOf(Text text) {
  TextFacts facts;
  if (text.empty()) return facts;
  if (text.starts_with(U"---") || text.starts_with(U"...")) facts.may_be_plain = false;
  const auto is_space_or_break = [](char32_t c) { return c == U' ' || IsBreak(c); };
  if (is_space_or_break(text.front()) || is_space_or_break(text.back())) facts.may_be_plain = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    if (IsBreak(c)) facts.is_multiline = true;
    if (IsIndicator(text, i)) facts.may_be_plain = false;
    const bool is_special = c != U'\n' && !IsPrintableAscii(c);
    const bool is_space_at_break =
        i > 0 && ((c == U' ' && IsBreak(text[i - 1])) || (IsBreak(c) && text[i - 1] == U' '));
    if (is_special || is_space_at_break) facts.may_be_single_quoted = false;
  }
  facts.may_be_plain = facts.may_be_plain && !facts.is_multiline && facts.may_be_single_quoted;
  return facts;
}

// True if the text without quotes would be read as something else: a number, a date, null, ...
bool IsReadAsAnotherKind(const std::string& text) {
  if (text == "=" || text == "<<") return true;
  const std::optional<Value> read = PyYamlSchema().plain(text);
  return !read || !read->is_string();
}

std::string EscapeOf(char32_t c) {
  static constexpr std::pair<char32_t, char> kShort[] = {
      {U'\0', '0'},  {U'\a', 'a'},   {U'\b', 'b'},   {U'\t', 't'},     {U'\n', 'n'},
      {U'\v', 'v'},  {U'\f', 'f'},   {U'\r', 'r'},   {U'\x1b', 'e'},   {U'"', '"'},
      {U'\\', '\\'}, {U'\x85', 'N'}, {U'\xa0', '_'}, {U'\x2028', 'L'}, {U'\x2029', 'P'}};
  for (const auto& [character, letter] : kShort) {
    if (c == character) return {'\\', letter};
  }
  const auto code = static_cast<std::uint32_t>(c);
  if (code <= 0xff) return fmt::format("\\x{:02X}", code);
  return code <= 0xffff ? fmt::format("\\u{:04X}", code) : fmt::format("\\U{:08X}", code);
}

// As YAML 1.1 writes a float: with a dot, or it would be read as a text.
std::string FloatText(double number) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number > 0 ? ".inf" : "-.inf";
  std::string text = PythonFloatText(number);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

std::string DateText(Date date) {
  constexpr std::int64_t kMsPerDay = 86'400'000;
  const std::string iso = JsIsoDate(date.ms);  // 2026-11-21T08:00:00.000Z
  const std::size_t time = iso.find('T');
  if (date.ms % kMsPerDay == 0) return iso.substr(0, time);
  std::string text = fmt::format("{} {}", iso.substr(0, time), iso.substr(time + 1, 8));
  if (date.ms % 1000 != 0) text += fmt::format(".{:03}000", (date.ms % 1000 + 1000) % 1000);
  return text;
}

class Emitter {
 public:
  explicit Emitter(std::string& out) : out_(out) {}

  void WriteMembers(const Map& map, std::size_t indent) {
    std::vector<const Member*> sorted;
    for (const Member& member : map) sorted.push_back(&member);
    // Bytes of UTF-8 are in the order of their code points.
    std::sort(sorted.begin(), sorted.end(), [](const Member* a, const Member* b) { return a->key < b->key; });
    for (const Member* member : sorted) WriteMember(member->key, member->value, indent);
  }

  void WriteMember(const std::string& key, const Value& value, std::size_t indent) {
    BreakTo(indent);
    const std::u32string characters = ToUtf32(key);
    const bool is_simple =
        !characters.empty() && characters.size() < kSimpleKeyMax && !FactsOf(characters).is_multiline;
    if (is_simple) {
      WriteText(key, indent, Split::kNo);
      Put(":");
    } else {
      WriteIndicator("?");
      WriteText(key, indent, Split::kYes);
      BreakTo(indent);
      WriteIndicator(":");
    }
    WriteNode(value, indent, is_simple ? Place::kValue : Place::kLongValue);
  }

  void End() {
    if (column_ > 0) Break();
  }

 private:
  enum class Split { kNo, kYes };
  // kValue: behind "key:". The others stand behind an indicator, where a collection may begin on the line.
  enum class Place { kValue, kLongValue, kItem };

  void WriteNode(const Value& value, std::size_t indent, Place place) {
    if (value.is_map() && !value.AsMap().empty()) {
      WriteMembers(value.AsMap(), indent + kYamlIndentColumns);
    } else if (value.is_list() && !value.AsList().empty()) {
      const std::size_t of_items = place == Place::kValue ? indent : indent + kYamlIndentColumns;
      for (const Value& item : value.AsList()) {
        BreakTo(of_items);
        WriteIndicator("-");
        WriteNode(item, of_items, Place::kItem);
      }
    } else {
      WriteScalar(value, indent);
    }
  }

  void WriteScalar(const Value& value, std::size_t indent);

  void PutWord(std::string_view word) {
    Space();
    Put(word);
  }

  void WriteText(const std::string& text, std::size_t indent, Split split) {
    const std::u32string characters = ToUtf32(text);
    const TextFacts facts = FactsOf(characters);
    const bool in_one_line = split == Split::kNo && facts.is_multiline;
    if (facts.may_be_plain && !characters.empty() && !IsReadAsAnotherKind(text)) {
      WritePlain(characters, indent, split);
    } else if (facts.may_be_single_quoted && !in_one_line) {
      WriteSingleQuoted(characters, indent, split);
    } else {
      WriteDoubleQuoted(characters, indent, split);
    }
  }

  // Words and the single spaces between them; a line is left at a space once it is too long.
  void WritePlain(Text text, std::size_t indent, Split split) {
    Space();
    std::size_t start = 0;
    for (std::size_t end = 0; end <= text.size(); ++end) {
      const bool is_end = end == text.size() || (end > start && (text[end] == U' ') != (text[start] == U' '));
      if (!is_end || start == end) continue;
      const bool is_one_space = text[start] == U' ' && start + 1 == end;
      if (is_one_space && column_ > kLineColumns && split == Split::kYes) {
        BreakTo(indent + kYamlIndentColumns);
      } else {
        PutText(text.substr(start, end - start));
      }
      start = end;
    }
  }

  void WriteSingleQuoted(Text text, std::size_t indent, Split split) {
    Space();
    Put("'");
    std::size_t start = 0;
    while (start < text.size()) {
      const auto kind = [&](std::size_t i) { return text[i] == U' ' ? 1 : IsBreak(text[i]) ? 2 : 0; };
      std::size_t end = start + 1;
      while (end < text.size() && kind(end) == kind(start)) ++end;
      if (kind(start) == 1) {
        const bool is_inside = start + 1 == end && start != 0 && end != text.size();
        if (is_inside && column_ > kLineColumns && split == Split::kYes) {
          BreakTo(indent + kYamlIndentColumns);
        } else {
          PutText(text.substr(start, end - start));
        }
      } else if (kind(start) == 2) {
        // One break inside quotes is read as a space, so there is one more of them.
        if (text[start] == U'\n') Break();
        for (std::size_t i = start; i < end; ++i) Break();
        BreakTo(indent + kYamlIndentColumns);
      } else {
        for (std::size_t i = start; i < end; ++i) {
          if (text[i] == U'\'') Put("'");
          PutText(text.substr(i, 1));
        }
      }
      start = end;
    }
    Put("'");
  }

  void WriteDoubleQuoted(Text text, std::size_t indent, Split split) {
    Space();
    Put("\"");
    std::size_t start = 0;  // of what is not written yet
    for (std::size_t end = 0; end <= text.size(); ++end) {
      const bool is_last = end == text.size();
      if (is_last || text[end] == U'"' || text[end] == U'\\' || !IsPrintableAscii(text[end])) {
        PutText(text.substr(start, end - start));
        start = end;
        if (!is_last) {
          Put(EscapeOf(text[end]));
          start = end + 1;
        }
      }
      const bool is_inside = end > 0 && end + 1 < text.size();
      if (!is_inside || (text[end] != U' ' && start < end) || split == Split::kNo) continue;
      const std::size_t unwritten = end > start ? end - start : 0;
      if (column_ + end - start <= kLineColumns) continue;
      PutText(text.substr(start, unwritten));
      if (unwritten > 0) start = end;
      Put("\\");
      BreakTo(indent + kYamlIndentColumns);
      if (text[start] == U' ') Put("\\");
    }
    Put("\"");
  }

  void Put(std::string_view ascii) {
    out_ += ascii;
    column_ += ascii.size();
    after_blank_ = false;
    before_text_ = false;
  }
  void PutText(Text text) {
    for (const char32_t c : text) AppendUtf8(c, out_);
    column_ += text.size();
    if (text.empty()) return;
    after_blank_ = false;
    before_text_ = false;
  }
  // The space between an indicator and what follows it.
  void Space() {
    if (!after_blank_) Put(" ");
  }
  // "-", "?" or ":" before a node that may begin on the same line.
  void WriteIndicator(std::string_view indicator) {
    const bool was_before_text = before_text_;
    Space();
    Put(indicator);
    before_text_ = was_before_text;
  }
  void Break() {
    out_ += '\n';
    column_ = 0;
    after_blank_ = true;
    before_text_ = true;
  }
  // To the column `indent`, on this line if nothing but blanks and indicators stand before it there.
  void BreakTo(std::size_t indent) {
    if (!before_text_ || column_ > indent || (column_ == indent && !after_blank_)) Break();
    if (column_ >= indent) return;
    out_.append(indent - column_, ' ');
    column_ = indent;
    after_blank_ = true;
  }

  std::string& out_;
  std::size_t column_ = 0;
  bool after_blank_ = true;
  bool before_text_ = true;  // nothing but blanks and indicators stand on the line
};

void Emitter::WriteScalar(const Value& value, std::size_t indent) {
  switch (value.kind()) {
    case ValueKind::kString:
      WriteText(value.AsString(), indent, Split::kYes);
      return;
    case ValueKind::kBool:
      return PutWord(value.AsBool() ? "true" : "false");
    case ValueKind::kInt:
      return PutWord(std::to_string(value.AsInt()));
    case ValueKind::kDouble:
      return PutWord(FloatText(value.AsNumber()));
    case ValueKind::kDate:
      return PutWord(DateText(value.AsDate()));
    case ValueKind::kBinary:
      return PutWord(fmt::format("!!binary \"{}\"", EncodeBase64(value.AsBinary().bytes)));
    case ValueKind::kList:
      return PutWord("[]");
    case ValueKind::kMap:
      return PutWord("{}");
    case ValueKind::kUndefined:
    case ValueKind::kNull:
      return PutWord("null");
  }
}

}  // namespace

std::string WritePythonYaml(const Map& document) {
  std::string out;
  Emitter emitter(out);
  if (document.empty()) return "{}\n";
  emitter.WriteMembers(document, 0);
  emitter.End();
  return out;
}

void AppendPythonYamlMember(std::string_view key, const Value& value, std::string& out) {
  Emitter emitter(out);
  emitter.WriteMember(std::string(key), value, 0);
  emitter.End();
}

}  // namespace assay
