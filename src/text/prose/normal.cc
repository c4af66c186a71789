// Removes letter case, accents, marks, articles and blanks, each in one pass over the text and in its place.
#include "text/prose/normal.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/errors/assert.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

// What holds of each letter of ASCII.
template <class Holds>
constexpr std::array<bool, 128> AsciiTable(const Holds& holds) {
  std::array<bool, 128> table{};
  for (char32_t c = 0; c < 128; ++c) table[c] = holds(c);
  return table;
}

// ASCII's marks: all that is printed and neither a letter nor a digit.
constexpr std::array<bool, 128> kAsciiMarks =
    AsciiTable([](char32_t c) { return c > ' ' && c < 0x7f && !IsAsciiAlphanumeric(c); });
constexpr std::array<bool, 128> kAsciiWordLetters =
    AsciiTable([](char32_t c) { return IsAsciiAlphanumeric(c) || c == '_'; });

bool IsSymbol(char32_t c) {
  if (c < 0x80) return kAsciiMarks[c];
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_P_MASK | U_GC_S_MASK)) != 0;
}

bool IsBlankLetter(char32_t c) { return c < 0x80 ? c == ' ' || (c >= '\t' && c <= '\r') : IsJsSpace(c); }

// Most texts are ASCII for long stretches, whose letters need no decoding.
DecodedCodePoint LetterAt(std::string_view text, std::size_t at) {
  const auto byte = at < text.size() ? static_cast<unsigned char>(text[at]) : 0x80;
  return byte < 0x80 ? DecodedCodePoint{static_cast<char32_t>(byte), 1} : DecodeUtf8(text, at);
}

// Makes a text shorter in its place: what is kept moves to the left.
class Shortened {
 public:
  explicit Shortened(std::string& text) : text_(text) {}
  ~Shortened() { text_.resize(size_); }
  Shortened(const Shortened&) = delete;
  Shortened& operator=(const Shortened&) = delete;

  // Not more than what was read so far.
  void Keep(std::size_t from, std::size_t size) {
    char* data = text_.data();
    if (size == 1) {
      data[size_] = data[from];
    } else if (size_ != from) {
      std::memmove(data + size_, data + from, size);
    }
    size_ += size;
  }
  void KeepBlank() { text_.data()[size_++] = ' '; }

 private:
  std::string& text_;
  std::size_t size_ = 0;
};

template <class Goes>
void Drop(std::string& text, const Goes& goes) {
  Shortened kept(text);
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = LetterAt(text, at);
    if (!goes(next.code_point)) kept.Keep(at, next.size_bytes);
    at += next.size_bytes;
  }
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
  std::string bare = ToUtf8(Normalized(apart, ToUtf16(text)));
  Drop(bare, [](char32_t c) { return u_charType(static_cast<UChar32>(c)) == U_NON_SPACING_MARK; });
  return ToUtf8(Normalized(composed, ToUtf16(bare)));
}

void DropArticles(std::string& text) {
  Shortened kept(text);
  const std::string_view all = text;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t start = at;
    DecodedCodePoint next = LetterAt(all, at);
    const bool is_word = IsWordLetter(next.code_point);
    while (at < all.size()) {
      const auto byte = static_cast<unsigned char>(all[at]);
      next = LetterAt(all, at);
      if ((byte < 0x80 ? kAsciiWordLetters[byte] : IsWordLetter(next.code_point)) != is_word) break;
      at += next.size_bytes;
    }
    const std::string_view run = all.substr(start, at - start);
    const bool is_article = is_word && run.size() <= 3 && (run == "a" || run == "an" || run == "the");
    if (is_article) {
      kept.KeepBlank();
    } else {
      kept.Keep(start, run.size());
    }
  }
}

void JoinBlanks(std::string& text) {
  Shortened kept(text);
  bool in_blank = false;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = LetterAt(text, at);
    const bool is_blank = IsBlankLetter(next.code_point);
    if (is_blank && !in_blank) kept.KeepBlank();
    if (!is_blank) kept.Keep(at, next.size_bytes);
    in_blank = is_blank;
    at += next.size_bytes;
  }
}

void LowerInPlace(std::string& text) {
  if (!IsAscii(text)) {
    text = JsToLower(text);
    return;
  }
  for (char& c : text) c = AsciiLower(c);
}

void TrimInPlace(std::string& text) {
  const std::string_view trimmed = JsTrim(text);
  const auto start = static_cast<std::size_t>(trimmed.data() - text.data());
  text.resize(start + trimmed.size());
  text.erase(0, start);
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
  if (c < 0x80) return kAsciiWordLetters[c];
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
}

NormalRules SquadRules() {
  return {.lower = true, .no_punctuation = true, .no_articles = true, .one_blank = true};
}

std::string PlainForm(std::string_view given, const NormalRules& rules) {
  std::string text(given);
  if (rules.lower) LowerInPlace(text);
  if (rules.no_accents) text = WithoutAccents(std::move(text));
  if (rules.no_symbols) Drop(text, IsSymbol);
  if (rules.no_punctuation) Drop(text, [](char32_t c) { return c < 0x80 && kAsciiMarks[c]; });
  if (rules.no_digits) Drop(text, IsAsciiDigit<char32_t>);
  if (rules.no_articles) DropArticles(text);
  if (rules.one_blank) JoinBlanks(text);
  if (rules.trim) TrimInPlace(text);
  return text;
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
    const DecodedCodePoint next = LetterAt(text, at);
    if (IsBlankLetter(next.code_point)) {
      end_word(at);
      start = at + next.size_bytes;
    }
    at += next.size_bytes;
  }
  end_word(text.size());
  return words;
}

}  // namespace assay
