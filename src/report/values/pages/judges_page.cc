// Collects votes in one walk, and tells what differs.
#include "report/values/pages/judges_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "report/decide/factors.h"
#include "report/values/json.h"
#include "report/values/pages/case_rows.h"
#include "report/values/pages/trust.h"
#include "report/values/points.h"
#include "report/values/statistics.h"
#include "spec/suite/suite.h"
#include "statistics/agreement/agreement.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::size_t kClasses = 5;  // of votes: 0, 25, 50, 75, 100
constexpr double kApart = 0.75;
constexpr std::size_t kListedMax = 50;
constexpr std::size_t kPointsMax = 10;
constexpr std::size_t kJudgesInMatrixMax = 6;  // pairs of more are not laid side by side

struct VoteAt {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  AttemptIndex attempt = 0;
  std::size_t point = 0;
};

struct AgainstVote {
  VoteAt at;
  Evidence vote;
};

struct JudgeSums {
  double sum = 0;
  std::uint64_t votes = 0;
  double distance = 0;  // from the mean of the others on the same point
  std::uint64_t beside = 0;
};

struct Matrix {
  std::array<std::array<std::uint64_t, kClasses>, kClasses> counts{};
  std::vector<VoteAt> apart;
  std::uint64_t apart_count = 0;
};

// All votes on one point of the suite.
struct PointVotes {
  std::string text;
  std::vector<VoteUnit> units;
  std::set<CaseIndex> cases;
  std::uint64_t votes = 0;
};

std::size_t ClassOf(double vote) {
  return static_cast<std::size_t>(std::lround(std::clamp(vote, 0.0, 1.0) * (kClasses - 1)));
}

class VoteWalk {
 public:
  explicit VoteWalk(const Suite& suite) : suite_(suite) {}

  void Add(const Cell& cell) {
    Case extracted;
    const Case& the_case = CheckedCase(suite_, cell, extracted);
    for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case.checks.size()); ++i) {
      const Score& score = cell.record.scores[i];
      if (!the_case.checks[i].IsCriterion()) continue;
      if (score.state == ScoreState::kMissing) ++missing_;
      if (score.evidence.empty()) continue;
      AddPoint({cell.case_index, cell.variant, cell.attempt, i}, the_case.checks[i].text, score);
    }
  }

  const std::map<std::string, JudgeSums>& judges() const { return judges_; }
  std::uint64_t missing() const { return missing_; }

  Value MatrixValue() const {
    List list;
    for (const auto& [judges, matrix] : matrices_) {
      List edges;
      for (std::size_t i = 0; i < kClasses; ++i)
        edges.emplace_back(static_cast<double>(i) / static_cast<double>(kClasses - 1));
      list.emplace_back(Object{
          {"a", judges.first},
          {"b", judges.second},
          {"edges", std::move(edges)},
          {"counts", ArrayOf(matrix.counts, [&](const auto& row) { return ArrayOf(row, CountValue); })},
          {"apart", ArrayOf(matrix.apart, [&](const VoteAt& at) { return PlaceMap(at); })},
          {"apart_count", CountValue(matrix.apart_count)}});
    }
    return list;
  }

  // The points on which votes differ most.
  Value PointsValue() const {
    struct Row {
      double alpha;
      const PointVotes* point;
    };
    std::vector<Row> rows;
    for (const auto& [key, point] : points_) {
      const AgreementEstimate estimate = EstimateAgreement(point.units);
      constexpr std::uint64_t kUnitsMin = 3;
      if (estimate.alpha && estimate.units >= kUnitsMin) rows.push_back({*estimate.alpha, &point});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.alpha < b.alpha; });
    rows.resize(std::min(rows.size(), kPointsMax));
    return ArrayOf(rows, [&](const Row& row) {
      return Object{{"text", row.point->text},
                    {"alpha", row.alpha},
                    {"votes", CountValue(row.point->votes)},
                    {"cases", ArrayOf(row.point->cases,
                                      [&](const CaseIndex index) { return suite_.cases[index].id; })}};
    });
  }

  Value AgainstValue() const {
    List list;
    for (const AgainstVote& each : against_) {
      Map map = PlaceMap(each.at);
      Extend(
          map,
          {{"judge", each.vote.source}, {"score", each.vote.value}, {"reason", TextOrNull(each.vote.text)}});
      list.emplace_back(std::move(map));
    }
    return list;
  }
  std::uint64_t against_count() const { return against_count_; }

 private:
  Map PlaceMap(const VoteAt& at) const {
    return Object{{"case", suite_.cases[at.case_index].id},
                  {"variant", suite_.variants[at.variant].id},
                  {"attempt", at.attempt + 1},
                  {"point", CountValue(at.point)}};
  }

  void AddPoint(const VoteAt& at, const std::string& text, const Score& score) {
    PointVotes& point = points_[text];
    point.text = text;
    point.cases.insert(at.case_index);
    VoteUnit unit{.votes = {}, .cluster = at.case_index};
    double sum = 0;
    for (const Evidence& vote : score.evidence) {
      unit.votes.push_back(vote.value);
      sum += vote.value;
    }
    for (const Evidence& vote : score.evidence) AddVote(at, vote, sum, score.evidence.size());
    point.votes += score.evidence.size();
    point.units.push_back(std::move(unit));
    AddPairs(at, score.evidence);
  }

  void AddVote(const VoteAt& at, const Evidence& vote, double sum, std::size_t votes) {
    JudgeSums& judge = judges_[vote.source];
    judge.sum += vote.value;
    ++judge.votes;
    if (votes > 1) {
      judge.distance += vote.value - (sum - vote.value) / static_cast<double>(votes - 1);
      ++judge.beside;
    }
    if (vote.against == 0) return;
    ++against_count_;
    if (against_.size() < kListedMax) against_.push_back({at, vote});
  }

  void AddPairs(const VoteAt& at, const std::vector<Evidence>& votes) {
    for (std::size_t i = 0; i < std::min(votes.size(), kJudgesInMatrixMax); ++i) {
      for (std::size_t j = i + 1; j < std::min(votes.size(), kJudgesInMatrixMax); ++j) {
        const bool is_turned = votes[j].source < votes[i].source;
        const Evidence& a = is_turned ? votes[j] : votes[i];
        const Evidence& b = is_turned ? votes[i] : votes[j];
        Matrix& matrix = matrices_[{a.source, b.source}];
        ++matrix.counts[ClassOf(a.value)][ClassOf(b.value)];
        if (std::abs(a.value - b.value) < kApart) continue;
        ++matrix.apart_count;
        if (matrix.apart.size() < kListedMax) matrix.apart.push_back(at);
      }
    }
  }

  const Suite& suite_;
  std::map<std::string, JudgeSums> judges_;
  std::map<std::pair<std::string, std::string>, Matrix> matrices_;
  std::map<std::string, PointVotes> points_;  // by text: the same criterion in several cases is one
  std::vector<AgainstVote> against_;
  std::uint64_t against_count_ = 0;
  std::uint64_t missing_ = 0;
};

