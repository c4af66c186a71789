// Counts problems by the criterion that they are of.
#include "plan/row_faults.h"

#include <fmt/core.h>

#include "spec/suite/case.h"
#include "spec/suite/check.h"

namespace assay {

namespace {

constexpr std::size_t kTold = 10;  // rows of one criterion
constexpr std::string_view kArgument = "check.argument";

bool IsOfRow(const Case& the_case, const Check& check) {
  return the_case.span.file != FileId::kNone && the_case.span.file != check.span.file;
}

}  // namespace

void RowFaults::Tell(const Case& the_case, const Check& check, const Diagnostics& found,
                     Diagnostics& diagnostics) {
  for (const Diagnostic& each : found.All()) {
    const bool has_place = check.span.file != FileId::kNone;
    const bool is_cell = has_place && each.where.file != FileId::kNone && each.where.file != check.span.file;
    const bool is_in_words =
        has_place && each.where.file == check.span.file && IsOfRow(the_case, check) && each.code == kArgument;
    if (!is_cell && !is_in_words) {
      diagnostics.Add(each);
      continue;
    }
    Criterion& criterion = criteria_[{check.span.offset, each.code}];
    criterion.where = check.span;
    if (++criterion.rows > kTold) continue;
    diagnostics.Add(each);
    if (is_in_words) {
      diagnostics.Note("check.rows", fmt::format("the row of the case {} fills it in", Quoted(the_case.id)),
                       the_case.span, "correct the row, or leave it out with where");
    }
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
