// The text families `contains_word` and `icontains_word`: a text that no letter, digit or underscore touches.
// WordLetters and numbers are Unicode's L and N; marks are neither. An empty text is in every answer.
//
// The rule is a regular expression with look-behind (weval's own way); where pattern and answer are ASCII,
// searching and looking at the neighbours gives the same for a tenth of the time.
#include <algorithm>
#include <string>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "checks/text/text_tests.h"
#include "text/javascript/regex.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

enum class WordLetters { kExact, kAnyCase };

// What must not touch the word. In any case U+0345, a mark, folds to a letter and so counts as one; it is the
// only one, and naming it spares folding all letters of Unicode for every word.
constexpr std::string_view kTouching = "[\\p{L}\\p{N}_]";
constexpr std::string_view kTouchingAnyCase = "(?-i:[\\p{L}\\p{N}_\\u0345])";

std::string WordPattern(std::string_view word, std::string_view touching) {
  constexpr std::string_view kSpecial = ".*+?^${}()|[]\\";
  std::string pattern = "(?<!" + std::string(touching) + ")";
  for (const char c : word) {
    if (kSpecial.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + "(?!" + std::string(touching) + ")";
}

bool IsAsciiWordByte(char c) { return IsAsciiAlphanumeric(c) || c == '_'; }

TextFound FindAsciiWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !IsAsciiWordByte(text[at - 1]);
    if (starts && (end == text.size() || !IsAsciiWordByte(text[end]))) return TextRange{at, end};
  }
  return std::nullopt;
}

template <WordLetters letters>
Result<TextTest> MakeTest(std::string_view text) {
  if (text.empty()) return TextTest([](AnswerView&) -> Result<TextFound> { return TextFound(TextRange()); });
  constexpr bool kAnyCase = letters == WordLetters::kAnyCase;
  ASSAY_TRY(std::shared_ptr<const JsRegex> regex,
            JsRegex::Compile(WordPattern(text, kAnyCase ? kTouchingAnyCase : kTouching),
                             kAnyCase ? JsRegexFlags::kIgnoreCaseUnicode : JsRegexFlags::kUnicode,
                             InlineModifiers::kUnderstood));
  std::string ascii_word = !IsAscii(text) ? std::string() : kAnyCase ? JsToLower(text) : std::string(text);
  return TextTest([regex = std::move(regex),
                   ascii_word = std::move(ascii_word)](AnswerView& answer) -> Result<TextFound> {
    if (ascii_word.empty() || !answer.subject().is_ascii()) return regex->Find(answer.subject());
    return FindAsciiWord(kAnyCase ? std::string_view(answer.js_lower()) : answer.text(), ascii_word);
  });
}

}  // namespace

const TextFamily kContainsWord{MakeTest<WordLetters::kExact>, "a text", nullptr, true};
const TextFamily kIcontainsWord{MakeTest<WordLetters::kAnyCase>, "a text", nullptr, true};

}  // namespace assay
