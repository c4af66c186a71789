// The text families `matches` and `imatches`: a JavaScript regular expression without u, m and s flags found
// somewhere in the answer. Compiled once, when the suite is read.
#include <cctype>
#include <string>

#include "checks/text/text_tests.h"
#include "text/javascript/regex.h"

namespace assay {
namespace {

constexpr std::size_t kProbeLength = 40;
constexpr std::size_t kProbesMax = 16;

template <JsRegexFlags flags>
Result<TextTest> MakeTest(std::string_view pattern) {
  Result<std::shared_ptr<const JsRegex>> regex = JsRegex::Compile(pattern, flags);
  if (!regex.has_value()) {
    return Error{regex.error().code,
                 Quoted(pattern) + " is no JavaScript regular expression: " + regex.error().message};
  }
  return TextTest(
      [regex = std::move(regex).value()](AnswerView& answer) { return regex->Find(answer.subject()); });
}

// A group that may be repeated and holds something that may be repeated: only such patterns take time that
// doubles with each character.
bool HasNestedRepeats(std::string_view pattern) {
  constexpr std::string_view kRepeats = "*+{";
  for (std::size_t close = pattern.find(')'); close != std::string_view::npos;
       close = pattern.find(')', close + 1)) {
    const bool is_repeated =
        close + 1 < pattern.size() && kRepeats.find(pattern[close + 1]) != std::string_view::npos;
    if (is_repeated && pattern.substr(0, close).find_first_of("*+{|") != std::string_view::npos) return true;
  }
  return false;
}

// What a pattern repeats is mostly one of its own letters, a digit, a letter or a blank.
std::string LettersOf(std::string_view pattern) {
  std::string letters = "a1 ";
  for (std::size_t i = 0; i < pattern.size() && letters.size() < kProbesMax; ++i) {
    const auto byte = static_cast<unsigned char>(pattern[i]);
    const bool is_plain = std::isalnum(byte) != 0 && (i == 0 || pattern[i - 1] != '\\');
    if (is_plain && letters.find(pattern[i]) == std::string::npos) letters += pattern[i];
  }
  return letters;
}

// Tries texts that patterns which can match in many ways get lost in.
template <JsRegexFlags flags>
std::string_view MayTakeAges(std::string_view pattern) {
  if (!HasNestedRepeats(pattern)) return {};
  const auto regex = JsRegex::Compile(pattern, flags);
  if (!regex.has_value()) return {};
  for (const char letter : LettersOf(pattern)) {
    const std::string text = std::string(kProbeLength, letter) + "\x01";
    RegexSubject subject(text);
    const Result<bool> found = (*regex)->Search(subject);
    if (!found.has_value()) return "takes ages for some texts; such an answer gets no credit";
  }
  return {};
}

}  // namespace

const TextFamily kMatches{MakeTest<JsRegexFlags::kNone>, "a regular expression",
                          MayTakeAges<JsRegexFlags::kNone>};
const TextFamily kImatches{MakeTest<JsRegexFlags::kIgnoreCase>, "a regular expression",
                           MayTakeAges<JsRegexFlags::kIgnoreCase>};

}  // namespace assay
