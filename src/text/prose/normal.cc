// Removes letter case, accents, marks, articles and blanks, each in one pass over the text.
#include "text/prose/normal.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <array>

#include "base/errors/assert.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

// ASCII's marks: all that is printed and neither a letter nor a digit.
bool IsAsciiMark(char32_t c) { return c > ' ' && c < 0x7f && !IsAsciiAlphanumeric(c); }

bool IsSymbol(char32_t c) {
  if (c < 0x80) return IsAsciiMark(c);
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_P_MASK | U_GC_S_MASK)) != 0;
}

template <class Goes>
std::string Without(std::string_view text, const Goes& goes) {
  std::string kept;
  kept.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    if (!goes(next.code_point)) kept.append(text.substr(at, next.size_bytes));
    at += next.size_bytes;
  }
  return kept;
}

std::u16string Normalized(const UNormalizer2* form, const std::u16string& units) {
  UErrorCode status = U_ZERO_ERROR;
  const auto size = static_cast<int32_t>(units.size());
  std::u16string out(units.size() * 2 + 16, u'\0');
  int32_t length =
      unorm2_normalize(form, units.data(), size, out.data(), static_cast<int32_t>(out.size()), &status);
  if (status == U_BUFFER_OVERFLOW_ERROR) {
    status = U_ZERO_ERROR;
    out.resize(static_cast<std::size_t>(length));
    length = unorm2_normalize(form, units.data(), size, out.data(), length, &status);
  }
  if (U_FAILURE(status)) return units;
  out.resize(static_cast<std::size_t>(length));
  return out;
}

std::string WithoutAccents(std::string text) {
  if (IsAscii(text)) return text;
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* apart = unorm2_getNFDInstance(&status);
  const UNormalizer2* composed = unorm2_getNFCInstance(&status);
  if (U_FAILURE(status)) return text;
  const std::string bare = Without(ToUtf8(Normalized(apart, ToUtf16(text))), [](char32_t c) {
    return u_charType(static_cast<UChar32>(c)) == U_NON_SPACING_MARK;
  });
  return ToUtf8(Normalized(composed, ToUtf16(bare)));
}

std::string WithoutArticles(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    DecodedCodePoint next = DecodeUtf8(text, at);
    const bool is_word = IsWordLetter(next.code_point);
    while (at < text.size() && IsWordLetter(next.code_point) == is_word) {
      at += next.size_bytes;
      next = DecodeUtf8(text, at);
    }
    const std::string_view run = text.substr(start, at - start);
    const bool is_article = run == "a" || run == "an" || run == "the";
    out.append(is_article ? std::string_view(" ") : run);
  }
  return out;
}

std::string WithSingleBlanks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool in_blank = false;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    const bool is_blank = IsJsSpace(next.code_point);
    if (is_blank && !in_blank) out += ' ';
    if (!is_blank) out.append(text.substr(at, next.size_bytes));
    in_blank = is_blank;
    at += next.size_bytes;
  }
  return out;
}

Result<std::string> Dropped(std::string text, const JsRegex& pattern) {
  RegexSubject subject(text);
  ASSAY_TRY(const std::vector<TextRange> matches, pattern.FindAll(subject));
  std::string kept;
  std::size_t from = 0;
  for (const TextRange& match : matches) {
    kept.append(text, from, match.from - from);
    from = match.to;
  }
  kept.append(text, from);
  return kept;
}

}  // namespace

bool IsWordLetter(char32_t c) {
  if (c < 0x80) return IsAsciiAlphanumeric(c) || c == '_';
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
}

NormalRules SquadRules() {
  return {.lower = true, .no_punctuation = true, .no_articles = true, .one_blank = true};
}

std::string PlainForm(std::string_view given, const NormalRules& rules) {
  std::string text(given);
  if (rules.lower) text = JsToLower(text);
  if (rules.no_accents) text = WithoutAccents(std::move(text));
  if (rules.no_symbols) text = Without(text, IsSymbol);
  if (rules.no_punctuation) text = Without(text, IsAsciiMark);
  if (rules.no_digits) text = Without(text, IsAsciiDigit<char32_t>);
  if (rules.no_articles) text = WithoutArticles(text);
  if (rules.one_blank) text = WithSingleBlanks(text);
  return rules.trim ? std::string(JsTrim(text)) : text;
}

Result<std::string> NormalForm(std::string_view given, const NormalRules& rules) {
  if (rules.drop.empty()) return PlainForm(given, rules);
  std::string text(given);
  for (const std::shared_ptr<const JsRegex>& pattern : rules.drop) {
    ASSAY_TRY(text, Dropped(std::move(text), *pattern));
  }
  return PlainForm(text, rules);
}

std::vector<std::string_view> BlankWords(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t start = 0;
  const auto end_word = [&](std::size_t end) {
    if (end > start) words.push_back(text.substr(start, end - start));
  };
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    if (IsJsSpace(next.code_point)) {
      end_word(at);
      start = at + next.size_bytes;
    }
    at += next.size_bytes;
  }
  end_word(text.size());
  return words;
}

}  // namespace assay
