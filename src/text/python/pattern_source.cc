// Cuts patterns into tokens, and words errors as CPython's sre parser does.
#include "text/python/pattern_source.h"

#include <fmt/core.h>
#include <unicode/uchar.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "text/python/pattern.h"
#include "text/python/repr.h"

namespace assay {

namespace {

std::u32string WrittenToken(PythonPatternToken token) {
  return token.is_escaped ? std::u32string{U'\\', token.c} : std::u32string{token.c};
}

}  // namespace

bool IsPythonIdentifier(std::u32string_view name) {
  const auto has = [](char32_t c, UProperty property) {
    return u_hasBinaryProperty(static_cast<UChar32>(c), property) != 0;
  };
  if (name.empty() || !(name[0] == '_' || has(name[0], UCHAR_XID_START))) return false;
  return std::all_of(name.begin(), name.end(), [&](char32_t c) { return has(c, UCHAR_XID_CONTINUE); });
}

std::string Utf8Of(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) AppendUtf8(c, out);
  return out;
}

std::string PythonReprOf(std::u32string_view text) { return PythonReprText(Utf8Of(text)); }

PythonPatternSource::PythonPatternSource(std::string_view pattern) : pattern_(pattern) {
  for (std::size_t at = 0; at < pattern_.size();) {
    Token token;
    token.position = size_;
    DecodedCodePoint decoded = DecodeUtf8(pattern_, at);
    at += decoded.size_bytes;
    if (decoded.code_point == '\\') {
      if (at == pattern_.size()) {
        ends_in_backslash_ = true;
        return;
      }
      decoded = DecodeUtf8(pattern_, at);
      at += decoded.size_bytes;
      token.is_escaped = true;
    }
    token.c = decoded.code_point;
    tokens_.push_back(token);
    size_ += token.size();
  }
}

bool PythonPatternSource::Accept(char32_t plain) {
  if (!Peek().Is(plain)) return false;
  ++at_;
  return true;
}

Result<std::u32string> PythonPatternSource::Until(char32_t terminator, std::string_view what) {
  std::u32string text;
  while (!AtEnd()) {
    const Token token = Take();
    if (token.Is(terminator)) {
      if (text.empty()) return Refuse(fmt::format("missing {}", what), 1);
      return text;
    }
    text += WrittenToken(token);
  }
  if (text.empty()) return Refuse(fmt::format("missing {}", what));
  return Refuse(fmt::format("missing {}, unterminated name", static_cast<char>(terminator)), text.size());
}

std::size_t PythonPatternSource::StartOf(std::size_t index) const {
  return index < tokens_.size() ? tokens_[index].position : size_;
}

std::string PythonPatternSource::Written(std::size_t index) const {
  std::u32string wide;
  for (std::size_t i = index; i < at_ && i < tokens_.size(); ++i) wide += WrittenToken(tokens_[i]);
  return Utf8Of(wide);
}

std::size_t PythonPatternSource::EscapeStart() const {
  std::size_t start = at_ - 1;
  while (start > 0 && !tokens_[start].is_escaped) --start;
  return start;
}

Error PythonPatternSource::NotAPattern(std::string_view words) {
  return {.code = ErrorCode::kInvalidInput, .message = fmt::format("{}{}", kNotAPythonPattern, words)};
}

Error PythonPatternSource::RefuseAt(std::string_view words, std::size_t position) const {
  std::string text = fmt::format("{} at position {}", words, position);
  if (pattern_.find('\n') == std::string_view::npos) return NotAPattern(text);
  std::size_t line = 1;
  std::size_t column = position + 1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < position && at < pattern_.size(); ++i) {
    const DecodedCodePoint decoded = DecodeUtf8(pattern_, at);
    at += decoded.size_bytes;
    if (decoded.code_point != '\n') continue;
    ++line;
    column = position - i;
  }
  return NotAPattern(fmt::format("{} (line {}, column {})", text, line, column));
}

Error PythonPatternSource::Refuse(std::string_view words, std::size_t back) const {
  // Python looks one token ahead, and stumbles over a last backslash before anything else.
  if (EndsInBackslash()) return RefuseAt("bad escape (end of pattern)", size_);
  return RefuseAt(words, Position() - back);
}

Error PythonPatternSource::UnknownExtension(std::string_view before, Token token) const {
  const std::u32string written = WrittenToken(token);
  return Refuse(fmt::format("unknown extension ?{}{}", before, Utf8Of(written)),
                written.size() + before.size() + 1);
}

Error PythonPatternSource::BadRange(Token first, Token last) const {
  const std::string words =
      fmt::format("bad character range {}-{}", Utf8Of(WrittenToken(first)), Utf8Of(WrittenToken(last)));
  return Refuse(words, first.size() + 1 + last.size());
}

Status PythonPatternSource::CheckGroupName(std::u32string_view name) const {
  if (IsPythonIdentifier(name)) return Ok();
  return Refuse(fmt::format("bad character in group name {}", PythonReprOf(name)), name.size() + 1);
}

}  // namespace assay
