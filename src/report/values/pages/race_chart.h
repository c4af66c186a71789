// How the questions of a run that may end early were decided, as its page draws it: bounds over the number of
// cases.
#pragma once

#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

// docs/formats/view.md has its members. Null without --until; questions without a look have no chart.
Value RaceChartsValue(const Report& report);

}  // namespace assay
