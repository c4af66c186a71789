// Recomputes the looks of a stored run, and words what they decided.
#include "report/decide/until/until_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "statistics/decisions/rank.h"
#include "statistics/decisions/sentence_parts.h"
#include "statistics/decisions/sentences.h"
#include "statistics/sequential/stop_sentences.h"

namespace assay {

namespace {

using Kind = BoundQuestion::Kind;

// The most cases that a question looked at.
std::uint64_t CasesSeen(const UntilRun& run) {
  std::uint64_t cases = 0;
  for (const QuestionCourse& course : run.course.questions()) cases = std::max(cases, run.CasesOf(course));
  return cases;
}

// Those that a run could have looked at.
std::uint64_t CasesOfRun(const StopRule& rule) {
  return rule.IsCertain() ? rule.asking.size() : rule.table.cases();
}

// A gate over all cases that both runs have.
GateEstimate EstimateOfGate(const UntilRun& run, const BoundQuestion& question, const Standings& standings) {
  const CaseScores& scores = standings.scores;
  Sample fresh;
  Sample base;
  std::vector<double> weights;
  std::vector<std::uint32_t> clusters;
  for (const CaseIndex index : question.gate->cases) {
    fresh.cases.push_back(run.scores.samples()[question.a].cases[index]);
    base.cases.push_back(question.cases->base.cases[index]);
    weights.push_back(scores.weights[index]);
    clusters.push_back(scores.clusters[index]);
  }
  const Design design{.weights = weights, .clusters = clusters, .range = scores.range};
  return TestRegression(fresh, base, design, question.gate->limit);
}

// With Holm's p over all gates of the run: one that has passed early tells nothing, one that fell the most.
std::string WholeGateSentence(const UntilRun& run, const QuestionCourse& course, const Standings& standings) {
  const GateEstimate estimate = EstimateOfGate(run, *course.question, standings);
  std::vector<double> p;
  std::size_t own = 0;
  for (const QuestionCourse& each : run.course.questions()) {
    if (each.question->kind != Kind::kGate) continue;
    if (&each == &course) own = p.size();
    if (each.IsEarly()) {
      p.push_back(each.HasFailed() ? 0 : 1);
    } else {
      const GateEstimate other = EstimateOfGate(run, *each.question, standings);
      if (other.paired.p) p.push_back(*other.paired.p);
    }
  }
  const std::vector<double> adjusted = HolmAdjusted(p, p.size());
  return GateSentence(estimate, estimate.paired.p ? adjusted[own] : 1, p.size());
}

// "at most 1 cell is an error", "at most 5 cells are errors"
std::string ErrorsText(std::string_view most) {
  return fmt::format("{} {} or graded in part", most, most == "1" ? "cell is an error" : "cells are errors");
}

// What is certain of a gate. `rest`: ", whatever the other cases give"; "" where there are none.
std::string CertainText(const UntilRun& run, const QuestionCourse& course, std::string_view rest) {
  const StopGate& gate = *course.question->gate;
  const std::string& name = run.rule.names[gate.variant];
  const bool holds = course.certain.state() == CertainState::kHolds;
  const bool fails = course.certain.state() == CertainState::kFails;
  if (course.certain.state() == CertainState::kMoot)
    return fmt::format("{} cannot change how the run ends any more.", course.question->text);
  if (gate.kind == StopGate::Kind::kErrors)
    return fmt::format("{} {}{}.", holds ? "At most" : "More than", ErrorsText(gate.text), rest);
  if (gate.kind == StopGate::Kind::kLeast) {
    return fmt::format("{} {} {} points{}.", name, holds ? "reaches" : "stays below", ScorePoints(gate.limit),
                       rest);
  }
  if (!holds && !fails) {
    return fmt::format("{} that passed in {} have no score of {}, so that more than {} may fail.",
                       GroupedCases(course.certain.without_score()), gate.base, name, gate.text);
  }
  return fmt::format("{} {} of the cases that passed in {} fail{} of {}{}.", holds ? "At most" : "More than",
                     gate.text, gate.base, gate.text == "1" ? "s" : "", name, rest);
}

// "--fail-under 0.8 is decided: 212 of 1,000 cases asked. Alder reaches 80 points, whatever …"
std::string CertainSentence(const UntilRun& run, const QuestionCourse& course) {
  const BoundQuestion& question = *course.question;
  if (course.certain.state() == CertainState::kMoot) return CertainText(run, course, "");
  const std::string which =
      question.kind == Kind::kFlips ? fmt::format(" that passed in {}", question.gate->base) : std::string();
  return fmt::format("{} is decided: {} of {} asked{}. {}", question.text, Grouped(course.n()),
                     GroupedCases(question.cases->order.size()), which,
                     CertainText(run, course, ", whatever the other cases give"));
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
    case Kind::kGate:
      return WholeGateSentence(run, course, standings);
    default:
      return CertainText(run, course, "");
  }
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
    case Kind::kGate:
      return GateStopSentence(question.cases->table, question.pair, course.pair, BoundsOfGate(run, course),
                              rule.is_chosen);
    default:
      return CertainSentence(run, course);
  }
}

