// Declares the functions behind the rows of table.cc, other than the text tests (checks/text/text_tests.h).
// The contract of each stands at the top of its own file.
#pragma once

#include "checks/args.h"
#include "checks/check.h"

namespace assay {

// service/call.cc
CheckArgs ParseCall(const ParseInput& input, Diagnostics& diagnostics);
Score GradeCall(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
std::uint32_t RequestsOfCall(const CheckArgs& args);
Action NextCall(const AskInput& input, const CheckArgs& args);

// service/factcheck.cc
CheckArgs ParseFactcheck(const ParseInput& input, Diagnostics& diagnostics);
Score GradeFactcheck(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
std::uint32_t RequestsOfFactcheck(const CheckArgs& args);
Action NextFactcheck(const AskInput& input, const CheckArgs& args);

// What InfiBench leaves to Python: rows whose grader may call it in the middle of its work. One template
// makes their functions (program/python_row.h) from arguments that their own files alone know.
template <class Args>
struct PythonRow {
  static std::uint32_t MostRequests(const CheckArgs& args);
  static Score Grade(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
  static Action Next(const AskInput& input, const CheckArgs& args);
};
struct Keywords;
extern template struct PythonRow<Keywords>;
CheckArgs ParseKeywords(const ParseInput& input, Diagnostics& diagnostics);
struct Blanks;
extern template struct PythonRow<Blanks>;
CheckArgs ParseBlankFilling(const ParseInput& input, Diagnostics& diagnostics);
struct Customized;
extern template struct PythonRow<Customized>;
CheckArgs ParseCustomized(const ParseInput& input, Diagnostics& diagnostics);

// text/is_json.cc
CheckArgs ParseIsJson(const ParseInput& input, Diagnostics& diagnostics);
Score GradeIsJson(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// text/matches_schema.cc
CheckArgs ParseMatchesSchema(const ParseInput& input, Diagnostics& diagnostics);
Score GradeMatchesSchema(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/equals.cc
CheckArgs ParseEquals(const ParseInput& input, Diagnostics& diagnostics);
CheckArgs ParseIequals(const ParseInput& input, Diagnostics& diagnostics);
Score GradeEquals(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
CheckArgs ParseFuzzyMatch(const ParseInput& input, Diagnostics& diagnostics);
Score GradeFuzzyMatch(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
CheckArgs ParseSquad(const ParseInput& input, Diagnostics& diagnostics);
Score GradeSquadExact(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
Score GradeSquadF1(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/letter_checks.cc
CheckArgs ParseLetterCase(const ParseInput& input, Diagnostics& diagnostics);
Score GradeLetterCase(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
CheckArgs ParseScript(const ParseInput& input, Diagnostics& diagnostics);
Score GradeScript(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
CheckArgs ParseIsValid(const ParseInput& input, Diagnostics& diagnostics);
Score GradeIsValid(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/numeric.cc
CheckArgs ParseNumeric(const ParseInput& input, Diagnostics& diagnostics);
Score GradeNumeric(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/choice.cc
CheckArgs ParseChoice(const ParseInput& input, Diagnostics& diagnostics);
Score GradeChoice(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/edit_distance.cc
CheckArgs ParseEditDistance(const ParseInput& input, Diagnostics& diagnostics);
Score GradeEditDistance(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/items.cc
CheckArgs ParseItems(const ParseInput& input, Diagnostics& diagnostics);
Score GradeItems(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/json_equals.cc
CheckArgs ParseJsonEquals(const ParseInput& input, Diagnostics& diagnostics);
Score GradeJsonEquals(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/count.cc
CheckArgs ParseCount(const ParseInput& input, Diagnostics& diagnostics);
Score GradeCount(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/translation.cc
CheckArgs ParseBleu(const ParseInput& input, Diagnostics& diagnostics);
Score GradeBleu(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
CheckArgs ParseChrf(const ParseInput& input, Diagnostics& diagnostics);
Score GradeChrf(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
CheckArgs ParseRouge(const ParseInput& input, Diagnostics& diagnostics);
Score GradeRouge(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/ifeval.cc
CheckArgs ParseIfeval(const ParseInput& input, Diagnostics& diagnostics);
Score GradeIfeval(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// wanted/filtered_match.cc
CheckArgs ParseFilteredMatch(const ParseInput& input, Diagnostics& diagnostics);
Score GradeFilteredMatch(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// exported/rows.cc
CheckArgs ParseGrader(const ParseInput& input, Diagnostics& diagnostics);
CheckArgs ParseGraders(const ParseInput& input, Diagnostics& diagnostics);
Score GradeByGrader(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
std::vector<StepParty> PartiesOfGraders(const JudgePanel& panel, const CheckArgs& args);
Action NextGraders(const AskInput& input, const CheckArgs& args);
// promptfoo/row/row.cc
CheckArgs ParseAssertion(const ParseInput& input, Diagnostics& diagnostics);
Score GradeAssertion(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
std::vector<StepParty> PartiesOfAssertion(const JudgePanel& panel, const CheckArgs& args);
Action NextAssertion(const AskInput& input, const CheckArgs& args);
// wanted/use.cc
CheckArgs ParseUse(const ParseInput& input, Diagnostics& diagnostics);
Score GradeUse(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// math/math.cc
CheckArgs ParseMath(const ParseInput& input, Diagnostics& diagnostics);
Score GradeMath(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// text/js.cc
CheckArgs ParseJs(const ParseInput& input, Diagnostics& diagnostics);
Score GradeJs(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// judge/row.cc: always asks.
CheckArgs ParseJudge(const ParseInput& input, Diagnostics& diagnostics);
std::vector<StepParty> PartiesOfJudge(const JudgePanel& panel, const CheckArgs& args);
Action NextJudge(const AskInput& input, const CheckArgs& args);

// text/expected.cc
CheckArgs ParseExpectedText(const ParseInput& input, Diagnostics& diagnostics);
CheckArgs ParseExpectedPattern(const ParseInput& input, Diagnostics& diagnostics);
Score GradeExpected(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
// text/expected_citation.cc
CheckArgs ParseExpectedCitation(const ParseInput& input, Diagnostics& diagnostics);
Score GradeExpectedCitation(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
std::uint32_t RequestsOfCitation(const CheckArgs& args);
Action NextExpectedCitation(const AskInput& input, const CheckArgs& args);
// text/expected_number.cc
CheckArgs ParseExpectedNumber(const ParseInput& input, Diagnostics& diagnostics);
Score GradeExpectedNumber(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// code/similarity.cc
CheckArgs ParseSimilarity(const ParseInput& input, Diagnostics& diagnostics);
Score GradeSimilarity(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// tools/args_match.cc
CheckArgs ParseToolArgsMatch(const ParseInput& input, Diagnostics& diagnostics);
Score GradeToolArgsMatch(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// tools/calls.cc
CheckArgs ParseToolCalled(const ParseInput& input, Diagnostics& diagnostics);
Score GradeToolCalled(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
CheckArgs ParseToolCallCount(const ParseInput& input, Diagnostics& diagnostics);
Score GradeToolCallCount(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
CheckArgs ParseToolCallOrder(const ParseInput& input, Diagnostics& diagnostics);
Score GradeToolCallOrder(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// program/unit_tests.cc: runs programs; grades at once only where none can run.
CheckArgs ParseUnitTest(const ParseInput& input, Diagnostics& diagnostics);
Score GradeUnitTest(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
std::uint32_t CountUnitTests(const CheckArgs& args);
Action NextUnitTest(const AskInput& input, const CheckArgs& args);

// text/word_count.cc
CheckArgs ParseWordCount(const ParseInput& input, Diagnostics& diagnostics);
Score GradeWordCount(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

}  // namespace assay
