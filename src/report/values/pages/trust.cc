// One function for each condition, in the order in which they are told.
#include "report/values/pages/trust.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/decide/planning/suite_power.h"
#include "report/fold/cell_counts.h"
#include "report/values/json.h"
#include "report/values/runs.h"
#include "report/values/words/served.h"
#include "spec/suite/stored_suite.h"
#include "statistics/decisions/paired.h"
#include "statistics/decisions/sentence_parts.h"
#include "text/object.h"

namespace assay {

namespace {

struct ConditionInput {
  const Report& report;
  const PageFacts& facts;
  const Reliability& reliability() const { return facts.statistics.reliability; }
};
using Conditions = std::vector<Condition>;

std::string Upper(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// " (budget)": what stopped the run.
std::string StopAddition(const PageFacts& facts) {
  const std::string_view name = StopName(facts.record, facts.is_live);
  return name.empty() ? std::string() : fmt::format(" ({})", name);
}

void AddGivenUp(const ConditionInput& asked, Conditions& to) {
  for (const std::string& model : GivenUpModels(asked.facts.record))
    to.push_back({.sign = Sign::kDoubt,
                  .text = fmt::format("{} failed again and again, and was asked no more", model),
                  .link = "?q=state:error"});
}

void AddScored(const ConditionInput& asked, Conditions& to) {
  const CellCounts counts = CountCells(asked.report);
  const std::uint64_t asked_cells = counts.cells - counts.skipped;
  const bool is_open = asked.facts.record.state != RunState::kFinished;
  if (counts.skipped > 0) {
    const auto percent = static_cast<int>(100 * asked_cells / std::max<std::uint64_t>(counts.cells, 1));
    to.push_back({.sign = Sign::kDoubt,
                  .text = fmt::format("{} of {} {} {}: {} %{}", asked_cells, CountOf(counts.cells, "cell"),
                                      asked_cells == 1 ? "is" : "are", is_open ? "done so far" : "done",
                                      percent, StopAddition(asked.facts)),
                  .link = is_open ? "" : "?q=state:skipped"});
  }
  if (counts.errors == 0 && counts.unscored == 0 && counts.partial == 0) {
    to.push_back({.sign = Sign::kGood,
                  .text = fmt::format("{} of {} scored", counts.scored, CountOf(asked_cells, "cell"))});
    return;
  }
  to.push_back({.sign = GoodIf(counts.errors == 0 && counts.partial == 0),
                .text = fmt::format("{} of {} scored; the others are outside every mean", counts.scored,
                                    CountOf(asked_cells, "cell"))});
  if (counts.errors > 0)
    to.push_back({.sign = Sign::kDoubt, .text = CountOf(counts.errors, "error"), .link = "?q=state:error"});
  if (counts.unscored > 0)
    to.push_back(
        {.text = CountOf(counts.unscored, "cell") + " that nobody scores", .link = "?q=state:unscored"});
}

void AddAboveWhole(const ConditionInput& asked, Conditions& to) {
  const std::uint64_t above = asked.facts.statistics.standings.scores.above_whole;
  if (above > 0)
    to.push_back(
        {.sign = Sign::kDoubt,
         .text = CountOf(above, "score") + " above 100, counted as 100: a check gave more than its total"});
}

void AddPartial(const ConditionInput& asked, Conditions& to) {
  const std::uint64_t partial = CountCells(asked.report).partial;
  if (partial == 0) {
    to.push_back({.sign = Sign::kGood, .text = "No cell is graded in part"});
    return;
  }
  to.push_back({.sign = Sign::kDoubt,
                .text = CountOf(partial, "cell") + " graded in part: a criterion has no verdict",
                .link = "?q=state:partial"});
}

void AddMarks(const ConditionInput& asked, Conditions& to) {
  const PairMarks& marks = asked.facts.map.marks;
  if (!asked.facts.map.has_marks) return;
  if (marks.point_errors > 0)
    to.push_back({.sign = Sign::kDoubt,
                  .text = CriteriaOf(marks.point_errors) + " could not be graded: an error of its own",
                  .link = "?q=point:error"});
  if (marks.no_answer > 0) {
    to.push_back({.sign = Sign::kDoubt,
                  .text = fmt::format("No answer found in {}: functions give them 0",
                                      CountOf(marks.no_answer, "reply"))});
  }
  if (marks.cut > 0)
    to.push_back({.sign = Sign::kDoubt, .text = CountOf(marks.cut, "answer") + " cut at a limit of tokens"});
  if (marks.stood_in > 0)
    to.push_back(
        {.sign = Sign::kDoubt, .text = "Another model stood in for " + CountOf(marks.stood_in, "answer")});
  if (marks.point_errors + marks.no_answer + marks.cut + marks.stood_in > 0) return;
  const bool is_as_asked = ModelNotes(asked.report.totals).empty();
  to.push_back({.sign = Sign::kGood,
                .text = is_as_asked
                            ? "No answer was cut, none came from another model, no criterion is an error"
                            : "No answer was cut, no criterion is an error"});
}

void AddServed(const ConditionInput& asked, Conditions& to) {
  for (std::string& line : ModelNotes(asked.report.totals))
    to.push_back({.sign = Sign::kDoubt, .text = std::move(line)});
}

void AddJudges(const ConditionInput& asked, Conditions& to) {
  const Reliability& reliability = asked.reliability();
  if (!reliability.asks_judges) {
    to.push_back({.sign = Sign::kGood, .text = "No score rests on a judge: all criteria are computed"});
    return;
  }
  if (!reliability.sentence.empty()) {
    constexpr double kReliable = 0.8;
    const std::optional<Interval>& interval = reliability.agreement.interval;
    std::string text = reliability.sentence;
    if (text.ends_with('.')) text.pop_back();
    to.push_back(
        {.sign = GoodIf(interval && interval->low >= kReliable), .text = std::move(text), .link = "/judges"});
  } else {
    to.push_back({.sign = Sign::kDoubt,
                  .text = "One judge alone: nobody to agree or disagree with it",
                  .link = "/judges"});
  }
  const PairMarks& marks = asked.facts.map.marks;
  if (asked.facts.map.has_marks && marks.lost_votes > 0)
    to.push_back(
        {.sign = Sign::kDoubt,
         .text = "A judge gave no verdict on " + CriteriaOf(marks.lost_votes) + "; the others' count",
         .link = "/judges"});
}

void AddFlaky(const ConditionInput& asked, Conditions& to) {
  const Reliability& reliability = asked.reliability();
  if (!reliability.has_attempts) {
    to.push_back(
        {.sign = Sign::kDoubt, .text = "Asked once: whether answers would come out again is not known"});
    return;
  }
  const auto of_attempts =
      static_cast<std::uint64_t>(std::count_if(reliability.flaky.begin(), reliability.flaky.end(),
                                               [](const FlakyCase& flaky) { return flaky.judge.empty(); }));
  if (of_attempts == 0) {
    to.push_back({.sign = Sign::kGood, .text = "No answer passes once and fails another time"});
    return;
  }
  to.push_back({.sign = Sign::kDoubt,
                .text = fmt::format("{}{} now {} and now {}", reliability.flaky_more > 0 ? "More than " : "",
                                    CountOf(of_attempts, "answer"), of_attempts == 1 ? "passes" : "pass",
                                    of_attempts == 1 ? "fails" : "fail"),
                .link = "?q=flaky:yes"});
}

// The smallest lead that the pairs of a ranking could show: the median over those that tell.
std::optional<double> SmallestSeen(const Ranking& ranking) {
  std::vector<double> seen;
  for (const RankTest& test : ranking.tests) {
    if (const auto one = SmallestDifferenceSeen(test.paired, ranking.places.size())) seen.push_back(*one);
  }
  if (seen.empty()) return std::nullopt;
  std::nth_element(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2), seen.end());
  return seen[seen.size() / 2];
}

void AddPower(const ConditionInput& asked, Conditions& to) {
  const Ranking& ranking = asked.facts.statistics.standings.ranking;
  const std::size_t variants = ranking.places.size();
  if (variants == 0) {
    to.push_back({.sign = Sign::kDoubt, .text = "Nothing is scored"});
    return;
  }
  if (variants < 2 || asked.facts.statistics.is_early) return;  // its bounds say what it can show
  std::uint64_t clusters = 0;
  bool is_clustered = false;
  for (const RankTest& test : ranking.tests) {
    clusters = std::max<std::uint64_t>(clusters, test.paired.clusters);
    is_clustered = is_clustered || test.paired.clusters < test.paired.cases;
  }
  const std::string_view noun = is_clustered ? "cluster" : "case";
  if (clusters < *ranking.fewest()) {
    to.push_back({.sign = Sign::kDoubt, .text = TooFewCasesText(clusters, variants, noun)});
    return;
  }
  const std::optional<double> smallest = SmallestSeen(ranking);
  if (!smallest) return;
  const std::string among = variants > 2 ? fmt::format(" among {} variants", variants) : std::string();
  to.push_back({.sign = GoodIf(*smallest <= kUsualLead),
                .text = fmt::format("{} can show a lead of about {} or more{}", CountOf(clusters, noun),
                                    Points(std::nullopt, *smallest).Counted(*smallest), among)});
}

void AddClusters(const ConditionInput& asked, Conditions& to) {
  const CaseScores& scores = asked.facts.statistics.standings.scores;
  if (scores.clusters.empty()) return;
  const std::uint64_t clusters = *std::max_element(scores.clusters.begin(), scores.clusters.end()) + 1ull;
  if (clusters == scores.clusters.size()) return;
  to.push_back({.text = fmt::format("{} in {}: cases of one cluster count together in every interval",
                                    CountOf(scores.clusters.size(), "case"), CountOf(clusters, "cluster"))});
}

void AddForeign(const ConditionInput& asked, Conditions& to) {
  const std::uint64_t foreign = asked.report.totals.foreign_replies;
  std::uint64_t recorded = 0;
  for (const auto& [name, replies] : asked.report.totals.recorded) recorded += replies;
  if (recorded > 0) {
    const bool is_all = recorded >= asked.report.totals.requests;
    to.push_back({.text = is_all ? std::string("All replies are recordings: nobody was asked")
                                 : CountOf(recorded, "reply") + " are recordings, and were not asked for"});
    if (is_all && foreign == 0) return;
  }
  if (foreign == 0) {
    to.push_back(
        {.sign = Sign::kGood,
         .text = recorded > 0 ? "The others were made by this user" : "All replies were made by this user"});
    return;
  }
  to.push_back(
      {.sign = Sign::kDoubt, .text = Upper(CountOf(foreign, "reply")) + " that this user did not make"});
}

void AddToolchains(const ConditionInput& asked, Conditions& to) {
  const Result<std::vector<Toolchain>> toolchains = DecodeToolchains(asked.facts.record.toolchains);
  if (!toolchains) return;
  for (const Toolchain& toolchain : *toolchains) {
    if (!toolchain.missing.empty())
      to.push_back(
          {.sign = Sign::kDoubt,
           .text = fmt::format("{} was missing: its programs could not be run", Upper(toolchain.language))});
  }
}

void AddEarlier(const ConditionInput& asked, Conditions& to) {
  const std::optional<EarlierRun>& earlier = asked.facts.earlier;
  if (!earlier) return;
  to.push_back({.sign = GoodIf(earlier->is_alike),
                .text = earlier->is_alike
                            ? fmt::format("Same questions and checks as the run of {}", earlier->started)
                            : fmt::format("Other questions, checks or settings than in the run of {}",
                                          earlier->started),
                .link = fmt::format("#/compare/{},{}", asked.facts.record.context.run_id, earlier->id)});
}

void AddOlder(const ConditionInput& asked, Conditions& to) {
  if (asked.report.part_told == nullptr || !*asked.report.part_told) return;
  to.push_back({.sign = Sign::kDoubt,
                .text = "Another version of assay made some of the answers and stored no words of them"});
}

constexpr void (*kConditions[])(const ConditionInput&, Conditions&) = {
    AddScored, AddAboveWhole, AddGivenUp,  AddPartial, AddMarks,      AddServed,  AddJudges,
    AddFlaky,  AddPower,      AddClusters, AddForeign, AddToolchains, AddEarlier, AddOlder,
};

}  // namespace

std::string CriteriaOf(std::uint64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "criterion" : "criteria");
}

std::string CountOf(std::uint64_t count, std::string_view noun) {
  const bool is_reply = noun == "reply";
  if (count == 1) return fmt::format("1 {}", noun);
  return is_reply ? fmt::format("{} replies", count) : fmt::format("{} {}s", count, noun);
}

std::vector<Condition> ConditionsOf(const Report& report, const PageFacts& facts) {
  Conditions conditions;
  const ConditionInput asked{.report = report, .facts = facts};
  for (const auto add : kConditions) add(asked, conditions);
  // Where nothing is scored nothing was looked for.
  if (facts.statistics.standings.ranking.places.empty()) {
    for (Condition& condition : conditions) {
      if (condition.sign == Sign::kGood) condition.sign = Sign::kRemark;
    }
  }
  return conditions;
}

Value ConditionsValue(const std::vector<Condition>& conditions) {
  return ArrayOf(conditions, [&](const Condition& condition) {
    return Object{
        {"ok", condition.sign == Sign::kRemark ? Value(Null{}) : Value(condition.sign == Sign::kGood)},
        {"text", condition.text},
        {"href", TextOrNull(condition.link)}};
  });
}

}  // namespace assay
