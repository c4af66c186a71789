// Collects units, draws, and reads the words of those that were drawn.
#include "report/decide/labels/label_draw.h"

#include <algorithm>
#include <map>
#include <vector>

#include "report/decide/labels/label_units.h"
#include "report/decide/labels/unit_digests.h"
#include "report/formula_text.h"
#include "report/values/points.h"
#include "spec/suite/suite.h"
#include "text/csv.h"

namespace assay {

namespace {

Result<LabelUnits> UnitsToDraw(const Report& report, std::uint64_t seed, LabelUnit& unit) {
  unit = LabelUnit::kCriterion;
  ASSAY_TRY(LabelUnits verdicts,
            LabelUnits::Collect(report, {.unit = unit, .seed = seed, .kinds = {std::string(kJudgeKind)}}));
  if (!verdicts.units().empty()) return verdicts;
  unit = LabelUnit::kAnswer;
  return LabelUnits::Collect(report, {.unit = unit, .seed = seed});
}

// The line of one unit, from the cell where it stands first.
std::string LineOf(const Suite& suite, const Cell& cell, const ReportUnit& unit, const DrawClaim& claim) {
  std::vector<std::string> fields = {""};
  Case extracted;
  const Case& the_case = CheckedCase(suite, cell, extracted);
  if (claim.unit == LabelUnit::kCriterion) {
    const Check& check = the_case.checks[unit.first.check];
    fields.push_back(WithApostrophes((check.invert ? "should not: " : "") + check.text));
  }
  fields.push_back(WithApostrophes(QuestionText(suite, cell)));
  fields.push_back(WithApostrophes(cell.record.transcript.SubjectText()));
  fields.push_back(WithApostrophes(the_case.ideal.value_or("")));
  fields.push_back(WithApostrophes(the_case.id));
  fields.push_back(WithApostrophes(suite.variants[cell.variant].id));
  fields.push_back(std::to_string(cell.attempt + 1));
  if (claim.unit == LabelUnit::kCriterion) fields.push_back(std::to_string(unit.first.check + 1));
  fields.push_back(std::to_string(unit.times));
  fields.push_back(UnitText(unit.place.number));
  fields.push_back(DrawClaimText(claim));
  std::string line;
  AppendCsvRow(fields, line);
  return line;
}

std::string HeadOf(LabelUnit unit) {
  return unit == LabelUnit::kCriterion
             ? "label,criterion,question,answer,ideal,case,variant,attempt,check,times,unit,draw\n"
             : "label,question,answer,ideal,case,variant,attempt,times,unit,draw\n";
}

}  // namespace

Result<LabelList> DrawLabels(const Report& report, std::uint64_t n, std::uint64_t seed) {
  LabelList list;
  ASSAY_TRY(const LabelUnits units, UnitsToDraw(report, seed, list.unit));
  if (units.units().empty())
    return Error{ErrorCode::kInvalidInput, "nothing of this run has a score, so there is nothing to label"};
  const DrawClaim claim{.seed = seed, .unit = list.unit, .strata = units.StrataDigest()};
  const std::vector<std::uint32_t> queue = units.Queue(n);
  std::multimap<LabelKey, std::size_t> wanted;  // by cell; what it is for: the place in the queue
  for (std::size_t i = 0; i < queue.size(); ++i) {
    LabelKey key = units.units()[queue[i]].first;
    key.check = 0;
    wanted.emplace(key, i);
  }
  std::vector<std::string> lines(queue.size());
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), CellParts::kAll, [&](const Cell& cell) {
    const LabelKey key{.case_index = cell.case_index, .variant = cell.variant, .attempt = cell.attempt};
    const auto [begin, end] = wanted.equal_range(key);
    for (auto at = begin; at != end; ++at)
      lines[at->second] = LineOf(*report.suite, cell, units.units()[queue[at->second]], claim);
    return Ok();
  }));
  list.csv = HeadOf(list.unit);
  for (const std::string& line : lines) list.csv += line;
  list.drawn = queue.size();
  list.units = units.units().size();
  list.strata = units.draw().strata.size();
  return list;
}

}  // namespace assay
