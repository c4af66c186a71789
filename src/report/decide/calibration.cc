// Reads label files, matches the labels with scores of a run, and calls the estimator.
#include "report/decide/calibration.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/errors/diagnostics.h"
#include "report/decide/standings.h"
#include "report/formula_text.h"
#include "spec/score/graded_case.h"
#include "statistics/decisions/sentences.h"
#include "text/csv.h"

namespace assay {

namespace {

Error BadLine(std::size_t line, std::string_view what) {
  return {ErrorCode::kInvalidInput, fmt::format("line {}: {}", line, what)};
}

template <class Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Our own tables put an apostrophe before what a spreadsheet would take for a formula.
std::string WithoutApostrophe(const std::string& text) {
  const bool is_ours = text.starts_with('\'') && StartsFormula(std::string_view(text).substr(1));
  return is_ours ? text.substr(1) : text;
}

class Columns {
 public:
  explicit Columns(const std::vector<std::string>& head) {
    for (std::size_t i = 0; i < head.size(); ++i) places_.emplace(head[i], i);
  }
  bool Has(const std::string& name) const { return places_.contains(name); }
  std::string Of(const std::vector<std::string>& row, const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() || found->second >= row.size() ? std::string() : row[found->second];
  }

 private:
  std::map<std::string, std::size_t> places_;
};

Result<LabelRow> ReadRow(const Columns& columns, const std::vector<std::string>& fields, std::size_t line) {
  LabelRow row;
  row.line = line;
  row.case_id = WithoutApostrophe(columns.Of(fields, "case"));
  row.variant_id = WithoutApostrophe(columns.Of(fields, "variant"));
  const std::string label = columns.Of(fields, "label");
  const std::optional<double> number = ParseWhole<double>(label);
  if (!number || !(*number >= 0 && *number <= 1))
    return BadLine(line, fmt::format("expected a label from 0 to 1, found {}", Quoted(label)));
  row.label = *number;
  if (const std::string text = columns.Of(fields, "attempt"); !text.empty()) {
    const std::optional<AttemptIndex> attempt = ParseWhole<AttemptIndex>(text);
    if (!attempt || *attempt == 0)
      return BadLine(line, fmt::format("expected an attempt from 1, found {}", Quoted(text)));
    row.attempt = *attempt - 1;
  }
  if (const std::string text = columns.Of(fields, "check"); !text.empty()) {
    const std::optional<std::size_t> check = ParseWhole<std::size_t>(text);
    if (!check || *check == 0)
      return BadLine(line, fmt::format("expected the number of a check from 1, found {}", Quoted(text)));
    row.check = *check - 1;
  }
  return row;
}

struct LabelKey {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  AttemptIndex attempt = 0;
  std::size_t check = 0;
  friend auto operator<=>(const LabelKey&, const LabelKey&) = default;
};

struct Labelled {
  double label = 0;
  std::size_t line = 0;
  bool is_found = false;
};
using LabelMap = std::map<LabelKey, Labelled>;

// What EstimateFromLabels borrows.
struct Gathered {
  std::vector<double> labels, judged, unlabelled;
  std::vector<std::uint32_t> clusters, unlabelled_clusters;

  LabelledScores scores() const {
    return {.labels = labels,
            .judged = judged,
            .unlabelled = unlabelled,
            .clusters = clusters,
            .unlabelled_clusters = unlabelled_clusters};
  }
  void Add(double score, std::uint32_t cluster, const Labelled* label) {
    (label != nullptr ? judged : unlabelled).push_back(score);
    (label != nullptr ? clusters : unlabelled_clusters).push_back(cluster);
    if (label != nullptr) labels.push_back(label->label);
  }
};

template <class Items>
std::optional<std::size_t> PlaceOf(const Items& items, const std::string& id) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].id == id) return i;
  }
  return std::nullopt;
}

Result<LabelMap> MapOf(const Suite& suite, const std::vector<LabelRow>& rows) {
  LabelMap labels;
  for (const LabelRow& row : rows) {
    const std::optional<std::size_t> case_index = PlaceOf(suite.cases, row.case_id);
    if (!case_index) return BadLine(row.line, fmt::format("the run has no case {}", Quoted(row.case_id)));
    const std::optional<std::size_t> variant = PlaceOf(suite.variants, row.variant_id);
    if (!variant) return BadLine(row.line, fmt::format("the run has no variant {}", Quoted(row.variant_id)));
    if (row.check.has_value() != rows.front().check.has_value())
      return BadLine(row.line, "labels of points and of whole answers cannot be mixed; use two files");
    const LabelKey key{.case_index = static_cast<CaseIndex>(*case_index),
                       .variant = static_cast<VariantIndex>(*variant),
                       .attempt = row.attempt,
                       .check = row.check.value_or(0)};
    if (!labels.emplace(key, Labelled{.label = row.label, .line = row.line}).second)
      return BadLine(row.line, "this answer has a label already, on a line before");
  }
  return labels;
}

// The scored answers, or points, of the run, as the labels are of: of points only kinds that some label has.
class Gatherer {
 public:
  Gatherer(const Report& report, LabelMap& labels, bool of_points)
      : suite_(*report.suite),
        labels_(labels),
        of_points_(of_points),
        clusters_(ClustersOf(report.suite->cases)),
        by_variant_(report.suite->variants.size()) {}

