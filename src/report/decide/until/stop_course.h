// StopCourse: the questions of a run on their way: what was seen at each look, who is still asked, and what
// is decided. It depends on rule and scores alone: a run that goes on, and whoever shows it, see the same.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "report/decide/until/certain_course.h"
#include "report/decide/until/stop_rule.h"
#include "report/decide/until/stop_scores.h"
#include "statistics/sequential/level.h"

namespace assay {

// One question on its way. The member of its kind is in use.
struct QuestionCourse {
  const BoundQuestion* question = nullptr;
  std::optional<Race> race = {};
  PairCourse pair = {};
  LevelCourse level = {};
  CertainCourse certain = {};
  bool is_closed = false;                  // it is decided, or every unit was seen
  bool is_early = false;                   // of gates: cells of the run are left that it did not need
  std::size_t place = 0;                   // of the next look
  std::vector<std::uint64_t> closed = {};  // by variant: units

  bool Concerns(VariantIndex variant) const;  // of a race: while it is in it
  bool IsEarly() const;                       // decided before every unit was seen
  std::uint64_t n() const;  // units, of what is certain cases: where it ended, or its last look
  std::uint64_t looks() const;
  // Whether a gate is known to fail.
  bool HasFailed() const;
};

// The scores that those of a kPair or kGate are compared with.
std::span<const CaseValue> SecondOf(const BoundQuestion& question, std::span<const Sample> samples);

// Whether the model of a variant is among those that were given up.
bool IsGivenUp(const Variant& variant, std::span<const std::string> models);

// Whether a variant gets no answers any more.
using GivenUp = std::function<bool(VariantIndex)>;

class StopCourse {
 public:
  // The rule outlives it.
  explicit StopCourse(const StopRule& rule);

  // Looks as far as every unit is closed for whoever is asked. Of a variant that was given up, a case that
  // nobody asked has no score; in a race it is dropped.
  void Follow(const StopScores& scores, const GivenUp& is_given_up);

  bool IsAsked(VariantIndex variant) const;  // some open question needs it
  // The same of one case, by its place in the order of asking.
  bool IsAsked(std::uint64_t place, VariantIndex variant) const;
  bool IsAnyAsked() const;
  bool Concerns(VariantIndex variant) const;  // some question is about it, open or not
  bool is_closed() const;                     // no question is open
  bool IsEarly() const;                       // some question ended early, or dropped a variant early
  // How many cases the next look needs, in the order of asking; all of them: there is none before the end.
  std::uint64_t next() const;
  const StopRule& rule() const { return rule_; }
  const std::vector<QuestionCourse>& questions() const { return questions_; }

 private:
  std::uint64_t NextOf(const QuestionCourse& course) const;  // units
  std::uint64_t ClosedOf(VariantIndex variant, const StopScores& scores, bool is_given_up,
                         QuestionCourse& course) const;
  bool IsReady(const StopScores& scores, const GivenUp& is_given_up, QuestionCourse& course) const;
  void LookAt(std::uint64_t n, const StopScores& scores, QuestionCourse& course) const;
  void Finish(const StopScores& scores, QuestionCourse& course) const;
  void FollowCertain(const StopScores& scores);

  const StopRule& rule_;
  std::vector<QuestionCourse> questions_;
};

}  // namespace assay
