// Items of scores in words that several places share.
#pragma once

#include <string>
#include <string_view>

#include "spec/score.h"

namespace assay {

// The member of AttemptRecord::details that says how far judges agree.
inline constexpr std::string_view kJudgeAgreement = "judgeAgreement";

// What stood there, for people: `found`, or the part of the answer.
std::string FoundText(const ScoreItem& item);

// The line of a blank as InfiBench words it: its result files have it, and the Python code of its suites sees
// it. What fits begins with "matched".
std::string BlankLine(const ScoreItem& blank);

}  // namespace assay
