// Compares the makers of runs, and carries marks over.
#include "engine/state/copied_runs.h"

#include <cmath>
#include <set>

#include "report/aggregate.h"

namespace assay {

namespace {

// Whether a run that is there stays as it is, since only one of both is this user's. Nothing of a stranger's
// run goes into one of the user's. A finished run stays anyway; the user is warned if the other one differs.
bool IsKept(const StoreOrigin& origin, const RunRecord& here, const StoreOrigin& marks,
            const RunRecord& there) {
  const bool is_theirs_there = marks.IsForeignRun(there);
  if (origin.IsForeignRun(here) == is_theirs_there) return false;
  const bool has_same_mean =
      here.mean_score == there.mean_score || (std::isnan(here.mean_score) && std::isnan(there.mean_score));
  const bool is_same = here.state == there.state && here.cells == there.cells && has_same_mean &&
                       here.context.started_ms == there.context.started_ms;
  if (there.state == RunState::kFinished) return !is_same;
  return !is_theirs_there;  // a stranger's unfinished run stays marked, whatever it gets
}

// What somebody else made is theirs in the other store, too: row for row.
Status CarryMarks(const StoreOrigin& origin, const RunCopier& copier, Store& from, OwnStore& to) {
  MarkedRows came;
  for (const auto& [here, there] : copier.copied()) {
    const auto number = static_cast<std::int64_t>(there);
    if (origin.exchanges.Contains(static_cast<std::int64_t>(here)))
      came.exchanges.Add({.first = number, .last = number});
  }
  std::set<std::string> foreign;
  ASSAY_TRY(const std::vector<RunRecord> here, from.Runs());
  for (const RunRecord& run : here) {
    if (origin.IsForeignRun(run)) foreign.insert(run.context.run_id);
  }
  const std::set<std::string> begun(copier.begun().begin(), copier.begun().end());
  std::erase_if(foreign, [&begun](const std::string& id) { return !begun.contains(id); });
  ASSAY_TRY(const std::vector<RunRecord> there, to.store().Runs());
  for (const RunRecord& run : there) {
    if (foreign.contains(run.context.run_id)) came.runs.Add({.first = run.number, .last = run.number});
  }
  return to.MarkOnly(came);
}

}  // namespace

Result<CopiedRuns> CopyRunsOf(Store& from, const StoreOrigin& origin, std::span<const RunRecord> runs,
                              OwnStore& to, std::int64_t now_ms) {
  const StoreOrigin marks = to.origin();
  if (origin.IsForeign()) ASSAY_CHECK_OK(to.MarkWhatComes());
  RunCopier copier(from, to.store(), WeightOf, now_ms,
                   [&origin, &marks](const RunRecord& here, const RunRecord& there) {
                     return IsKept(origin, here, marks, there);
                   });
  for (const RunRecord& run : runs) ASSAY_CHECK_OK(copier.Copy(run));
  if (origin.IsForeign()) ASSAY_CHECK_OK(CarryMarks(origin, copier, from, to));
  return CopiedRuns{.counts = copier.counts(), .kept = copier.kept()};
}

}  // namespace assay
