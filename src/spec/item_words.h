// Items of scores in words that several places share.
#pragma once

#include <string>

#include "spec/score.h"

namespace assay {

// What stood there, for people: `found`, or the part of the answer.
std::string FoundText(const ScoreItem& item);

// The line of a blank as InfiBench words it: its result files have it, and the Python code of its suites sees
// it. What fits begins with "matched".
std::string BlankLine(const ScoreItem& blank);

}  // namespace assay
