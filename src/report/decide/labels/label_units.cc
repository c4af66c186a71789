// Collects units in one walk over all cells.
#include "report/decide/labels/label_units.h"

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "report/decide/labels/unit_digests.h"
#include "report/decide/standings.h"
#include "report/values/points.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// The voice of scores that no judge gave.
constexpr std::string_view kNoJudge;

double ShareOf(const Score& score) { return score.max == 0 ? score.value : score.value / score.max; }

// Votes say how far the criterion is met, which it should not be where it is inverted.
double VoteOf(const Check& check, const Evidence& evidence) {
  return check.invert ? 1 - evidence.value : evidence.value;
}

}  // namespace

std::string KindOfPoint(const Suite& suite, CaseIndex case_index, std::size_t check) {
  const std::vector<Check>& checks = suite.cases[case_index].checks;
  return check < checks.size() ? checks[check].kind : std::string(kJudgeKind);
}

class UnitCollector {
 public:
  UnitCollector(const Report& report, UnitsAsk ask)
      : suite_(*report.suite), ask_(std::move(ask)), clusters_(ClustersOf(report.suite->cases)) {}

  void Add(const Cell& cell) {
    if (cell.state == CellState::kSkipped) return;
    if (ask_.unit == LabelUnit::kAnswer) {
      if (cell.state == CellState::kScored) AddAnswer(cell);
      return;
    }
    Case extracted;
    const Case& the_case = CheckedCase(suite_, cell, extracted);
    std::optional<UnitDigests> digests;
    for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case.checks.size()); ++i) {
      const Score& score = cell.record.scores[i];
      const Check& check = the_case.checks[i];
      if (score.state != ScoreState::kScored || !ask_.kinds.contains(check.kind)) continue;
      if (!digests) digests = DigestsOf(cell);
      digests->criterion = CriterionDigest(check);
      AddPoint(UnitOf(cell, i, *digests), check, score);
    }
  }

  LabelUnits Finish() {
    result_.Stratify();
    return std::move(result_);
  }

 private:
  UnitDigests DigestsOf(const Cell& cell) const {
    return {.criterion = "", .question = QuestionDigest(suite_, cell), .answer = AnswerDigest(suite_, cell)};
  }

  ReportUnit& UnitOf(const Cell& cell, std::size_t check, const UnitDigests& digests) {
    const LabelKey key{
        .case_index = cell.case_index, .variant = cell.variant, .attempt = cell.attempt, .check = check};
    DrawPlace place = PlaceOfUnit(ask_.unit, ask_.seed, digests);
    const auto [at, is_new] =
        result_.by_place_.emplace(place.number, static_cast<std::uint32_t>(result_.units_.size()));
    if (is_new) {
      result_.units_.push_back({.place = std::move(place),
                                .first = key,
                                .variants = {},
                                .cluster = clusters_[cell.case_index],
                                .scores = {},
                                .judges = {}});
    }
    ReportUnit& unit = result_.units_[at->second];
    ++unit.times;
    unit.variants.insert(cell.variant);
    if (ask_.wanted.contains(key)) result_.by_key_[key] = at->second;
    return unit;
  }

  static void AddPoint(ReportUnit& unit, const Check& check, const Score& score) {
    if (!check.IsCriterion() || score.evidence.empty()) {
      unit.scores.Add(kNoJudge, ShareOf(score));
      return;
    }
    for (const Evidence& evidence : score.evidence) {
      unit.scores.Add(evidence.source, VoteOf(check, evidence));
      unit.judges.Add(evidence.source, VoteOf(check, evidence));
    }
  }

  void AddAnswer(const Cell& cell) {
    ReportUnit& unit = UnitOf(cell, 0, DigestsOf(cell));
    unit.scores.Add(kNoJudge, cell.score);
    Case extracted;
    const Case& the_case = CheckedCase(suite_, cell, extracted);
    struct Sum {
      double sum = 0;
      double weight = 0;
    };
    std::map<std::string, Sum> by_judge;
    for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case.checks.size()); ++i) {
      const Check& check = the_case.checks[i];
      if (!check.IsCriterion() || cell.record.scores[i].state != ScoreState::kScored) continue;
      for (const Evidence& evidence : cell.record.scores[i].evidence) {
        Sum& sum = by_judge[evidence.source];
        sum.sum += check.weight * VoteOf(check, evidence);
        sum.weight += check.weight;
      }
    }
    for (const auto& [judge, sum] : by_judge)
      if (sum.weight > 0) unit.judges.Add(judge, sum.sum / sum.weight);
  }

  const Suite& suite_;
  UnitsAsk ask_;
  std::vector<std::uint32_t> clusters_;
  LabelUnits result_;
};

Result<LabelUnits> LabelUnits::Collect(const Report& report, UnitsAsk ask) {
  UnitCollector collector(report, std::move(ask));
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), CellParts::kAll, [&](const Cell& cell) {
    collector.Add(cell);
    return Ok();
  }));
  return collector.Finish();
}

const std::uint32_t* LabelUnits::Find(const LabelKey& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &found->second;
}

const std::uint32_t* LabelUnits::FindPlace(std::uint64_t number) const {
  const auto found = by_place_.find(number);
  return found == by_place_.end() ? nullptr : &found->second;
}

bool LabelUnits::has_copies() const {
  return std::any_of(units_.begin(), units_.end(), [](const ReportUnit& unit) { return unit.times > 1; });
}

std::vector<DrawUnit> LabelUnits::DrawUnitsOfAll() const {
  std::vector<DrawUnit> units;
  units.reserve(units_.size());
  for (const ReportUnit& unit : units_) {
    const double range = std::max(unit.scores.Range(), unit.judges.Range());
    units.push_back({.place = unit.place, .judges = unit.scores.Mean(), .range = range});
  }
  return units;
}

void LabelUnits::Stratify() {
  draw_ = DrawUnits(DrawUnitsOfAll(), 1);
  for (std::uint32_t h = 0; h < draw_.strata.size(); ++h) {
    for (const std::uint32_t unit : draw_.strata[h].order) units_[unit].stratum = h;
  }
}

std::string LabelUnits::StrataDigest() const {
  constexpr std::size_t kDigits = 10;
  Sha256 hash;
  for (std::size_t h = 0; h < draw_.strata.size(); ++h) {
    for (const std::uint32_t unit : draw_.strata[h].order) {
      hash.Update(std::to_string(h));
      hash.Update(" " + units_[unit].place.text + "\n");
    }
  }
  return HexPrefix(hash.Finish(), kDigits);
}

std::vector<std::uint32_t> LabelUnits::Queue(std::uint64_t n) const {
  return DrawUnits(DrawUnitsOfAll(), n).queue;
}

}  // namespace assay
