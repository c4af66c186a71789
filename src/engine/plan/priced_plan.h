// Estimates what a run of a plan would ask, cost (US dollars) and take (seconds). Nothing is sent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/open/ingested.h"
#include "engine/plan/planned.h"
#include "run/forecast.h"
#include "run/wire/endpoints.h"
#include "store/store.h"

namespace assay {

// A line of the forecast with what it costs; no costs where the price is not known.
struct PricedLine {
  ForecastLine line;
  std::optional<double> usd;
  std::optional<double> usd_most;
};

struct PricedPlan {
  std::vector<PricedLine> lines;
  PricedLine total;                   // tokens and costs of all lines; costs of those with a price
  std::vector<std::string> unpriced;  // model ids
  double seconds = 0;
  bool has_batches = false;
  DocumentsAhead documents;  // that were read for it
};

// "openai:gpt-6-luna"; of services their URL.
std::string ModelId(const CallKind& kind);

// The forecast of a plan that is there, with what its documents need, read through `files`, and the summary
// of the run if one is wanted. `store` may be null: nothing has been asked yet. `most`: as ForecastRun has
// it.
Result<PricedPlan> PricePlan(const Planned& planned, const RunSpec& spec, const Granted& granted,
                             Store* store, FileReader& files,
                             CellIndex most = std::numeric_limits<CellIndex>::max());

// What a run that is begun keeps of its plan (report/fold/planned_cost.h): of large plans 2,000 cells
// are walked, so that nobody waits for it. "": nothing is asked that has a price, or it cannot be told.
// `documents`: those that it had to read, for the run; nothing: none.
std::string PlannedCostOf(const Planned& planned, const RunSpec& spec, const Granted& granted, Store& store,
                          FileReader& files, std::optional<DocumentsAhead>& documents);

// "$3.40", "$1–$3.40", "unknown"
std::string CostText(const PricedLine& line);

}  // namespace assay
