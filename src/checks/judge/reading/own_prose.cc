// Walks over the lines of a text by the kinds of their signs, which are Unicode's; knows no language.
#include "checks/judge/reading/own_prose.h"

#include <algorithm>
#include <string>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "checks/judge/reading/quotations.h"
#include "text/javascript/text.h"
#include "text/letters/indent.h"
#include "text/letters/letters.h"

namespace assay {
namespace {

constexpr std::string_view kEmphasis = "*_";

// "ˋˋˋ": signs that Unicode counts as letters and that begin no word.
bool IsSpacingModifier(char32_t sign) { return sign >= 0x02B0 && sign <= 0x02FF; }

// The word that a line begins with, and the sign behind it.
struct FirstWord {
  std::size_t letters = 0;
  bool is_word = false;  // its first sign is a letter
  bool has_digit = false;
  bool is_roman = true;  // "iv"
  char32_t next = 0;     // 0: the line ends
};
FirstWord FirstWordOf(std::string_view line) {
  constexpr std::string_view kRoman = "ivxlcdm";
  FirstWord word;
  for (std::size_t at = 0; at < line.size();) {
    const DecodedCodePoint sign = DecodeUtf8(line, at);
    const SignKind kind = SignKindOf(sign.code_point);
    if (kind != SignKind::kLetter && kind != SignKind::kDigit) {
      word.next = sign.code_point;
      break;
    }
    if (at == 0) word.is_word = kind == SignKind::kLetter && !IsSpacingModifier(sign.code_point);
    word.has_digit = word.has_digit || kind == SignKind::kDigit;
    const std::string lower = AsciiLower(line.substr(at, 1));
    word.is_roman = word.is_roman && kRoman.find(lower) != std::string_view::npos;
    ++word.letters;
    at += sign.size_bytes;
  }
  return word;
}

// False for "(1) ", "① ", "• ", "> ", and for "a. ", "iv. ", "B2) ", "甲、".
bool BeginsAsSentence(std::string_view line) {
  constexpr std::size_t kEmphasisMax = 3;
  constexpr char32_t kListComma = 0x3001;
  const std::size_t begin = line.find_first_not_of(kEmphasis);
  if (begin == std::string_view::npos || begin > kEmphasisMax) return false;  // a rule: "***"
  const FirstWord word = FirstWordOf(line.substr(begin));
  if (!word.is_word || word.next == U')' || word.next == kListComma) return false;
  const bool is_item = word.letters == 1 || word.has_digit || (word.is_roman && word.next == U'.');
  return !is_item || word.next == 0 || word.next == U'\'' || word.next == U'-' ||
         SignKindOf(word.next) == SignKind::kBlank;
}

bool HoldsProseSigns(std::string_view line) {
  constexpr std::string_view kOthers = "'()%/-*_";
  for (std::size_t at = 0; at < line.size();) {
    const DecodedCodePoint sign = DecodeUtf8(line, at);
    const bool is_other = SignKindOf(sign.code_point) == SignKind::kOther;
    if (is_other && (sign.code_point >= 0x80 || kOthers.find(line[at]) == std::string_view::npos))
      return false;
    at += sign.size_bytes;
  }
  return line.find("..") == std::string_view::npos && line.find("//") == std::string_view::npos;
}

// Whether a colon stands where words follow it on the line, or lines do: "AI: Fine.", "It says:".
bool Introduces(std::string_view line, bool is_last) {
  for (std::size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    const bool is_in_number =
        at > 0 && at + 1 < line.size() && IsAsciiDigit(line[at - 1]) && IsAsciiDigit(line[at + 1]);
    const bool is_end = JsTrim(line.substr(at + 1)).find_first_not_of(kEmphasis) == std::string_view::npos;
    if (!is_in_number && !(is_end && is_last)) return true;
  }
  return false;
}

// "AI - Fine.", "The answer -- fine."
bool BeginsWithName(std::string_view line) {
  constexpr std::size_t kWordsMax = 3;
  const std::size_t dash = std::min(line.find(" -"), line.find("- "));
  return dash != std::string_view::npos &&
         static_cast<std::size_t>(
             std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(dash), ' ')) < kWordsMax;
}

// A blank that is not ASCII, such as U+3000: an indent of its own kind.
bool BeginsWithWideBlank(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  return !line.empty() && static_cast<unsigned char>(line[0]) >= 0x80 &&
         SignKindOf(DecodeUtf8(line, 0).code_point) == SignKind::kBlank;
}

template <class Holds>
bool AllLines(std::string_view text, Holds holds) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (!JsTrim(line).empty() && !holds(line, JsTrim(text.substr(std::min(at, text.size()))).empty()))
      return false;
  }
  return true;
}

}  // namespace

bool ReadsAsOwnProse(std::string_view text) {
  const auto begins_plain = [](std::string_view line, bool) {
    return IndentOf(line) < kBlockIndent && BeginsAsSentence(JsTrim(line));
  };
  const auto goes_on_plain = [](std::string_view line, bool is_last) {
    const std::string_view words = JsTrim(line);
    return HoldsProseSigns(words) && !Introduces(words, is_last) && !BeginsWithName(words);
  };
  const auto begins_narrow = [](std::string_view line, bool) { return !BeginsWithWideBlank(line); };
  return ClosesMarks(text) && AllLines(text, begins_narrow) && AllLines(NearForm(text), begins_plain) &&
         AllLines(NearForm(WithoutQuotations(text)), goes_on_plain);
}

}  // namespace assay
