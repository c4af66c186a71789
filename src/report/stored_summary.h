// The summary of a finished run as the store keeps it, so that nobody reads its cells for it again.
#pragma once

#include <string>
#include <string_view>

#include "spec/cell_grid.h"
#include "spec/report.h"

namespace assay {

// Its variants, totals and key points.
std::string EncodeSummary(const Report& report);

// Puts them into the report of the same suite. False, and nothing is changed, if the text is not what a run
// of this suite can have come to.
bool DecodeSummary(std::string_view text, const CellGrid& grid, Report& report);

}  // namespace assay
