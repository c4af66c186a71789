// Exports the ranking as a CSV table with lines for groups of cases: one for each variant over all cases, one
// for each variant and group, and one for the mean of the groups (macro).
#include <fmt/core.h>

#include <algorithm>

#include "report/decide/groups/group_tables.h"
#include "report/export/cells.h"
#include "report/export/csv_fields.h"
#include "report/fold/named_shares.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::string_view kTableHead =
    "run,variant,model,row,by,group,cases,cases_left_out,mean,low,high,why,passed,passed_low,passed_high,"
    "rank,"
    "rank_last";

// The numbers of one line.
struct TableNumbers {
  std::uint64_t cases = 0;
  std::uint64_t left_out = 0;
  std::optional<double> mean = {};
  std::optional<Interval> interval = {};
  Why why = Why::kNone;
  std::optional<double> passed = {};
  std::optional<Interval> passed_interval = {};
};

TableNumbers TableNumbersOf(const PartMean& part) {
  return {.cases = part.score.cases,
          .left_out = part.left_out,
          .mean = part.score.mean,
          .interval = part.score.interval,
          .why = part.score.why,
          .passed = part.passes.mean,
          .passed_interval = part.passes.interval};
}

class TableWriter {
 public:
  TableWriter(const Report& report, const RunStatistics& statistics, const ExportAsk& ask, Sink& sink)
      : report_(report),
        suite_(*report.suite),
        names_(NamesOfShares(report)),
        statistics_(statistics),
        run_(CsvField(report.run.run_id)),
        stopped_(CsvField(report.stopped)),
        variants_(VariantsOf(report, ask)),
        tries_(TriesToTell(suite_, {})),
        lines_(sink) {}

  Status Write() {
    lines_.out() += kTableHead;
    for (const std::uint64_t k : tries_) lines_.out() += fmt::format(",pass_at_{}", k);
    for (const std::string& name : names_) lines_.out() += "," + CsvField("score." + name);
    lines_.out() += ",stopped";
    ASSAY_CHECK_OK(lines_.EndLine());
    ASSAY_CHECK_OK(WriteRanking());
    for (const GroupBy by : {GroupBy::kGroup, GroupBy::kTag, GroupBy::kLang}) {
      for (const GroupTable& table : GroupTablesOf(suite_, statistics_, by))
        ASSAY_CHECK_OK(WriteTable(table));
    }
    return lines_.Finish();
  }

 private:
  bool IsAsked(VariantNumber variant) const {
    return std::find(variants_.begin(), variants_.end(), variant) != variants_.end();
  }

  // `place`: of the ranking; null of any other line.
  Status AddLine(VariantNumber variant, std::string_view row, std::string_view by, std::string_view group,
                 const TableNumbers& numbers, const RankPlace* place) {
    std::string& out = lines_.out();
    out += fmt::format("{},{},{},{},{},{},{},{},{}", run_, CsvField(suite_.variants[variant].id),
                       CsvField(suite_.variants[variant].model_id), row, by, CsvField(group), numbers.cases,
                       numbers.left_out, NumberField(numbers.mean));
    AddInterval(numbers.interval);
    out += fmt::format(",{},{}", numbers.interval ? std::string_view() : WhyCode(numbers.why),
                       NumberField(numbers.passed));
    AddInterval(numbers.passed_interval);
    const bool is_ranked = place != nullptr && place->can_rank;
    out += is_ranked ? fmt::format(",{},{}", place->rank, place->rank_last) : ",,";
    for (const std::uint64_t k : tries_) {
      out += ',';
      if (row == "all") out += NumberField(PassAtK(variant, k));
    }
    for (const std::string& name : names_) {
      out += ',';
      if (row == "all") out += NumberField(MeanOf(variant, name));
    }
    out += "," + stopped_;
    return lines_.EndLine();
  }

  void AddInterval(const std::optional<Interval>& interval) {
    lines_.out() += interval ? fmt::format(",{},{}", NumberField(interval->low), NumberField(interval->high))
                             : std::string(",,");
  }

  // Of the criteria of one name.
  std::optional<double> MeanOf(VariantNumber variant, const std::string& name) const {
    for (const VariantSummary& summary : report_.variants) {
      if (summary.variant != variant) continue;
      for (const NamedMean& named : summary.named) {
        if (named.name == name) return named.mean;
      }
    }
    return std::nullopt;
  }

  std::optional<double> PassAtK(VariantNumber variant, std::uint64_t k) const {
    return PassesAt(suite_, statistics_.reliability.passes, static_cast<VariantIndex>(variant), k,
                    statistics_.standings.scores.design())
        .passes.any.mean;
  }

  TableNumbers NumbersOfAll(VariantNumber variant, const MeanEstimate& estimate) const {
    const MeanEstimate passes = PassRateOf(statistics_, std::span(&variant, 1));
    return {.cases = estimate.cases,
            .left_out = estimate.cases_left_out,
            .mean = estimate.mean,
            .interval = estimate.interval,
            .why = estimate.why,
            .passed = passes.mean,
            .passed_interval = passes.interval};
  }

  Status WriteRanking() {
    const Ranking& ranking = statistics_.standings.ranking;
    for (const RankPlace& place : ranking.places) {
      if (!IsAsked(place.variant)) continue;
      ASSAY_CHECK_OK(
          AddLine(place.variant, "all", "", "", NumbersOfAll(place.variant, place.estimate), &place));
    }
    for (const VariantNumber variant : ranking.unranked) {
      if (!IsAsked(variant)) continue;
      const CaseScores& scores = statistics_.standings.scores;
      const MeanEstimate estimate = EstimateMean(scores.samples[variant], scores.design());
      ASSAY_CHECK_OK(AddLine(variant, "all", "", "", NumbersOfAll(variant, estimate), nullptr));
    }
    return Ok();
  }

  Status WriteTable(const GroupTable& table) {
    for (std::size_t g = 0; g < table.split.names.size() && !table.variants.empty(); ++g) {
      for (const VariantIndex variant : variants_) {
        const PartMean& part = table.variants[variant].groups[g];
        ASSAY_CHECK_OK(
            AddLine(variant, "group", table.split.by, table.split.names[g], TableNumbersOf(part), nullptr));
      }
    }
    for (const VariantIndex variant : variants_) {
      if (table.variants.empty() || !table.variants[variant].macro) continue;
      const MacroMean& macro = *table.variants[variant].macro;
      const PartMean& micro = table.variants[variant].micro;
      ASSAY_CHECK_OK(AddLine(variant, "macro", table.split.by, "",
                             {.cases = micro.score.cases,
                              .left_out = micro.left_out,
                              .mean = macro.score.mean,
                              .interval = macro.score.interval,
                              .why = macro.score.why,
                              .passed = macro.passes.mean,
                              .passed_interval = macro.passes.interval},
                             nullptr));
    }
    return Ok();
  }

  const Report& report_;
  const Suite& suite_;
  std::vector<std::string> names_;  // of criteria
  const RunStatistics& statistics_;
  std::string run_;
  std::string stopped_;
  std::vector<VariantIndex> variants_;
  std::vector<std::uint64_t> tries_;
  PieceWriter lines_;
};

}  // namespace

Status ExportTableCsv(const Report& report, const ExportAsk& ask, Sink& sink) {
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, ask.pass));
  return TableWriter(report, *statistics, ask, sink).Write();
}

}  // namespace assay
