// Formats what a run saw of its questions that ended early: the differences that it looked at, and who was
// dropped.
#pragma once

#include <string>

#include "cli/terminal/screen.h"
#include "report/decide/until/until_run.h"

namespace assay {

// The last look at each pair, with bounds that hold whenever a run ends; "" if no pair was looked at.
std::string LookedAtText(const UntilRun& run, const Screen& screen);

// What the intervals of the table of variants are, who was dropped after how many cases, and how many other
// orders were tried; a line each.
std::string EarlyNote(const UntilRun& run);

}  // namespace assay
