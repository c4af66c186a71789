// Words for the items of scores, and for why a score is below its maximum; shared by reports, exports and
// result files.
#pragma once

#include <string>
#include <string_view>

#include "spec/score/score.h"

namespace assay {

struct Check;  // spec/suite/check.h

// The member of AttemptRecord::details that says how far judges agree.
inline constexpr std::string_view kJudgeAgreement = "judgeAgreement";

// The check's text for people. A function without arguments is its name alone: the format's own files call it
// `is_json(undefined)`.
std::string PointText(const Check& check);

// What stood there, for people: `found`, or the part of the answer.
std::string FoundText(const ScoreItem& item);

// The line of a blank as InfiBench words it: its result files have it, and the Python code of its suites sees
// it. What fits begins with "matched".
std::string BlankLine(const ScoreItem& blank);

// "strict: it is never said; mild: half of it": what each judge said, by name; "" if none said why.
std::string JudgesWords(const Score& score);

// Whether there is a reason to tell: the check failed, it says itself that it does not hold, or, where it
// says nothing of that, its score is below the maximum.
bool MissesPoints(const Score& score);
// Why a score misses points, in a line: what went wrong, the parts that are not as they should be, the
// words of the judges, else what the check says; "" if it says nothing.
std::string ReasonOf(const Score& score);
// The same with the point that it is of: "Names the capital: it is never said", "assert half(5) == 2.5:
// AssertionError".
std::string MissedPoint(const Check& check, const Score& score);

}  // namespace assay
