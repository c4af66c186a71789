// One walk, many listeners.
#include "spec/report/cell_gatherer.h"

#include <algorithm>

#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kCellsOfPiece = 4'096;

CellParts PartsFor(std::span<CellGatherer* const> gatherers) {
  CellParts parts = CellParts::kOutcome;
  for (const CellGatherer* each : gatherers) parts = std::max(parts, each->parts());
  return parts;
}

}  // namespace

Status GatherCells(const Report& report, std::span<CellGatherer* const> gatherers) {
  const Suite& suite = *report.suite;
  const std::size_t of_case = std::max<std::size_t>(suite.variants.size() * suite.attempts, 1);
  const auto step = static_cast<CaseIndex>(std::max<std::size_t>(kCellsOfPiece / of_case, 1));
  const auto cases = static_cast<CaseIndex>(suite.cases.size());
  for (CaseIndex first = 0; first < cases; first += step) {
    CellRange piece = CellRange::All();
    piece.first_case = first;
    piece.last_case = std::min(first + step, cases);
    ASSAY_CHECK_OK(report.for_each_cell(piece, PartsFor(gatherers), [&](const Cell& cell) -> Status {
      for (CellGatherer* each : gatherers) ASSAY_CHECK_OK(each->Add(cell));
      return Ok();
    }));
  }
  for (CellGatherer* each : gatherers) each->End();
  return Ok();
}

}  // namespace assay
