// CertainCourse: a gate on its way to an outcome that nothing can change any more: neither from pass to fail
// nor from fail to pass, whatever the cells come to that are left. It counts closed cases in the order of
// asking, so that whoever follows the same answers has the same course.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/decide/until/stop_rule.h"
#include "report/decide/until/stop_scores.h"

namespace assay {

// kHolds: it passes. kCannotTell: of flips, too many have no score. kMoot: another gate has failed, with an
// exit code that tells more.
enum class CertainState : std::uint8_t { kOpen, kHolds, kFails, kCannotTell, kMoot };
std::string_view CertainStateName(CertainState state);  // "open", "holds"

class CertainCourse {
 public:
  CertainCourse() = default;
  // Both outlive it. A question that IsCertain.
  CertainCourse(const StopRule& rule, const BoundQuestion& question);

  // Counts the cases that are closed, up to the one that decides.
  void Follow(const StopScores& scores);
  void EndAsMoot();

  CertainState state() const { return state_; }
  bool is_closed() const { return state_ != CertainState::kOpen; }
  std::uint64_t n() const { return n_; }  // cases of the question's order
  std::uint64_t without_score() const { return without_score_; }

 private:
  bool IsClosed(CaseIndex index, const StopScores& scores) const;
  void Begin(const StopScores& scores);
  void Take(CaseIndex index, const StopScores& scores);
  void Decide(const StopScores& scores);
  void DecideLeast(const StopScores& scores);
  void DecideFlips();
  void DecideErrors();
  double MeanWith(double rest, const StopScores& scores) const;

  const StopRule* rule_ = nullptr;
  const BoundQuestion* question_ = nullptr;
  CertainState state_ = CertainState::kOpen;
  bool has_begun_ = false;
  std::uint64_t n_ = 0;
  std::uint64_t without_score_ = 0;
  std::uint64_t failed_ = 0;      // cases of kFlips, cells of kErrors
  std::uint64_t cells_left_ = 0;  // of kErrors
  double sum_ = 0;                // of kLeast
  double weights_ = 0;
  double weights_left_ = 0;
  bool is_above_ = false;  // a score lies above the range, so that others may
  // Whether the mean was computed in the gate's own order since it last changed.
  bool has_tried_low_ = false;
  bool has_tried_high_ = false;
};

}  // namespace assay
