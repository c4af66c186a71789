// What differences a suite's cases can show as a JSON value (docs/cli.md, `plan --power`).
#pragma once

#include <string_view>

#include "report/decide/suite_power.h"
#include "text/value.h"

namespace assay {

// {cases, spread, smallest_difference, variants, smallest_in_ranking, fewest, cases_for_5_points, sentence,
// basis}; `basis`: where the spread comes from.
Value PowerValue(const SuitePower& power, std::string_view basis);

}  // namespace assay
