// Warnings about InfiBench cases: what InfiBench accepts silently and hardly any author means, each with a
// place and a remedy. Nothing here changes what is read or graded.
//   source  InfiBench evaluator 96cb098 (spec: infibench 4-8); the annotation guide
//   (docs/authoring-infibench.md)
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "text/value.h"

namespace assay {
struct Check;
}

namespace assay::infibench {

// One case, as its YAML stands in the file. `checks` are its components with the texts of the files that they
// name (case_file.h), for what only their code shows. Warnings, by code:
//   infibench.ignored              a key that nothing reads where it stands
//   infibench.unknown-key          a key that nothing reads anywhere
//   infibench.truth                a text where true or false is meant: every text but "" is true
//   infibench.lowered-regex        to_lower rewrites the pattern too: \S becomes \s
//   infibench.dict-blank           a mapping as a blank's content: its keys are the accepted answers
//   infibench.unreachable-blank    no answer can fill the blank
//   infibench.unreachable-answer   an accepted answer that nothing equals
//   infibench.characters           `references: TEXT` compares with every single character
//   infibench.external-url         the prompt depends on a page outside
//   infibench.unnamed-call         a test calls what neither the prompt nor the test names
//   infibench.no-assertion         a test that no wrong answer fails
// and, of `of_broken`, what makes an error of every answer:
//   infibench.condition            a `cond` that Python cannot read
//   infibench.handler              a function that its module does not have
//   infibench.zero-total           keywords that only take points away
void LintCase(const Value& case_yaml, std::span<const Check> checks, std::string_view prompt,
              Severity of_broken, Diagnostics& diagnostics);

// The functions that a test's code calls and neither defines nor gets from its language, in order of their
// first call; nothing for languages whose calls have no parentheses, and for R, whose packages bring names
// that nothing shows. Methods of objects do not count.
std::vector<std::string> FreeCalls(std::string_view code, std::string_view lang);

}  // namespace assay::infibench
