// Classifies code points, removes accents, and composes letters by ICU.
#include "text/letters/letters.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text/utf8.h"

namespace assay {

namespace {

constexpr UChar32 kFirstMark = 0x300;
constexpr UChar32 kLastMark = 0x36f;

bool IsAlphanumeric(UChar32 c) {
  return (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_N_MASK | U_GC_CO_MASK)) != 0;
}

// The base letter of one that has a single accent; else the letter itself.
UChar32 WithoutAccent(UChar32 c) {
  if (c < 0xc0) return c;
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* forms = unorm2_getNFDInstance(&status);
  if (U_FAILURE(status)) return c;
  UChar parts[8];
  const int32_t size = unorm2_getRawDecomposition(forms, c, parts, 8, &status);
  if (U_FAILURE(status) || size != 2 || parts[1] < kFirstMark || parts[1] > kLastMark) return c;
  // Letters that carry several accents keep them all, as in FTS5.
  const int32_t inner = unorm2_getRawDecomposition(forms, parts[0], parts + 2, 6, &status);
  return inner < 0 && u_isalpha(parts[0]) ? parts[0] : c;
}

struct Alike {
  char32_t first;
  char32_t last;
  char plain;
};
constexpr Alike kAlikes[] = {
    {0x00B4, 0x00B4, '\''}, {0x02B9, 0x02BC, '\''}, {0x02C8, 0x02C8, '\''}, {0x2010, 0x2015, '-'},
    {0x2018, 0x201B, '\''}, {0x201C, 0x201F, '"'},  {0x2032, 0x2032, '\''}, {0x2033, 0x2033, '"'},
    {0x2212, 0x2212, '-'},  {0xFE58, 0xFE58, '-'},  {0xFE63, 0xFE63, '-'},  {0x00AB, 0x00AB, '"'},
    {0x00BB, 0x00BB, '"'},
};

// 0: it goes. ASCII stays.
char32_t PlainOf(char32_t point) {
  if (point < 0x80) return point;
  for (const Alike& alike : kAlikes) {
    if (point >= alike.first && point <= alike.last) return static_cast<char32_t>(alike.plain);
  }
  const auto c = static_cast<UChar32>(point);
  if (u_charType(c) == U_SPACE_SEPARATOR) return ' ';
  return u_charType(c) == U_FORMAT_CHAR || u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ? 0
                                                                                                      : point;
}

std::string WithPlainMarks(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    if (const char32_t point = PlainOf(next.code_point); point != 0) AppendUtf8(point, plain);
    at += next.size_bytes;
  }
  return plain;
}

bool IsAllAscii(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; });
}

// The text itself where it cannot be composed.
std::string Composed(std::string text) {
  if (IsAllAscii(text)) return text;
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* forms = unorm2_getNFKCInstance(&status);
  std::vector<UChar> units(text.size() + 1);
  int32_t length = 0;
  u_strFromUTF8WithSub(units.data(), static_cast<int32_t>(units.size()), &length, text.data(),
                       static_cast<int32_t>(text.size()), 0xFFFD, nullptr, &status);
  if (U_FAILURE(status)) return text;
  std::vector<UChar> composed(static_cast<std::size_t>(length) * 18 + 1);  // no character becomes longer
  const int32_t size = unorm2_normalize(forms, units.data(), length, composed.data(),
                                        static_cast<int32_t>(composed.size()), &status);
  std::string bytes(static_cast<std::size_t>(std::max(size, 0)) * 3 + 1, '\0');
  int32_t written = 0;
  u_strToUTF8(bytes.data(), static_cast<int32_t>(bytes.size()), &written, composed.data(), size, &status);
  if (U_FAILURE(status)) return text;
  bytes.resize(static_cast<std::size_t>(written));
  return bytes;
}

}  // namespace

SearchLetter SearchLetterOf(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  if (c >= kFirstMark && c <= kLastMark) return {WordPart::kMark, 0};
  if (!IsAlphanumeric(c)) return {};
  return {WordPart::kLetter, static_cast<char32_t>(WithoutAccent(u_tolower(c)))};
}

SignKind SignKindOf(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  const auto kind = U_GET_GC_MASK(c);
  if ((kind & (U_GC_L_MASK | U_GC_M_MASK)) != 0) return SignKind::kLetter;
  if ((kind & U_GC_ND_MASK) != 0) return SignKind::kDigit;
  if ((kind & U_GC_ZS_MASK) != 0) return SignKind::kBlank;
  const bool is_pause =
      u_hasBinaryProperty(c, UCHAR_TERMINAL_PUNCTUATION) != 0 || u_hasBinaryProperty(c, UCHAR_S_TERM) != 0;
  return is_pause ? SignKind::kPause : SignKind::kOther;
}

bool HoldsOpenBracket(std::string_view text) {
  std::map<UChar32, int> open;  // by the bracket that closes
  bool is_behind_letter = false;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    const auto c = static_cast<UChar32>(next.code_point);
    at += next.size_bytes;
    const int8_t kind = u_charType(c);
    const bool has_pair = u_getBidiPairedBracket(c) != c;
    const bool opens = kind == U_INITIAL_PUNCTUATION || kind == U_START_PUNCTUATION;
    if (opens && !has_pair && !is_behind_letter) return true;
    if (opens && has_pair) ++open[u_getBidiPairedBracket(c)];
    if (kind == U_END_PUNCTUATION && has_pair) --open[c];
    is_behind_letter = u_isalnum(c);
  }
  return std::any_of(open.begin(), open.end(), [](const auto& each) { return each.second > 0; });
}

std::string NearForm(std::string_view text) { return Composed(WithPlainMarks(text)); }

std::string NearPoints(std::string_view text, std::size_t most) {
  std::vector<char32_t> points;
  for (std::size_t at = 0; at < text.size() && points.size() < most;) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    const std::string_view one = text.substr(at, next.size_bytes);
    at += next.size_bytes;
    const auto c = static_cast<UChar32>(next.code_point);
    const bool is_mark = (U_GET_GC_MASK(c) & U_GC_MN_MASK) != 0;
    if (next.code_point < 0x80 || (!is_mark && NearForm(one) == one)) continue;
    if (std::find(points.begin(), points.end(), next.code_point) == points.end())
      points.push_back(next.code_point);
  }
  std::string told;
  for (const char32_t point : points)
    told += fmt::format("{}U+{:04X}", told.empty() ? "" : ", ", static_cast<std::uint32_t>(point));
  return told;
}

}  // namespace assay
