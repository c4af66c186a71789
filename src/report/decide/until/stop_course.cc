// Looks at each place as soon as its units are closed.
#include "report/decide/until/stop_course.h"

#include <algorithm>

namespace assay {

using Kind = BoundQuestion::Kind;

bool QuestionCourse::IsEarly() const {
  switch (question->kind) {
    case Kind::kRace:
      return race->end() != RaceEnd::kOpen && (race->end() != RaceEnd::kAll || !race->dropped().empty());
    case Kind::kPair:
      return is_closed && pair.state != PairState::kAll;
    case Kind::kLevel:
      return level.is_decided;
  }
  return false;
}

std::uint64_t QuestionCourse::n() const {
  switch (question->kind) {
    case Kind::kRace:
      return race->n();
    case Kind::kPair:
      return pair.n;
    case Kind::kLevel:
      return level.n;
  }
  return 0;
}

std::uint64_t QuestionCourse::looks() const {
  switch (question->kind) {
    case Kind::kRace:
      return race->looks().size();
    case Kind::kPair:
      return pair.looks.size();
    case Kind::kLevel:
      return level.looks.size();
  }
  return 0;
}

StopCourse::StopCourse(const StopRule& rule) : rule_(rule), closed_(rule.names.size()) {
  for (const BoundQuestion& question : rule.questions) {
    QuestionCourse& course = questions_.emplace_back();
    course.question = &question;
    if (question.kind == Kind::kRace) course.race.emplace(rule.table, rule.names.size(), question.race);
  }
}

bool QuestionCourse::Concerns(VariantIndex variant) const {
  switch (question->kind) {
    case Kind::kRace:
      return race->IsInRace(variant);
    case Kind::kPair:
      return question->a == variant || question->b == variant;
    case Kind::kLevel:
      return question->a == variant;
  }
  return false;
}

bool IsGivenUp(const Variant& variant, std::span<const std::string> models) {
  const std::string model = variant.provider + ":" + variant.model;
  return std::find(models.begin(), models.end(), model) != models.end();
}

bool StopCourse::IsAsked(VariantIndex variant) const {
  return std::any_of(questions_.begin(), questions_.end(), [variant](const QuestionCourse& course) {
    return !course.is_closed && course.Concerns(variant);
  });
}

bool StopCourse::Concerns(VariantIndex variant) const {
  return std::any_of(questions_.begin(), questions_.end(),
                     [variant](const QuestionCourse& course) { return course.Concerns(variant); });
}

bool StopCourse::IsAnyAsked() const {
  for (VariantIndex v = 0; v < closed_.size(); ++v) {
    if (IsAsked(v)) return true;
  }
  return false;
}

bool StopCourse::is_closed() const {
  return std::all_of(questions_.begin(), questions_.end(),
                     [](const QuestionCourse& course) { return course.is_closed; });
}

bool StopCourse::IsEarly() const {
  return std::any_of(questions_.begin(), questions_.end(),
                     [](const QuestionCourse& course) { return course.IsEarly(); });
}

std::uint64_t StopCourse::next() const {
  return place_ < rule_.places.size() ? rule_.places[place_] : rule_.table.units();
}

std::uint64_t StopCourse::ClosedOf(VariantIndex variant, const StopScores& scores, bool is_given_up) {
  std::uint64_t& closed = closed_[variant];
  while (closed < rule_.table.units()) {
    for (std::uint64_t at = rule_.table.CasesBefore(closed); at < rule_.table.CasesBefore(closed + 1); ++at) {
      const CaseIndex index = rule_.table.order()[at];
      if (scores.IsClosed(index, variant)) continue;
      if (!is_given_up || !scores.HasSkipped(index, variant)) return closed;
    }
    ++closed;
  }
  return closed;
}

// Whether the first n units are closed for all that are asked.
bool StopCourse::IsReady(std::uint64_t n, const StopScores& scores, const GivenUp& is_given_up) {
  for (VariantIndex v = 0; v < closed_.size(); ++v) {
    if (!IsAsked(v)) continue;
    const std::uint64_t answered = ClosedOf(v, scores, false);
    if (answered >= n) continue;
    if (!is_given_up(v)) return false;
    for (QuestionCourse& course : questions_) {
      if (course.race && !course.is_closed) course.race->GiveUp(v, answered);
    }
    if (IsAsked(v) && ClosedOf(v, scores, true) < n) return false;
  }
  return IsAnyAsked();  // with all of them given up there is nothing to look at
}

void StopCourse::LookAt(std::uint64_t n, const StopScores& scores) {
  for (QuestionCourse& course : questions_) {
    if (course.is_closed) continue;
    const BoundQuestion& question = *course.question;
    if (question.kind == Kind::kRace) {
      course.race->Look(n, scores.samples());
      course.is_closed = course.race->end() != RaceEnd::kOpen;
    } else if (question.kind == Kind::kPair) {
      const PairLook& look =
          course.pair.looks.emplace_back(LookAtPair(rule_.table, scores.samples()[question.a].cases,
                                                    scores.samples()[question.b].cases, question.pair, n));
      course.pair.n = n;
      course.pair.left_out = look.left_out;
      course.is_closed = IsDecided(look.state);
      if (course.is_closed) course.pair.state = look.state;
    } else {
      const LevelLook& look =
          course.level.looks.emplace_back(LookAtLevel(rule_.table, scores.samples()[question.a].cases, n));
      course.level.n = n;
      course.level.left_out = look.left_out;
      course.is_closed = course.level.is_decided = IsDecided(look, question.half);
    }
  }
}

void StopCourse::Finish(const StopScores& scores) {
  const std::uint64_t units = rule_.table.units();
  for (QuestionCourse& course : questions_) {
    if (course.is_closed) continue;
    const BoundQuestion& question = *course.question;
    const auto samples = scores.samples();
    course.is_closed = true;
    if (question.kind == Kind::kRace) {
      course.race->Finish();
    } else if (question.kind == Kind::kPair) {
      course.pair.n = units;
      course.pair.left_out = DifferencesOf(rule_.table, samples[question.a].cases, samples[question.b].cases,
                                           question.pair.margin, units)
                                 .left_out;
    } else {
      course.level.n = units;
      course.level.left_out = LevelsOf(rule_.table, samples[question.a].cases, 0, units).left_out;
    }
  }
}

void StopCourse::Follow(const StopScores& scores, const GivenUp& is_given_up) {
  while (!is_closed() && IsReady(next(), scores, is_given_up)) {
    if (place_ == rule_.places.size()) return Finish(scores);
    LookAt(next(), scores);
    ++place_;
  }
}

}  // namespace assay
