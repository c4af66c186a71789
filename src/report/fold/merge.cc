// Joins suites and totals, and walks the parts in plan order.
#include "report/fold/merge.h"

#include <algorithm>

#include "base/errors/assert.h"
#include "spec/report/pair.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

bool HaveSameCases(const Suite& a, const Suite& b) {
  return std::equal(a.cases.begin(), a.cases.end(), b.cases.begin(), b.cases.end(),
                    [](const Case& x, const Case& y) { return x.id == y.id; });
}

// The variants that ask the case, behind those of the parts before.
void AddAsking(const Suite& part, std::size_t offset, const Case& from, Case& to) {
  for (VariantIndex v = 0; v < part.variants.size(); ++v) {
    if (from.Asks(v)) to.variants.edit().push_back(static_cast<VariantIndex>(offset + v));
  }
  const AttemptIndex attempts = from.attempts.value_or(part.attempts);
  to.attempts = std::max(to.attempts.value_or(0), attempts);
}

void AddTotals(const RunTotals& part, std::size_t offset, RunTotals& to) {
  for (ServedCount served : part.served) {
    served.variant += static_cast<VariantIndex>(offset);
    to.served.push_back(std::move(served));
  }
  to.requests += part.requests;
  to.requests_sent += part.requests_sent;
  to.request_errors += part.request_errors;
  to.usage += part.usage;
  to.foreign_replies += part.foreign_replies;
  if (part.unnamed_replies) to.unnamed_replies = to.unnamed_replies.value_or(0) + *part.unnamed_replies;
}

// The cells of a range, part by part: each has its variants behind those of the parts before.
Status WalkParts(const MergedReport& merged, const CellRange& range, CellParts parts,
                 const Report::Visitor& visit) {
  VariantIndex offset = 0;
  for (const Report& part : merged.parts) {
    const auto count = static_cast<VariantIndex>(part.suite->variants.size());
    CellRange own = range;
    own.first_variant = range.first_variant > offset ? range.first_variant - offset : 0;
    own.last_variant = range.last_variant > offset ? range.last_variant - offset : 0;
    ASSAY_CHECK_OK(part.for_each_cell(own, parts, [&](const Cell& cell) {
      Cell moved = cell;
      moved.variant += offset;
      return visit(moved);
    }));
    offset += count;
  }
  return Ok();
}

Status Walk(const MergedReport& merged, const CellRange& range, CellParts parts,
            const Report::Visitor& visit) {
  if (range.order == CellRange::Order::kByVariant) return WalkParts(merged, range, parts, visit);
  const auto last = std::min(range.last_case, static_cast<CaseIndex>(merged.suite.cases.size()));
  for (CaseIndex index = range.first_case; index < last; ++index) {
    CellRange of_case = range;
    of_case.first_case = index;
    of_case.last_case = index + 1;
    ASSAY_CHECK_OK(WalkParts(merged, of_case, parts, visit));
  }
  return Ok();
}

}  // namespace

Result<std::unique_ptr<MergedReport>> MergeReports(std::vector<Report> parts) {
  ASSAY_ASSERT(!parts.empty());
  auto merged = std::make_unique<MergedReport>();
  merged->parts = std::move(parts);
  Suite& suite = merged->suite;
  Report& report = merged->report;
  suite = *merged->parts.front().suite;
  suite.variants.clear();
  for (Case& the_case : suite.cases) {
    the_case.variants = {};
    the_case.attempts.reset();
  }
  report.suite = &suite;
  report.run = merged->parts.front().run;
  for (const Report& part : merged->parts) {
    if (!HaveSameCases(suite, *part.suite))
      return Error{ErrorCode::kInvalidInput, "one page shows runs of the same cases only"};
    const std::size_t offset = suite.variants.size();
    for (std::size_t i = 0; i < suite.cases.size(); ++i)
      AddAsking(*part.suite, offset, part.suite->cases[i], suite.cases[i]);
    suite.variants.insert(suite.variants.end(), part.suite->variants.begin(), part.suite->variants.end());
    suite.attempts = std::max(suite.attempts, part.suite->attempts);
    for (VariantSummary summary : part.variants) {
      summary.variant += static_cast<VariantIndex>(offset);
      report.variants.push_back(summary);
    }
    report.tables.insert(report.tables.end(), part.tables.begin(), part.tables.end());
    AddTotals(part.totals, offset, report.totals);
  }
  const MergedReport* whole = merged.get();
  report.for_each_cell = [whole](const CellRange& range, CellParts cell_parts, const Report::Visitor& visit) {
    return Walk(*whole, range, cell_parts, visit);
  };
  report.pairs = PairMemoOf(suite);
  return merged;
}

}  // namespace assay
