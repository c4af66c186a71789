// The summary that the store keeps of a finished run (means, totals, gates, files), so that its cells need
// not be read again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/decide/gates.h"
#include "report/decide/until/stop_gate.h"
#include "spec/report/cell_grid.h"
#include "spec/report/report.h"

namespace assay {

// Its variants, totals and key points; the gates that were asked for when it ended; and its result files,
// below the folder where results go.
std::string EncodeSummary(const Report& report, std::span<const GateResult> gates = {},
                          std::span<const std::string> files = {});

// What is kept of a run that begins, whose gates may end it early; "": none may.
std::string SummaryOfBegun(std::span<const StopGate> gates);
// The gates that such a text, or one as above, keeps; none where it has none, or none that can be read.
std::vector<StopGate> StopGatesOfSummary(std::string_view text);

// What such a run is ranked by where that is no mean of all attempts: its name, and the mean beside it.
struct SummaryValue {
  std::string title;  // "best of 10"
  double plain_mean = 0;
};
std::optional<SummaryValue> ValueOfSummary(std::string_view text);

// The mean over all cells of the report that have a score; NaN where none has.
double MeanOf(const Report& report);

// The share of scored attempts that pass, over all of them; nothing without statistics or scores.
std::optional<double> PassShareOf(const Report& report);

// The share of scored attempts that passed; nothing where the text does not say it.
std::optional<double> PassRateOfSummary(std::string_view text);

// The gates in such a text; none where it has none, or none that can be read.
std::vector<GateResult> GatesOfSummary(std::string_view text);

// The files in such a text; none where it has none. What leads out of the folder is none: a store that
// somebody else made names what it likes.
std::vector<std::string> FilesOfSummary(std::string_view text);

// Puts its numbers into the report of the same suite. False, and nothing is changed, if the text is not what
// a run of this suite can have come to.
bool DecodeSummary(std::string_view text, const CellGrid& grid, Report& report);

}  // namespace assay
