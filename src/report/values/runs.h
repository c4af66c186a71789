// Runs as JSON values: a run's row in the store, and its results, usage and cost (docs/cli.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/report/report.h"
#include "spec/run/run_cost.h"
#include "spec/run/run_spec.h"
#include "store/store.h"
#include "text/value.h"

namespace assay {

// What stands behind `assay run` in the command that makes the run again, or goes on with it: of this user's
// own run all of it, else without what a store may not say.
std::string CommandWords(const RunRecord& run, bool is_own = false);

// What stopped a run before all was asked: "budget", "interrupted", "max-errors", "max-time", "error",
// "decided", or "cut off", where it is unfinished and nobody works on it. "": nothing did, or nobody kept it.
std::string_view StopName(const RunRecord& run, bool is_at_work);

// The option by which a run asks only some of its suite's cases: "--limit 2"; "": it asks all.
std::string ChoiceOf(const RunSpec& spec);

// Models that the run asked no more, since they failed again and again.
std::vector<std::string> GivenUpModels(const RunRecord& run);

// {run, title, dialect, command, state, ...}: what the store's row says.
Map RecordMembers(const RunRecord& record, bool is_at_work);

// What is told of a run beside its report.
struct RunFacts {
  const RunRecord& record;
  RunCost cost = {};
  std::span<const std::string> files = {};  // that the run wrote
  int exit = 0;                             // the code with which a command ends for it
  bool is_up_to_date = false;               // it was finished before the command came
  bool is_at_work = false;                  // a process works on it
};
// The same, and what it used, cost and came to.
Map RunMembers(const Report& report, const RunFacts& facts);
// The same without what a command says of itself, and with these variants.
Map RunMembersWith(const Report& report, const RunFacts& facts, List variants);
// {id, mean, sd, cells, ...}: one of the variants.
Map VariantMembers(const Suite& suite, const VariantSummary& summary);

}  // namespace assay
