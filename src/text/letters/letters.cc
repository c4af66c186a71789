// Classifies code points and removes accents by ICU.
#include "text/letters/letters.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

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

}  // namespace

SearchLetter SearchLetterOf(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  if (c >= kFirstMark && c <= kLastMark) return {WordPart::kMark, 0};
  if (!IsAlphanumeric(c)) return {};
  return {WordPart::kLetter, static_cast<char32_t>(WithoutAccent(u_tolower(c)))};
}

}  // namespace assay
