// The parts of a run: what is asked before its cells, the cells of its plan, and what is asked about all of
// them. Each is a plan of its own, whose cells count from 0; reports are of kRun alone.
#pragma once

#include <cstdint>

#include "spec/exchange/request.h"

namespace assay {

// Persisted: do not renumber.
enum class RunPart : std::uint8_t { kOpening = 0, kRun = 1, kClosing = 2 };
inline constexpr int kRunPartCount = 3;

struct RunPartRow {
  RunPart part;
  RequestRole answers_as;  // in which role its steps that answer ask their variant
  bool counts_errors;      // cells of it that fail are counted by --max-errors
  bool is_told;            // listeners hear of its cells
};

// By number. A document that cannot be read is told by its name, and a summary that nobody gave by itself.
inline constexpr RunPartRow kRunParts[kRunPartCount] = {
    {RunPart::kOpening, RequestRole::kEmbedding, false, false},
    {RunPart::kRun, RequestRole::kCandidate, true, true},
    {RunPart::kClosing, RequestRole::kSummary, true, false}};

constexpr const RunPartRow& RowOf(RunPart part) { return kRunParts[static_cast<int>(part)]; }

}  // namespace assay
