// Walks the cells of a run twice: for the checks that lacked a package, and for the other answers to their
// cases.
#include "engine/run/left_out.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "checks/program/program.h"
#include "report/aggregate.h"
#include "report/decide/factors.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kCellsPerCommit = 256;

using CheckOfCase = std::pair<CaseIndex, CheckIndex>;
using Lacking = std::map<CheckOfCase, std::string>;  // why every answer is an error

bool HasAbsentPackage(const Suite& suite) {
  return !suite.programs.missing_fails &&
         std::any_of(suite.toolchains.begin(), suite.toolchains.end(),
                     [](const Toolchain& toolchain) { return !toolchain.absent.empty(); });
}

Result<Lacking> FindLacking(Store& store, const Plan& plan, const RunRecord& run) {
  Lacking lacking;
  const std::vector<std::string> names = SpokenNames(plan.suite());
  const auto look = [&](const CellResult& result) -> Status {
    if (!result.outcome || result.outcome->state == CellState::kScored) return Ok();
    ASSAY_TRY(const AttemptRecord record, DecodeScores(result.scores));
    const CellAddress at = plan.CellAt(result.cell);
    for (CheckIndex check = 0; check < record.scores.size(); ++check) {
      const std::string_view package = PackageOfError(record.scores[check].error);
      if (package.empty() || !record.scores[check].failed()) continue;
      lacking.try_emplace({at.case_index, check},
                          fmt::format("left out: {} is not installed, and the program of {} uses it, so the "
                                      "case counts for no variant",
                                      package, names[at.variant]));
    }
    return Ok();
  };
  ASSAY_CHECK_OK(store.VisitCells(run.context.run_id, RunPart::kRun, {0, plan.CellCount()}, look));
  return lacking;
}

// Whether a score of the record was there to be left out.
bool LeaveOut(const Lacking& lacking, CaseIndex index, AttemptRecord& record) {
  bool has_changed = false;
  for (CheckIndex check = 0; check < record.scores.size(); ++check) {
    const auto found = lacking.find({index, check});
    if (found == lacking.end() || record.scores[check].failed()) continue;
    record.scores[check] = Score::Failure(found->second);
    has_changed = true;
  }
  return has_changed;
}

}  // namespace

Status LeaveOutCasesWithoutPackages(Store& store, const Plan& plan, const RunRecord& run,
                                    const Clock& clock) {
  if (run.cells_of != 0 || !HasAbsentPackage(plan.suite())) return Ok();
  ASSAY_TRY(const Lacking lacking, FindLacking(store, plan, run));
  if (lacking.empty()) return Ok();
  const auto columns_of = ColumnsIn(plan.suite());
  std::vector<CellResult> changed;
  const auto take = [&](CellResult& result) -> Status {
    const CellAddress at = plan.CellAt(result.cell);
    const auto first = lacking.lower_bound({at.case_index, 0});
    if (first == lacking.end() || first->first.first != at.case_index) return Ok();
    ASSAY_TRY(AttemptRecord record, DecodeScores(result.scores));
    if (!LeaveOut(lacking, at.case_index, record)) return Ok();
    result.scores = EncodeScores(record);
    result.columns = columns_of(at, record);
    changed.push_back(std::move(result));
    return Ok();
  };
  const std::string& id = run.context.run_id;
  ASSAY_CHECK_OK(store.VisitCells(id, RunPart::kRun, {0, plan.CellCount()}, take));
  if (changed.empty()) return Ok();
  ASSAY_TRY(const SittingId sitting,
            store.BeginSitting(id, RunPart::kRun, clock.WallMs(), run.context.assay_version));
  std::uint64_t number = 0;
  for (std::size_t start = 0; start < changed.size(); start += kCellsPerCommit) {
    const std::span<const CellResult> cells(changed);
    const auto part = cells.subspan(start, std::min(kCellsPerCommit, cells.size() - start));
    ASSAY_CHECK_OK(store.Commit(sitting, ++number, {.cells = part, .at_ms = clock.WallMs()}));
  }
  return Ok();
}

}  // namespace assay
