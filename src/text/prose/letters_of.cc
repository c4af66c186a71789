// Asks Unicode's properties, by ICU, for each letter of a text.
#include "text/prose/letters_of.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <string>

#include "base/text/utf8.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

enum class CaseOf { kNone, kUpper, kLower, kTitle };

CaseOf CaseOfLetter(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  if (u_charType(c) == U_TITLECASE_LETTER) return CaseOf::kTitle;
  if (u_isUUppercase(c)) return CaseOf::kUpper;
  return u_isULowercase(c) ? CaseOf::kLower : CaseOf::kNone;
}

bool Fits(CaseOf found, LetterCase wanted) {
  if (wanted == LetterCase::kLower) return found == CaseOf::kLower;
  return found == CaseOf::kUpper || (wanted == LetterCase::kTitle && found == CaseOf::kTitle);
}

}  // namespace

bool HasCase(std::string_view text, LetterCase wanted) {
  bool has_cased = false;
  bool is_settled = false;  // of a title's word: its first cased letter has stood
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    at += next.size_bytes;
    if (IsJsSpace(next.code_point)) is_settled = false;
    const CaseOf found = CaseOfLetter(next.code_point);
    if (found == CaseOf::kNone || is_settled) continue;
    if (!Fits(found, wanted)) return false;
    has_cased = true;
    is_settled = wanted == LetterCase::kTitle;
  }
  return has_cased;
}

std::optional<int> ScriptOf(std::string_view name) {
  const int32_t script = u_getPropertyValueEnum(UCHAR_SCRIPT, std::string(name).c_str());
  if (script == UCHAR_INVALID_CODE || script == USCRIPT_COMMON || script == USCRIPT_INHERITED) return {};
  return script;
}

std::optional<double> ShareInScripts(std::string_view text, const std::vector<int>& scripts) {
  std::size_t letters = 0;
  std::size_t inside = 0;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    at += next.size_bytes;
    const auto c = static_cast<UChar32>(next.code_point);
    if ((U_GET_GC_MASK(c) & U_GC_L_MASK) == 0) continue;
    UErrorCode status = U_ZERO_ERROR;
    const int script = uscript_getScript(c, &status);
    if (U_FAILURE(status) || script == USCRIPT_COMMON || script == USCRIPT_INHERITED) continue;
    ++letters;
    if (std::find(scripts.begin(), scripts.end(), script) != scripts.end()) ++inside;
  }
  if (letters == 0) return {};
  return static_cast<double>(inside) / static_cast<double>(letters);
}

}  // namespace assay
