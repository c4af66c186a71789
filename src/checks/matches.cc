// The text families `matches` and `imatches`: a JavaScript regular expression without u, m and s flags found
// somewhere in the answer. Compiled once, when the suite is read.
#include <string>

#include "checks/text_tests.h"
#include "text/regex.h"

namespace assay {
namespace {

template <JsRegexFlags flags>
Result<TextTest> MakeTest(std::string_view pattern) {
  Result<std::shared_ptr<const JsRegex>> regex = JsRegex::Compile(pattern, flags);
  if (!regex.has_value()) {
    return Error{regex.error().code,
                 Quoted(pattern) + " is no JavaScript regular expression: " + regex.error().message};
  }
  return TextTest(
      [regex = std::move(regex).value()](AnswerView& answer) { return regex->Search(answer.subject()); });
}

}  // namespace

const TextFamily kMatches{MakeTest<JsRegexFlags::kNone>, "a regular expression"};
const TextFamily kImatches{MakeTest<JsRegexFlags::kIgnoreCase>, "a regular expression"};

}  // namespace assay
