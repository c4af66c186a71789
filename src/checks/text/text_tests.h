// Checks that ask one question of a text, alone or over a list: `contains`, `matches`, `contains_word` and
// their families (any, all, at least n). A family is a maker of tests; the shapes of arguments and the
// counting are shared.
//
//   source  weval 51dc4d3 src/point-functions (spec: blueprint 11.2, 11.3); known deviations: none.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/errors/result.h"
#include "checks/args.h"
#include "checks/check.h"

namespace assay {

// Whether an answer passes, and by which part of it (empty: nobody can tell); nothing if it does not.
using TextFound = std::optional<TextRange>;
// Immutable; any thread, with the caller's answer. An Error if a limit ran out.
using TextTest = std::function<Result<TextFound>(AnswerView& answer)>;
// Makes the test of one text of the arguments; kInvalidInput with what is wrong with the text.
using TextTestMaker = Result<TextTest> (*)(std::string_view text);

// `expected` is what the makers take ("a text", "a regular expression"), for messages. `doubt`, where there
// is one, tells what is wrong with a text of which a test can be made, "" if nothing is.
struct TextFamily {
  TextTestMaker make;
  std::string_view expected;
  std::string_view (*doubt)(std::string_view text) = nullptr;
  bool is_literal = false;  // texts stand for themselves: whether one is there but for its spelling is told
};

CheckArgs ParseTextTest(const ParseInput& input, const TextFamily& family, Diagnostics& diagnostics);
CheckArgs ParseTextTests(const ParseInput& input, const TextFamily& family, Diagnostics& diagnostics);
CheckArgs ParseCountedTextTests(const ParseInput& input, const TextFamily& family, Diagnostics& diagnostics);

// The three shapes as rows take them: `text`, `[text, ...]`, `[n, [text, ...]]`.
template <const TextFamily& family>
CheckArgs One(const ParseInput& input, Diagnostics& diagnostics) {
  return ParseTextTest(input, family, diagnostics);
}
template <const TextFamily& family>
CheckArgs Several(const ParseInput& input, Diagnostics& diagnostics) {
  return ParseTextTests(input, family, diagnostics);
}
template <const TextFamily& family>
CheckArgs Counted(const ParseInput& input, Diagnostics& diagnostics) {
  return ParseCountedTextTests(input, family, diagnostics);
}

// One: 1 if the test passes, else 0.
Score GradeOne(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
// Several: 1 if any test passes; 0 for an empty list.
Score GradeAny(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
// Several: the share of tests that pass; 1 for an empty list.
Score GradeAll(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
// Counted: tests that pass over n, at most 1; 1 if n <= 0, else 0 for an empty list.
Score GradeAtLeast(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// contains.cc
extern const TextFamily kContains, kIcontains, kStartsWith, kIstartsWith, kEndsWith, kIendsWith;
// contains_word.cc
extern const TextFamily kContainsWord, kIcontainsWord;
// matches.cc
extern const TextFamily kMatches, kImatches;

}  // namespace assay
