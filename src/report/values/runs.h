// Runs as JSON values: what the store's row says of one, and what it came to (docs/cli.md).
#pragma once

#include <span>
#include <string>

#include "spec/report/report.h"
#include "spec/run/run_cost.h"
#include "store/store.h"
#include "text/value.h"

namespace assay {

// {run, title, dialect, command, state, ...}: what the store's row says.
Value RecordValue(const RunRecord& record);

// What is told of a run beside its report.
struct RunFacts {
  const RunRecord& record;
  RunCost cost = {};
  std::span<const std::string> files = {};  // that the run wrote
  int exit = 0;                             // the code with which a command ends for it
  bool is_up_to_date = false;               // it was finished before the command came
};
// The same, and what it used, cost and came to.
Value RunValue(const Report& report, const RunFacts& facts);

}  // namespace assay
