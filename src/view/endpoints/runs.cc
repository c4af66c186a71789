// The list of runs, and how each suite went over its last runs.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <set>

#include "report/decide/comparison.h"
#include "report/decide/factors.h"
#include "report/values/json.h"
#include "report/values/runs.h"
#include "spec/suite/suite.h"
#include "store/location.h"
#include "text/object.h"
#include "view/endpoint.h"

namespace assay {

namespace {

constexpr std::uint64_t kRunsShown = 50;
constexpr std::uint64_t kRunsShownMax = 500;
constexpr std::size_t kTrendRuns = 9;
constexpr std::chrono::milliseconds kNewsTime{500};  // so long runs are folded for the list

Value CountsValue(const VariantSummary& counts) {
  return Object{{"scored", CountValue(counts.scored)},
                {"partial", CountValue(counts.partial)},
                {"errors", CountValue(counts.errors)},
                {"unscored", CountValue(counts.unscored)},
                {"skipped", CountValue(counts.skipped)}};
}

Value LeaderValue(const RunNews& news) {
  if (news.leader.empty()) return Null{};
  return Object{{"name", news.leader},
                {"mean", NumberOrNull(news.mean)},
                {"value", news.value},
                {"plain_mean", NumberOrNull(news.plain_mean)},
                {"pass_rate", NumberOrNull(news.pass_rate)},
                {"interval", IntervalValue(news.interval)}};
}

Value RowOf(const ListedRun& run, const RunNews* news) {
  Map map = RecordMembers(run.record, run.is_live);
  if (run.is_live) map.Set("state", "live");
  Extend(map,
         {{"suite", BoardOf(run.record)},
          {"is_foreign", run.is_foreign},
          {"store", ShownLocation(run.home->path)},
          {"cost_usd", run.record.cost ? Value(static_cast<double>(run.record.cost->nano_usd) / kNanoPerUsd)
                                       : Value(Null{})}});
  const bool is_finished = run.record.state == RunState::kFinished;
  Extend(map,
         {{"wall_ms", is_finished
                          ? Value(static_cast<double>(run.record.finished_ms - run.record.context.started_ms))
                          : Value(Null{})},
          {"cases", news == nullptr ? Value(Null{}) : CountValue(news->cases)},
          {"variants", news == nullptr ? Value(Null{}) : CountValue(news->variants)},
          {"attempts", news == nullptr ? Value(Null{}) : CountValue(news->attempts)},
          {"done", news == nullptr ? Value(Null{}) : CountValue(news->done)},
          {"counts", news == nullptr ? Value(Null{}) : CountsValue(news->counts)},
          {"sentence", news == nullptr ? Value(Null{}) : TextOrNull(news->sentence)},
          {"leader", news == nullptr ? Value(Null{}) : LeaderValue(*news)}});
  return Value(std::move(map));
}

// One suite, with its runs oldest first: those of this user, or those of others if this user made none.
struct SuiteRuns {
  std::string name;
  bool is_foreign = false;
  std::vector<std::size_t> runs;  // of the list, newest first
};

std::vector<SuiteRuns> SuitesOf(const std::vector<ListedRun>& runs) {
  std::vector<SuiteRuns> suites;
  std::set<std::string> own;
  for (const ListedRun& run : runs) {
    if (!run.is_foreign) own.insert(BoardOf(run.record));
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string name = BoardOf(runs[i].record);
    if (runs[i].is_foreign && own.contains(name)) continue;
    auto found = std::find_if(suites.begin(), suites.end(),
                              [&](const SuiteRuns& suite) { return suite.name == name; });
    if (found == suites.end()) {
      suites.push_back({.name = name, .is_foreign = runs[i].is_foreign, .runs = {}});
      found = std::prev(suites.end());
    }
    if (found->runs.size() < kTrendRuns) found->runs.push_back(i);
  }
  return suites;
}

// What the last two finished runs say of each other: of the first variant that both have.
struct Step {
  std::string from;  // ids of the runs
  std::string to;
  std::string variant;
  std::string name;  // of the variant, as pages call it
  Comparison comparison;
};

std::optional<Step> StepOf(Library& library, const std::vector<ListedRun>& runs, const SuiteRuns& suite) {
  std::vector<const ListedRun*> finished;
  for (const std::size_t i : suite.runs) {
    if (runs[i].record.state == RunState::kFinished && finished.size() < 2) finished.push_back(&runs[i]);
  }
  if (finished.size() < 2) return std::nullopt;
  Result<OpenedRun*> base = library.Open(finished[1]->record.context.run_id);
  if (!base) return std::nullopt;
  const CaseScores base_scores = (*base)->report.statistics->standings.scores;
  // The suite is kept by the cursors of its report.
  const Report base_report = (*base)->report;
  Result<OpenedRun*> fresh = library.Open(finished[0]->record.context.run_id);
  if (!fresh) return std::nullopt;
  const Report& report = (*fresh)->report;
  const Standings& standings = report.statistics->standings;
  for (const RankPlace& place : standings.ranking.places) {
    const std::string& id = report.suite->variants[place.variant].id;
    const std::vector<Variant>& others = base_report.suite->variants;
    const auto found =
        std::find_if(others.begin(), others.end(), [&id](const Variant& other) { return other.id == id; });
    if (found == others.end()) continue;
    const Contender now{.name = finished[0]->record.context.run_id,
                        .suite = report.suite,
                        .scores = &standings.scores,
                        .variant = static_cast<VariantIndex>(place.variant),
                        .spoken = "the last run"};
    const Contender then{.name = finished[1]->record.context.run_id,
                         .suite = base_report.suite,
                         .scores = &base_scores,
                         .variant = static_cast<VariantIndex>(found - others.begin()),
                         .spoken = "the one before"};
    return Step{.from = then.name,
                .to = now.name,
                .variant = id,
                .name = SpokenNames(*report.suite)[place.variant],
                .comparison = CompareWith(now, std::span(&then, 1), PairBy::kWholeCase).front()};
  }
  return std::nullopt;
}

Value StepValue(const Step& step) {
  Map map = Object{{"from", step.from},
                   {"to", step.to},
                   {"variant", step.variant},
                   {"name", step.name},
                   {"verdict", VerdictName(step.comparison.verdict)},
                   {"difference", NumberOrNull(step.comparison.paired.difference)},
                   {"interval", IntervalValue(step.comparison.paired.interval)}};
  std::string sentence = step.comparison.sentence;
  sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
  map.Append("sentence", std::move(sentence));
  return Value(std::move(map));
}

// How a suite went: the page's list and its first sentence are made of it.
struct SuiteNews {
  std::string name;
  bool is_foreign = false;
  List trend;  // of its last runs, oldest first
  std::optional<Step> step;
};

std::vector<SuiteNews> NewsOf(Library& library, const std::vector<ListedRun>& runs,
                              const std::function<bool()>& has_time) {
  std::vector<SuiteNews> all;
  for (const SuiteRuns& suite : SuitesOf(runs)) {
    List trend;
    for (auto i = suite.runs.rbegin(); i != suite.runs.rend(); ++i) {
      const RunNews* news = has_time() ? library.NewsOf(runs[*i]) : nullptr;
      if (news == nullptr || news->leader.empty()) continue;
      trend.emplace_back(Object{{"run", runs[*i].record.context.run_id},
                                {"started_ms", Number(runs[*i].record.context.started_ms)},
                                {"mean", NumberOrNull(news->mean)},
                                {"interval", IntervalValue(news->interval)},
                                {"leader", news->leader}});
    }
    all.push_back(
        {.name = suite.name, .is_foreign = suite.is_foreign, .trend = std::move(trend), .step = {}});
    if (has_time()) all.back().step = StepOf(library, runs, suite);
  }
  return all;
}

Value SuitesValue(const std::vector<SuiteNews>& suites) {
  return ArrayOf(suites, [&](const SuiteNews& suite) {
    return Object{{"suite", suite.name},
                  {"title", suite.name},
                  {"is_foreign", suite.is_foreign},
                  {"runs", suite.trend},
                  {"step", suite.step ? StepValue(*suite.step) : Value(Null{})}};
  });
}

// Finished ones.
bool HasTwoOfOneSuite(const std::vector<ListedRun>& runs) {
  std::set<std::string> seen;
  return std::any_of(runs.begin(), runs.end(), [&seen](const ListedRun& run) {
    return run.record.state == RunState::kFinished && !seen.insert(BoardOf(run.record)).second;
  });
}

// What there is to know before anything is opened.
std::string SentenceOf(const std::vector<ListedRun>& runs, const std::vector<SuiteNews>& suites) {
  const auto live = static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const ListedRun& run) { return run.is_live; }));
  std::string text;
  if (live > 0) text = live == 1 ? "A run is in progress." : fmt::format("{} runs are in progress.", live);
  std::size_t fell = 0;
  std::size_t steps = 0;
  std::string who;
  for (const SuiteNews& suite : suites) {
    steps += suite.step ? 1 : 0;
    if (!suite.step || suite.step->comparison.verdict != Verdict::kTrails) continue;
    ++fell;
    if (who.empty()) who = fmt::format("{} got worse for {}", suite.name, suite.step->name);
  }
  if (!text.empty()) text += " ";
  if (fell == 1) return text + fmt::format("{} since the run before.", who);
  if (fell > 1) return text + fmt::format("{} suites got worse: {}, and others.", fell, who);
  if (runs.empty()) return "No run yet.";
  if (steps > 0) return text + "No suite got worse since its run before.";
  return text + (HasTwoOfOneSuite(runs) ? "Too much was run to compare all of it at once."
                                        : "No suite was run twice yet: nothing to compare.");
}

