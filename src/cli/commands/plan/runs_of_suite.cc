// Finds runs by their title, and compares their suites.
#include "cli/commands/plan/runs_of_suite.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "report/fold/fold.h"
#include "spec/suite/suite.h"

namespace assay {

Status VisitRunsOf(const Suite& suite, Store* store, const SuiteRunVisitor& visit) {
  if (store == nullptr) return Ok();
  ASSAY_TRY(std::vector<RunRecord> runs, store->Runs());
  std::sort(runs.begin(), runs.end(), [](const RunRecord& a, const RunRecord& b) {
    return a.context.started_ms > b.context.started_ms;
  });
  for (const RunRecord& run : runs) {
    if (run.state != RunState::kFinished || !run.suite || run.title != suite.title) continue;
    ASSAY_TRY(const std::shared_ptr<const Suite> stored, SuiteOf(*store, run));
    if (stored->id != suite.id) continue;
    ASSAY_TRY(const Report report, Fold(*store, run, stored));
    ASSAY_TRY(const bool is_found, visit(run, report));
    if (is_found) break;
  }
  return Ok();
}

}  // namespace assay
