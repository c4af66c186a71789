// Reads and follows paths into rows.
#include "text/template/path.h"

#include <charconv>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/letters/letters.h"

namespace assay {

namespace {

bool IsPathNamePart(char32_t c, bool is_first) {
  if (c == U'_') return true;
  const SignKind kind = SignKindOf(c);
  return kind == SignKind::kLetter || (!is_first && kind == SignKind::kDigit);
}

std::string_view ReadPathName(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  while (at < text.size()) {
    const DecodedCodePoint decoded = DecodeUtf8(text, at);
    if (!IsPathNamePart(decoded.code_point, at == start)) break;
    at += decoded.size_bytes;
  }
  return text.substr(start, at - start);
}

bool ReadPathIndex(std::string_view text, std::size_t& at, RowPath& path) {
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), index);
  if (error != std::errc()) return false;
  at = static_cast<std::size_t>(end - text.data());
  path.steps.emplace_back(index);
  return true;
}

bool ReadPathBrackets(std::string_view text, std::size_t& at, RowPath& path) {
  const std::size_t open = at++;
  bool is_read = false;
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
    std::optional<std::string> name = ReadQuotedText(text, at);
    is_read = name.has_value();
    if (name) path.steps.emplace_back(*std::move(name));
  } else {
    is_read = ReadPathIndex(text, at, path);
  }
  if (is_read && at < text.size() && text[at] == ']') {
    ++at;
    return true;
  }
  at = open;
  return false;
}

const Value& NothingThere() {
  static const Value null(Null{});
  return null;
}

}  // namespace

std::optional<std::string> ReadQuotedText(std::string_view text, std::size_t& at) {
  const char quote = text[at++];
  std::string out;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (c == quote) {
      ++at;
      return out;
    }
    if (c == '\\' && at + 1 < text.size()) {
      constexpr std::string_view kEscapes = "ntr\"'\\";
      constexpr std::string_view kMeanings = "\n\t\r\"'\\";
      if (const std::size_t which = kEscapes.find(text[at + 1]); which != std::string_view::npos) {
        c = kMeanings[which];
        ++at;
      }
    }
    out += c;
  }
  return std::nullopt;
}

std::optional<RowPath> ReadRowPath(std::string_view text, std::size_t& at) {
  RowPath path;
  path.name = ReadPathName(text, at);
  if (path.name.empty()) return std::nullopt;
  while (at < text.size()) {
    if (text[at] == '.') {
      std::size_t behind = at + 1;
      const std::string_view name = ReadPathName(text, behind);
      if (name.empty()) return std::nullopt;
      path.steps.emplace_back(std::string(name));
      at = behind;
    } else if (text[at] == '[') {
      if (!ReadPathBrackets(text, at, path)) return std::nullopt;
    } else {
      break;
    }
  }
  return path;
}

std::optional<const Value*> FindAt(const Map& row, const RowPath& path) {
  const Value* value = row.Find(path.name);
  for (const auto& step : path.steps) {
    if (value == nullptr || value->is_nullish()) break;
    if (const auto* name = std::get_if<std::string>(&step)) {
      if (!value->is_map()) return std::nullopt;
      value = value->Find(*name);
      continue;
    }
    if (!value->is_list()) return std::nullopt;
    const auto size = static_cast<std::int64_t>(value->AsList().size());
    const std::int64_t asked = std::get<std::int64_t>(step);
    const std::int64_t place = asked < 0 ? asked + size : asked;
    value = place < 0 || place >= size ? nullptr : &value->AsList()[static_cast<std::size_t>(place)];
  }
  return value == nullptr || value->is_nullish() ? &NothingThere() : value;
}

}  // namespace assay
