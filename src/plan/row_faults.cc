// Counts problems by the criterion that they are of.
#include "plan/row_faults.h"

#include <fmt/core.h>

#include "spec/suite/check.h"

namespace assay {

namespace {

constexpr std::size_t kTold = 10;  // rows of one criterion

}  // namespace

void RowFaults::Tell(const Check& check, const Diagnostics& found, Diagnostics& diagnostics) {
  for (const Diagnostic& each : found.All()) {
    const bool is_of_row = check.span.file != FileId::kNone && each.where.file != FileId::kNone &&
                           each.where.file != check.span.file;
    if (!is_of_row) {
      diagnostics.Add(each);
      continue;
    }
    Criterion& criterion = criteria_[{check.span.offset, each.code}];
    criterion.where = check.span;
    if (++criterion.rows <= kTold) diagnostics.Add(each);
  }
}

void RowFaults::TellCriteria(Diagnostics& diagnostics) const {
  for (const auto& [key, criterion] : criteria_) {
    const std::string_view shown = criterion.rows > kTold ? "; the first 10 are named" : "";
    diagnostics.Note("check.rows",
                     fmt::format("{} {} this criterion in a way that it cannot take{}", criterion.rows,
                                 criterion.rows == 1 ? "row fills" : "rows fill", shown),
                     criterion.where,
                     "correct the cells, name another column, or leave the rows out with where");
  }
}

}  // namespace assay