  // First the kinds, then the scores.
  void LookAtKinds(const Cell& cell) {
    for (std::size_t i = 0; i < cell.record.scores.size(); ++i) {
      if (labels_.contains(KeyOf(cell, i))) kinds_.insert(KindOf(cell, i));
    }
  }
  void Add(const Cell& cell) {
    if (!of_points_) {
      if (cell.state == CellState::kScored) AddScore(cell, 0, cell.score);
      return;
    }
    for (std::size_t i = 0; i < cell.record.scores.size(); ++i) {
      const Score& score = cell.record.scores[i];
      if (score.state != ScoreState::kScored || !kinds_.contains(KindOf(cell, i))) continue;
      AddScore(cell, i, score.max == 0 ? score.value : score.value / score.max);
    }
  }

  const Gathered& all() const { return all_; }
  const Gathered& of(VariantIndex variant) const { return by_variant_[variant]; }

 private:
  static LabelKey KeyOf(const Cell& cell, std::size_t check) {
    return {.case_index = cell.case_index, .variant = cell.variant, .attempt = cell.attempt, .check = check};
  }
  std::string KindOf(const Cell& cell, std::size_t check) const {
    const std::vector<Check>& checks = suite_.cases[cell.case_index].checks;
    return check < checks.size() ? checks[check].kind : std::string(kJudgeKind);
  }
  void AddScore(const Cell& cell, std::size_t check, double score) {
    const auto found = labels_.find(KeyOf(cell, check));
    Labelled* label = found == labels_.end() ? nullptr : &found->second;
    if (label != nullptr) label->is_found = true;
    all_.Add(score, clusters_[cell.case_index], label);
    by_variant_[cell.variant].Add(score, clusters_[cell.case_index], label);
  }

  const Suite& suite_;
  LabelMap& labels_;
  bool of_points_;
  std::vector<std::uint32_t> clusters_;
  std::set<std::string> kinds_;
  Gathered all_;
  std::vector<Gathered> by_variant_;
};

std::optional<Interval> Within(const std::optional<Interval>& interval, double low, double high) {
  if (!interval) return interval;
  return Interval{std::clamp(interval->low, low, high), std::clamp(interval->high, low, high)};
}

// Labels are from 0 to 1, so is their mean, and it differs from that of the judges by 1 at most; the
// estimator knows no ends.
LabelEstimate EstimateOf(const Gathered& gathered) {
  LabelEstimate estimate = EstimateFromLabels(gathered.scores());
  if (estimate.estimate) estimate.estimate = std::clamp(*estimate.estimate, 0.0, 1.0);
  estimate.interval = Within(estimate.interval, 0, 1);
  estimate.bias_interval = Within(estimate.bias_interval, -1, 1);
  return estimate;
}

}  // namespace

Result<std::vector<LabelRow>> ReadLabels(std::string_view csv) {
  ASSAY_TRY(const auto table, ParseCsv(csv));
  if (table.empty()) return Error{ErrorCode::kInvalidInput, "expected a header line, found nothing"};
  const Columns columns(table.front());
  for (const char* name : {"case", "variant", "label"}) {
    if (!columns.Has(name))
      return Error{ErrorCode::kInvalidInput, fmt::format("expected a column `{}` in the first line", name)};
  }
  std::vector<LabelRow> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    if (columns.Of(table[i], "label").empty()) continue;
    ASSAY_TRY(LabelRow row, ReadRow(columns, table[i], i + 1));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return Error{ErrorCode::kInvalidInput, "no line has a label"};
  return rows;
}

Result<std::vector<Calibration>> Calibrate(const Report& report, const std::vector<LabelRow>& rows) {
  ASSAY_TRY(LabelMap labels, MapOf(*report.suite, rows));
  const bool of_points = rows.front().check.has_value();
  Gatherer gatherer(report, labels, of_points);
  const CellParts parts = of_points ? CellParts::kScores : CellParts::kOutcome;
  if (of_points) {
    ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), parts, [&](const Cell& cell) {
      gatherer.LookAtKinds(cell);
      return Ok();
    }));
  }
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), parts, [&](const Cell& cell) {
    gatherer.Add(cell);
    return Ok();
  }));
  for (const auto& [key, label] : labels) {
    if (!label.is_found)
      return BadLine(label.line,
                     fmt::format("the run has no score of this {}", of_points ? "point" : "answer"));
  }
  std::vector<Calibration> calibrations(1);
  calibrations[0].estimate = EstimateOf(gatherer.all());
  for (VariantIndex v = 0; v < report.suite->variants.size(); ++v) {
    if (gatherer.of(v).labels.empty() || report.suite->variants.size() == 1) continue;
    Calibration& one = calibrations.emplace_back();
    one.variant = report.suite->variants[v].id;
    one.estimate = EstimateOf(gatherer.of(v));
  }
  for (Calibration& each : calibrations) each.sentence = LabelSentence(each.variant, each.estimate);
  return calibrations;
}

}  // namespace assay