Value StoresValue(const Library& library, const std::vector<ListedRun>& runs) {
  List list;
  for (const ViewedStore& home : library.stores()) {
    const auto count =
        std::count_if(runs.begin(), runs.end(), [&home](const ListedRun& run) { return run.home == &home; });
    const MarkedRows marks = library.MadeElsewhere(home);
    list.emplace_back(Object{{"path", ShownLocation(home.path)},
                             {"runs", count},
                             {"is_foreign", !marks.exchanges.empty() || !marks.runs.empty()}});
  }
  return list;
}

}  // namespace

Result<Made> MakeRuns(Library& library, const Asked& asked) {
  ASSAY_TRY(const std::uint64_t limit, asked.Number("limit", kRunsShown));
  ASSAY_TRY(const std::vector<ListedRun> runs, library.Runs());
  const TimePoint until = library.clock().Now() + kNewsTime;
  const std::function<bool()> has_time = [&] { return library.clock().Now() < until; };
  std::size_t first = 0;
  if (const std::optional<std::string> after = asked.Parameter("after")) {
    const auto found = std::find_if(
        runs.begin(), runs.end(), [&](const ListedRun& run) { return run.record.context.run_id == *after; });
    if (found == runs.end()) return Error{ErrorCode::kNotFound, "there is no run " + *after};
    first = static_cast<std::size_t>(found - runs.begin()) + 1;
  }
  const std::size_t end =
      std::min<std::uint64_t>(runs.size(), first + std::clamp<std::uint64_t>(limit, 1, kRunsShownMax));
  List rows;
  for (std::size_t i = first; i < end; ++i)
    rows.push_back(RowOf(runs[i], has_time() ? library.NewsOf(runs[i]) : nullptr));
  const std::vector<SuiteNews> suites = NewsOf(library, runs, has_time);
  return MadeOf(
      Object{{"runs", std::move(rows)},
             {"next", end < runs.size() ? Value(runs[end - 1].record.context.run_id) : Value(Null{})},
             {"count", CountValue(runs.size())},
             {"sentence", SentenceOf(runs, suites)},
             {"suites", SuitesValue(suites)},
             {"stores", StoresValue(library, runs)}});
}

}  // namespace assay
