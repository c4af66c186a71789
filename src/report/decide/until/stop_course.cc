// Looks at each place as soon as its units are closed.
#include "report/decide/until/stop_course.h"

#include <algorithm>

namespace assay {

using Kind = BoundQuestion::Kind;

std::span<const CaseValue> SecondOf(const BoundQuestion& question, std::span<const Sample> samples) {
  return question.kind == Kind::kGate ? question.cases->base.cases : samples[question.b].cases;
}

bool QuestionCourse::IsEarly() const {
  switch (question->kind) {
    case Kind::kRace:
      return race->end() != RaceEnd::kOpen && (race->end() != RaceEnd::kAll || !race->dropped().empty());
    case Kind::kPair:
      return is_closed && pair.state != PairState::kAll;
    case Kind::kLevel:
      return level.is_decided;
    default:
      return is_closed && is_early;
  }
}

std::uint64_t QuestionCourse::n() const {
  switch (question->kind) {
    case Kind::kRace:
      return race->n();
    case Kind::kPair:
    case Kind::kGate:
      return pair.n;
    case Kind::kLevel:
      return level.n;
    default:
      return certain.n();
  }
}

std::uint64_t QuestionCourse::looks() const {
  switch (question->kind) {
    case Kind::kRace:
      return race->looks().size();
    case Kind::kPair:
    case Kind::kGate:
      return pair.looks.size();
    case Kind::kLevel:
      return level.looks.size();
    default:
      return 0;
  }
}

bool QuestionCourse::HasFailed() const {
  if (question->kind == Kind::kGate) return is_closed && pair.state == PairState::kRegression;
  return question->IsCertain() && certain.state() == CertainState::kFails;
}

StopCourse::StopCourse(const StopRule& rule) : rule_(rule) {
  for (const BoundQuestion& question : rule.questions) {
    QuestionCourse& course = questions_.emplace_back();
    course.question = &question;
    course.closed.resize(rule.names.size());
    if (question.kind == Kind::kRace) course.race.emplace(rule.table, rule.names.size(), question.race);
    if (question.IsCertain()) course.certain = CertainCourse(rule, question);
  }
}

bool QuestionCourse::Concerns(VariantIndex variant) const {
  switch (question->kind) {
    case Kind::kRace:
      return race->IsInRace(variant);
    case Kind::kPair:
      return question->a == variant || question->b == variant;
    case Kind::kErrors:
      return true;
    default:
      return question->a == variant;
  }
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

bool StopCourse::IsAsked(std::uint64_t place, VariantIndex variant) const {
  return std::any_of(questions_.begin(), questions_.end(), [&](const QuestionCourse& course) {
    if (course.is_closed || !course.Concerns(variant)) return false;
    const GateCases* own = course.question->cases.get();
    return own != nullptr ? own->has[rule_.asking[place]] : place < rule_.table.cases();
  });
}

bool StopCourse::Concerns(VariantIndex variant) const {
  return std::any_of(questions_.begin(), questions_.end(),
                     [variant](const QuestionCourse& course) { return course.Concerns(variant); });
}

bool StopCourse::IsAnyAsked() const {
  for (VariantIndex v = 0; v < rule_.names.size(); ++v) {
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

std::uint64_t StopCourse::NextOf(const QuestionCourse& course) const {
  const std::vector<std::uint64_t>& places = rule_.PlacesOf(*course.question);
  return course.place < places.size() ? places[course.place] : rule_.TableOf(*course.question).units();
}

std::uint64_t StopCourse::next() const {
  std::uint64_t next = rule_.asking.size();
  for (const QuestionCourse& course : questions_) {
    if (course.is_closed) continue;
    const GateCases* own = course.question->cases.get();
    const std::uint64_t cases = course.question->IsCertain()
                                    ? std::min<std::uint64_t>(course.n() + 1, own->order.size())
                                    : rule_.TableOf(*course.question).CasesBefore(NextOf(course));
    if (cases > 0) next = std::min(next, own != nullptr ? own->until[cases - 1] : cases);
  }
  return next;
}

std::uint64_t StopCourse::ClosedOf(VariantIndex variant, const StopScores& scores, bool is_given_up,
                                   QuestionCourse& course) const {
  const UnitTable& table = rule_.TableOf(*course.question);
  std::uint64_t& closed = course.closed[variant];
  while (closed < table.units()) {
    for (std::uint64_t at = table.CasesBefore(closed); at < table.CasesBefore(closed + 1); ++at) {
      const CaseIndex index = table.order()[at];
      if (scores.IsClosed(index, variant)) continue;
      if (!is_given_up || !scores.HasSkipped(index, variant)) return closed;
    }
    ++closed;
  }
  return closed;
}

// Whether the units of its next look are closed for all that the question needs.
bool StopCourse::IsReady(const StopScores& scores, const GivenUp& is_given_up, QuestionCourse& course) const {
  const std::uint64_t n = NextOf(course);
  bool is_any_asked = false;  // with all of them given up there is nothing to look at
  for (VariantIndex v = 0; v < rule_.names.size(); ++v) {
    if (!course.Concerns(v)) continue;
    const std::uint64_t answered = ClosedOf(v, scores, false, course);
    if (answered < n) {
      if (!is_given_up(v)) return false;
      if (course.race) course.race->GiveUp(v, answered);
      if (course.Concerns(v) && ClosedOf(v, scores, true, course) < n) return false;
    }
    is_any_asked = is_any_asked || course.Concerns(v);
  }
  return is_any_asked;
}

void StopCourse::LookAt(std::uint64_t n, const StopScores& scores, QuestionCourse& course) const {
  const BoundQuestion& question = *course.question;
  const UnitTable& table = rule_.TableOf(question);
  const auto samples = scores.samples();
  if (question.kind == Kind::kRace) {
    course.race->Look(n, samples);
    course.is_closed = course.race->end() != RaceEnd::kOpen;
  } else if (question.kind == Kind::kLevel) {
    const LevelLook& look = course.level.looks.emplace_back(LookAtLevel(table, samples[question.a].cases, n));
    course.level.n = n;
    course.level.left_out = look.left_out;
    course.is_closed = course.level.is_decided = IsDecided(look, question.half);
  } else {
    const PairLook& look = course.pair.looks.emplace_back(
        LookAtPair(table, samples[question.a].cases, SecondOf(question, samples), question.pair, n));
    course.pair.n = n;
    course.pair.left_out = look.left_out;
    course.is_closed = course.is_early = IsDecided(look.state);
    if (course.is_closed) course.pair.state = look.state;
  }
}

void StopCourse::Finish(const StopScores& scores, QuestionCourse& course) const {
  const BoundQuestion& question = *course.question;
  const UnitTable& table = rule_.TableOf(question);
  const auto samples = scores.samples();
  course.is_closed = true;
  if (question.kind == Kind::kRace) {
    course.race->Finish();
  } else if (question.kind == Kind::kLevel) {
    course.level.n = table.units();
    course.level.left_out = LevelsOf(table, samples[question.a].cases, 0, table.units()).left_out;
  } else {
    course.pair.n = table.units();
    course.pair.left_out = DifferencesOf(table, samples[question.a].cases, SecondOf(question, samples),
                                         question.pair.margin, table.units())
                               .left_out;
  }
}

// What others have failed by needs no count of errors.
void StopCourse::FollowCertain(const StopScores& scores) {
  for (QuestionCourse& course : questions_) {
    if (!course.question->IsCertain() || course.is_closed) continue;
    const bool is_moot = course.question->kind == Kind::kErrors &&
                         std::any_of(questions_.begin(), questions_.end(),
                                     [](const QuestionCourse& other) { return other.HasFailed(); });
    if (is_moot) course.certain.EndAsMoot();
    course.certain.Follow(scores);
    course.is_closed = course.certain.is_closed();
    course.is_early = course.is_closed && course.n() < rule_.asking.size();
  }
}

void StopCourse::Follow(const StopScores& scores, const GivenUp& is_given_up) {
  for (QuestionCourse& course : questions_) {
    if (course.question->IsCertain()) continue;
    while (!course.is_closed && IsReady(scores, is_given_up, course)) {
      if (course.place == rule_.PlacesOf(*course.question).size()) {
        Finish(scores, course);
        break;
      }
      LookAt(NextOf(course), scores, course);
      ++course.place;
    }
  }
  FollowCertain(scores);
}

}  // namespace assay
