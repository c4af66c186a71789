// Cell by cell.
#include "dialects/research/write/session_cells.h"

#include "dialects/research/research.h"
#include "dialects/research/write/results.h"
#include "spec/report/cell_grid.h"
#include "spec/suite/suite.h"

namespace assay {

namespace research {

namespace {

constexpr CellIndex kRowsKept = 1'000;

SessionRow RowOfCell(const Suite& suite, const Cell& cell) {
  const Transcript& said = cell.record.transcript;
  return {.row = RowOf(suite, suite.cases[cell.case_index], suite.variants[cell.variant], cell.attempt,
                       cell.record),
          .time = TimeOf(cell.record),
          .has_answer = said.error.empty() && !said.answer.empty()};
}

void AddTo(ProfileFigures& figures, const Suite& suite, const Cell& cell) {
  const AttemptFacts& told = cell.record.transcript.told;
  ++figures.rows;
  ++figures.rows_of_case[cell.case_index];
  const RowVerdict verdict = VerdictOf(suite.cases[cell.case_index], cell.record);
  figures.passed += verdict.passed;
  figures.passed_of_case[cell.case_index] += verdict.passed;
  if (verdict.is_error) {
    ++figures.errors;
    figures.case_has_error[cell.case_index] = true;
  } else {
    for (const auto& [name, ms] : told.timings_ms) {
      if (name == "run_turn_ms") figures.turns_ms.push_back(ms);
    }
  }
  for (const auto& [role, usage] : told.usage_by_role) {
    figures.used += usage;
    if (role == kMainRole) figures.answering.push_back(usage);
  }
  for (const ToolCall& call : told.tool_calls) ++figures.calls[call.name];
}

}  // namespace

Mark ProfileFigures::MarkOf(CaseIndex index) const {
  if (rows_of_case[index] == 0) return Mark::kNone;
  if (case_has_error[index]) return Mark::kError;
  return passed_of_case[index] == rows_of_case[index] ? Mark::kPass : Mark::kFail;
}

SessionCells::SessionCells(const Suite& suite)
    : suite_(suite), figures_(suite.variants.size()), rows_(suite.variants.size()) {
  const std::optional<CellGrid> grid = CellGrid::Of(suite);
  keeps_rows_ = grid && grid->count() <= kRowsKept;
  for (ProfileFigures& figures : figures_) {
    figures.passed_of_case.resize(suite.cases.size());
    figures.rows_of_case.resize(suite.cases.size());
    figures.case_has_error.resize(suite.cases.size());
  }
}

Status SessionCells::Add(const Cell& cell) {
  // A cell that nobody was asked for has no row.
  if (cell.state == CellState::kSkipped) return Ok();
  AddTo(figures_[cell.variant], suite_, cell);
  if (keeps_rows_) rows_[cell.variant].push_back(RowOfCell(suite_, cell));
  return Ok();
}

Status SessionCells::ForEachRow(const Report& report, VariantIndex variant,
                                const std::function<Status(const SessionRow&)>& visit) const {
  if (keeps_rows_) {
    for (const SessionRow& row : rows_[variant]) ASSAY_CHECK_OK(visit(row));
    return Ok();
  }
  const auto visit_row = [&](const Cell& cell) -> Status {
    return cell.state == CellState::kSkipped ? Ok() : visit(RowOfCell(suite_, cell));
  };
  return report.for_each_cell(CellRange::OfVariant(variant), CellParts::kAll, visit_row);
}

Result<std::shared_ptr<const SessionCells>> SessionCells::Of(const Report& report) {
  if (const auto gathered = std::dynamic_pointer_cast<const SessionCells>(report.gathered)) return gathered;
  const auto cells = std::make_shared<SessionCells>(*report.suite);
  CellGatherer* const gatherers[] = {cells.get()};
  ASSAY_CHECK_OK(GatherCells(report, gatherers));
  return std::shared_ptr<const SessionCells>(cells);
}

}  // namespace research

std::shared_ptr<CellGatherer> GatherResearch(const Suite& suite) {
  return std::make_shared<research::SessionCells>(suite);
}

}  // namespace assay