std::string SentenceOf(const Reliability& reliability) {
  if (!reliability.asks_judges) return "Nothing is judged: every criterion is computed.";
  if (!reliability.sentence.empty()) return reliability.sentence;
  if (reliability.judges.empty()) return "No judge has voted.";
  return fmt::format("One judge, {}: whether another would agree is not known.",
                     reliability.judges.front().judge);
}

void AddSpread(const Reliability& reliability, std::vector<Condition>& to) {
  const VariantReliability* first = reliability.variants.empty() ? nullptr : &reliability.variants.front();
  if (first == nullptr || !first->spread.of_case) return;
  const auto percent = [](std::optional<double> share) { return std::lround(100 * share.value_or(0)); };
  to.push_back(
      {.text = fmt::format(
           "What a mean is unsure of comes by {} % from cases, by {} % from sampling, by {} % from judges",
           percent(first->spread.of_case), percent(first->spread.of_sampling),
           percent(first->spread.of_judge))});
}

Condition AgainstPeople(const PageFacts& facts) {
  if (!facts.labels_problem.empty())
    return {.sign = Sign::kDoubt, .text = "The labels say nothing of this run: " + facts.labels_problem};
  if (facts.calibrations.empty())
    return {.sign = Sign::kDoubt,
            .text = "What people would say is not known here: assay view --labels compares with labels"};
  const LabelEstimate& all = facts.calibrations.front().estimate;
  if (!all.estimate)
    return {.sign = Sign::kDoubt,
            .text = CountOf(all.labelled, "label") + " by people, which say nothing of the other answers"};
  const bool is_far = all.bias_interval && (all.bias_interval->low > 0 || all.bias_interval->high < 0);
  return {.sign = GoodIf(!is_far),
          .text = fmt::format("{} by people: {}", CountOf(all.labelled, "label"),
                              is_far ? "scores of judges are not theirs; see the correction"
                                     : "no difference between judges and people can be shown")};
}