// How many cases of the run's order a question has gone through.
std::uint64_t ReachOf(const StopRule& rule, const QuestionCourse& course) {
  const GateCases& own = *course.question->cases;
  const std::uint64_t cases =
      course.question->IsCertain() ? course.n() : rule.TableOf(*course.question).CasesBefore(course.n());
  return cases == 0 ? 0 : own.until[cases - 1];
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

// Who is meant, where several variants are.
std::string GateName(const UntilRun& run, const QuestionCourse& course) {
  const auto is_gate = [](const BoundQuestion& question) { return question.kind == Kind::kGate; };
  if (std::count_if(run.rule.questions.begin(), run.rule.questions.end(), is_gate) < 2) return {};
  return run.rule.names[course.question->a] + ": ";
}

std::string AnswerText(const UntilRun& run, const QuestionCourse& course, const Standings& standings) {
  if (!run.is_early()) {
    const std::uint64_t cases = CasesOfRun(run.rule);
    return fmt::format("All {} {} asked. {}", GroupedCases(cases), cases == 1 ? "was" : "were",
                       OrdinarySentence(run, course, standings));
  }
  if (course.is_closed && !course.IsEarly() && !course.question->IsCertain())
    return DecidedSentence(run, course) + " " + OrdinarySentence(run, course, standings);
  if (!course.is_closed) {
    const std::uint64_t seen = run.CasesOf(course);
    if (run.was_decided())
      return fmt::format("With the new scores this would not be decided after {}.", GroupedCases(seen));
    return fmt::format("Not decided: {} of {} were looked at.", Grouped(seen),
                       GroupedCases(CasesOfRun(run.rule)));
  }
  if (course.race && course.race->end() == RaceEnd::kAll)
    return DecidedSentence(run, course) + " " + OrdinarySentence(run, course, standings);
  return DecidedSentence(run, course);
}

}  // namespace

std::uint64_t UntilRun::UnitsOf(VariantIndex variant) const {
  std::uint64_t units = 0;
  std::uint64_t reach = 0;
  for (const QuestionCourse& each : course.questions()) {
    const BoundQuestion& question = *each.question;
    if (question.kind == Kind::kRace) units = std::max(units, each.race->UnitsAsked(variant));
    if (question.kind == Kind::kFlips || question.kind == Kind::kRace || !each.Concerns(variant)) continue;
    if (question.cases != nullptr) {
      reach = std::max(reach, ReachOf(rule, each));
    } else {
      units = std::max(units, each.n());
    }
  }
  // Of gates, which may leave out cases in between, as far as there is no gap.
  for (std::uint64_t at = 0; units < rule.table.units() && rule.table.CasesBefore(units + 1) <= reach;) {
    at = std::max(at, rule.table.CasesBefore(units));
    for (; at < rule.table.CasesBefore(units + 1); ++at) {
      if (!scores.IsClosed(rule.table.order()[at], variant)) return units;
    }
    ++units;
  }
  return units;
}

std::uint64_t UntilRun::CasesOf(const QuestionCourse& each) const {
  return each.question->IsCertain() ? each.n() : rule.TableOf(*each.question).CasesBefore(each.n());
}

std::uint64_t UntilRun::CellsBeyond() const {
  std::uint64_t cells = 0;
  for (VariantIndex v = 0; v < rule.names.size(); ++v) {
    std::uint64_t reach = rule.table.CasesBefore(UnitsOf(v));
    for (const QuestionCourse& each : course.questions()) {
      if (each.question->cases != nullptr && each.Concerns(v)) reach = std::max(reach, ReachOf(rule, each));
    }
    for (std::uint64_t at = reach; at < rule.table.cases(); ++at)
      cells += scores.AttemptsTaken(rule.asking[at], v);
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
  return AskedCasesText(run) + (run.is_stopped() ? " (stopped: decided)" : "");
}

std::string AskedCasesText(const UntilRun& run) {
  return fmt::format("{} of {}", Grouped(CasesSeen(run)), GroupedCases(CasesOfRun(run.rule)));
}

PairBounds BoundsOfGate(const UntilRun& run, const QuestionCourse& course) {
  const BoundQuestion& question = *course.question;
  return BoundsOfPair(question.cases->table, run.scores.samples()[question.a].cases,
                      question.cases->base.cases, question.pair, course.n());
}

std::string UntilSentence(const UntilRun& run, const QuestionCourse& course, const Standings& standings) {
  return GateName(run, course) + AnswerText(run, course, standings);
}

void TellUntil(const UntilRun& run, Standings& standings) {
  if (!run.is_early() && run.rule.IsCertain()) return;  // nothing is to be said but what an ordinary run says
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
