// Recomputes the looks of a stored run, and words what they decided.
#include "report/decide/until/until_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "statistics/decisions/sentences.h"
#include "statistics/sequential/stop_sentences.h"

namespace assay {

namespace {

using Kind = BoundQuestion::Kind;

// The most cases that a question looked at.
std::uint64_t CasesSeen(const UntilRun& run) {
  std::uint64_t units = 0;
  for (const QuestionCourse& course : run.course.questions()) units = std::max(units, course.n());
  return run.rule.table.CasesBefore(units);
}

// What an ordinary run says of those that were asked everything.
std::string OrdinarySentence(const UntilRun& run, const QuestionCourse& course, const Standings& standings) {
  const Design design = standings.scores.design();
  const std::vector<Sample>& samples = standings.scores.samples;
  const std::vector<std::string>& names = run.rule.names;
  switch (course.question->kind) {
    case Kind::kRace: {
      if (course.race->dropped().empty()) return standings.verdict();
      std::vector<Sample> left = samples;
      for (const DroppedVariant& dropped : course.race->dropped())
        std::fill(left[dropped.variant].cases.begin(), left[dropped.variant].cases.end(), CaseValue());
      return RankingSentence(names, RankAmong(left, design, samples.size()));
    }
    case Kind::kPair: {
      const PairedEstimate paired =
          ComparePaired(samples[course.question->a], samples[course.question->b], design);
      return PairedSentence(names[course.question->a], names[course.question->b], paired,
                            paired.p.value_or(1));
    }
    case Kind::kLevel:
      return MeanSentence(names[course.question->a], EstimateMean(samples[course.question->a], design));
  }
  return {};
}

std::string DecidedSentence(const UntilRun& run, const QuestionCourse& course) {
  const StopRule& rule = run.rule;
  const std::span<const Sample> samples = run.scores.samples();
  const BoundQuestion& question = *course.question;
  switch (question.kind) {
    case Kind::kRace: {
      std::optional<PairBounds> bounds;
      if (const std::optional<std::size_t> against = DroppedLast(*course.race)) {
        const RaceLook& last = course.race->looks().back();
        bounds = BoundsOfPair(rule.table, samples[last.leader].cases, samples[*against].cases,
                              course.race->pair_question(), last.n);
      }
      return RaceSentence(rule.names, *course.race, bounds, rule.is_chosen);
    }
    case Kind::kPair:
      return PairStopSentence(rule.names[question.a], rule.names[question.b], rule.table, question.pair,
                              course.pair, rule.is_chosen);
    case Kind::kLevel:
      return LevelStopSentence(rule.names[question.a], rule.table, course.level, rule.is_chosen);
  }
  return {};
}

// Ranks of a race: those that are in it share the first ones.
void SetRanksOfRace(const Race& race, Ranking& ranking) {
  const std::size_t left = race.in_race().size();
  for (RankPlace& place : ranking.places) {
    const bool is_in = race.IsInRace(place.variant);
    place.rank = is_in ? 1 : left + 1;
    place.rank_last = is_in ? left : race.variants();
    place.can_rank = true;
  }
}

// Those that may be first, then the others, each by the mean of what was looked at.
void SortPlaces(Ranking& ranking) {
  std::stable_sort(ranking.places.begin(), ranking.places.end(), [](const RankPlace& a, const RankPlace& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.estimate.mean.value_or(0) > b.estimate.mean.value_or(0);
  });
}

void Silence(Ranking& ranking) {
  ranking.tests.clear();
  ranking.compared = 0;
  for (RankPlace& place : ranking.places) {
    place.rank = 1;
    place.rank_last = ranking.places.size();
    place.can_rank = false;
    place.estimate.se.reset();
    place.estimate.df.reset();
    place.estimate.quantile.reset();
    place.estimate.interval.reset();
    place.estimate.method = MeanMethod::kNone;
  }
}

}  // namespace

std::uint64_t UntilRun::UnitsOf(VariantIndex variant) const {
  std::uint64_t units = 0;
  for (const QuestionCourse& each : course.questions()) {
    const BoundQuestion& question = *each.question;
    std::uint64_t own = 0;
    if (question.kind == Kind::kRace) own = each.race->UnitsAsked(variant);
    if (question.kind == Kind::kPair && (question.a == variant || question.b == variant)) own = each.pair.n;
    if (question.kind == Kind::kLevel && question.a == variant) own = each.level.n;
    units = std::max(units, own);
  }
  return units;
}

std::uint64_t UntilRun::CellsBeyond() const {
  std::uint64_t cells = 0;
  for (VariantIndex v = 0; v < rule.names.size(); ++v) {
    for (std::uint64_t at = rule.table.CasesBefore(UnitsOf(v)); at < rule.table.cases(); ++at)
      cells += scores.AttemptsTaken(rule.table.order()[at], v);
  }
  return cells;
}

UntilGatherer::UntilGatherer(const Suite& suite, StopRule rule, std::string stop,
                             std::vector<std::string> given_up)
    : suite_(suite),
      given_up_(std::move(given_up)),
      run_(std::make_shared<UntilRun>(std::move(rule), suite)) {
  run_->stop = std::move(stop);
}

Status UntilGatherer::Add(const Cell& cell) {
  if (cell.state == CellState::kSkipped) ++run_->cells_skipped;
  run_->scores.Take({.case_index = cell.case_index, .variant = cell.variant, .attempt = cell.attempt},
                    {.state = cell.state, .value = cell.score});
  return Ok();
}

std::shared_ptr<const UntilRun> UntilGatherer::Finish(std::uint64_t other_orders) {
  run_->other_orders = other_orders;
  run_->course.Follow(run_->scores,
                      [this](VariantIndex v) { return IsGivenUp(suite_.variants[v], given_up_); });
  return run_;
}

std::string AskedPartText(const UntilRun& run) {
  if (!run.is_early()) return {};
  return fmt::format("{} of {}{}", Grouped(CasesSeen(run)), GroupedCases(run.rule.table.cases()),
                     run.is_stopped() ? " (stopped: decided)" : "");
}

std::string UntilSentence(const UntilRun& run, const QuestionCourse& course, const Standings& standings) {
  if (!run.is_early()) {
    const std::uint64_t cases = run.rule.table.cases();
    return fmt::format("All {} {} asked. {}", GroupedCases(cases), cases == 1 ? "was" : "were",
                       OrdinarySentence(run, course, standings));
  }
  if (course.is_closed && !course.IsEarly())
    return DecidedSentence(run, course) + " " + OrdinarySentence(run, course, standings);
  if (!course.is_closed) {
    const std::string seen = GroupedCases(run.rule.table.CasesBefore(course.n()));
    return run.was_decided() ? fmt::format("With the new scores this would not be decided after {}.", seen)
                             : fmt::format("Not decided: {} of {} were looked at.",
                                           Grouped(run.rule.table.CasesBefore(course.n())),
                                           GroupedCases(run.rule.table.cases()));
  }
  if (course.race && course.race->end() == RaceEnd::kAll)
    return DecidedSentence(run, course) + " " + OrdinarySentence(run, course, standings);
  return DecidedSentence(run, course);
}

void TellUntil(const UntilRun& run, Standings& standings) {
  std::vector<VerdictSentence> sentences;
  for (const QuestionCourse& course : run.course.questions())
    sentences.push_back({VerdictSentence::About::kVariants, UntilSentence(run, course, standings)});
  standings.sentences = std::move(sentences);
  if (!run.is_early()) return;
  Silence(standings.ranking);
  Silence(standings.model_ranking);
  for (const QuestionCourse& course : run.course.questions()) {
    if (course.race) SetRanksOfRace(*course.race, standings.ranking);
  }
  for (RankPlace& place : standings.ranking.places) {
    const auto variant = static_cast<VariantIndex>(place.variant);
    const std::uint64_t units = run.UnitsOf(variant);
    if (units == 0) continue;
    const std::span<const CaseValue> scores = run.scores.samples()[variant].cases;
    const LevelLook look = LookAtLevel(run.rule.table, scores, units);
    place.estimate.mean = MeanOfUnits(run.rule.table, scores, units);
    place.estimate.interval = look.bounds;
    place.estimate.cases = run.rule.table.CasesBefore(units) - look.left_out;
    place.estimate.cases_left_out = look.left_out;
  }
  SortPlaces(standings.ranking);
}

}  // namespace assay