std::vector<Condition> ConditionsOfJudges(const PageFacts& facts, const VoteWalk& walk) {
  const Reliability& reliability = facts.statistics.reliability;
  std::vector<Condition> conditions;
  if (!reliability.asks_judges) return conditions;
  if (walk.missing() > 0) {
    conditions.push_back({.sign = Sign::kDoubt,
                          .text = CriteriaOf(walk.missing()) + " without a verdict",
                          .link = "?q=state:partial"});
  } else {
    conditions.push_back({.sign = Sign::kGood, .text = "Every judged criterion has a verdict"});
  }
  if (walk.against_count() > 0) {
    conditions.push_back({.sign = Sign::kDoubt,
                          .text = CountOf(walk.against_count(), "vote") + " against the judge's own words"});
  } else {
    conditions.push_back({.sign = Sign::kGood, .text = "No vote against the judge's own words was seen"});
  }
  const bool votes_again = std::any_of(reliability.judges.begin(), reliability.judges.end(),
                                       [](const JudgeReliability& judge) { return judge.self.units > 0; });
  if (!votes_again)
    conditions.push_back({.sign = Sign::kDoubt,
                          .text =
                              "Each judge was asked once: whether it would say the same again is not known "
                              "(--votes)"});
  AddSpread(reliability, conditions);
  conditions.push_back(AgainstPeople(facts));
  return conditions;
}

// The scores that people would give, of all variants and of each.
Value CalibrationValue(const PageFacts& facts, const Suite& suite) {
  const std::vector<std::string> names = SpokenNames(suite);
  List list;
  for (const Calibration& each : facts.calibrations) {
    const auto variant = std::find_if(suite.variants.begin(), suite.variants.end(),
                                      [&each](const Variant& one) { return one.id == each.variant; });
    list.emplace_back(
        Object{{"variant", TextOrNull(each.variant)},
               {"name", variant == suite.variants.end()
                            ? Value(Null{})
                            : Value(names[static_cast<std::size_t>(variant - suite.variants.begin())])},
               {"sentence", each.sentence},
               {"labels", CountValue(each.estimate.labelled)},
               {"judge_mean", NumberOrNull(each.estimate.judge_mean)},
               {"estimate", NumberOrNull(each.estimate.estimate)},
               {"interval", IntervalValue(each.estimate.interval)},
               {"why", TextOrNull(WhyCode(each.estimate.why))},
               {"bias", NumberOrNull(each.estimate.bias)},
               {"bias_interval", IntervalValue(each.estimate.bias_interval)},
               {"alpha", NumberOrNull(each.estimate.alpha)}});
  }
  return list;
}

}  // namespace

Result<Value> JudgesPageValue(const Report& report, const PageFacts& facts) {
  const Suite& suite = *report.suite;
  const Reliability& reliability = facts.statistics.reliability;
  VoteWalk walk(suite);
  CellRange judged = CellRange::All();
  judged.last_case = reliability.judged_cases;
  if (reliability.asks_judges && reliability.judged_cases > 0) {
    ASSAY_CHECK_OK(report.for_each_cell(judged, CellParts::kGrades, [&walk](const Cell& cell) {
      walk.Add(cell);
      return Ok();
    }));
  }
  Map map = Object{{"sentence", SentenceOf(reliability)},
                   {"trust", ConditionsValue(ConditionsOfJudges(facts, walk))},
                   {"agreement", AgreementValue(reliability.agreement)}};
  List judges = ArrayOf(reliability.judges, [&walk](const JudgeReliability& judge) {
    Map of_judge = JudgeMap(judge);
    const auto found = walk.judges().find(judge.judge);
    const JudgeSums sums = found == walk.judges().end() ? JudgeSums() : found->second;
    Extend(of_judge,
           {{"mean", sums.votes == 0 ? Value(Null{}) : Value(sums.sum / static_cast<double>(sums.votes))},
            {"distance",
             sums.beside == 0 ? Value(Null{}) : Value(sums.distance / static_cast<double>(sums.beside))}});
    return of_judge;
  });
  Extend(map, {{"judges", std::move(judges)},
               {"no_verdict", CountValue(walk.missing())},
               {"matrix", walk.MatrixValue()},
               {"points", walk.PointsValue()},
               {"against", walk.AgainstValue()},
               {"against_count", CountValue(walk.against_count())},
               {"calibration", CalibrationValue(facts, suite)}});
  map.Append("titles", TitlesValue(map, suite));
  return Value(std::move(map));
}

}  // namespace assay
