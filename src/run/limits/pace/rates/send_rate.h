// SendRate: at what rate calls go to a service whose limit fills all the time. A refusal says that nothing
// was left: what was let in over the seconds before it is what the limit lets through. Pure; time is an
// argument.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "base/clock.h"

namespace assay {

class SendRate {
 public:
  // Rounds that are shorter than this are sent through evenly: that costs one of them at most.
  static constexpr std::chrono::seconds kRoundsLeast{3};

  bool IsKnown() const { return per_second_ > 0; }
  void OnSend(TimePoint now);
  // A call was refused. `is_news`: it was sent after the refusals before it were known. `wait`: how long the
  // service asks to wait.
  void OnRefusal(bool is_news, std::optional<std::chrono::microseconds> wait, TimePoint now);
  // A call was let in that went alone so long after nothing was left.
  void OnOpen(std::chrono::microseconds after, TimePoint now);
  // An answer says that nothing is left until a round has ended.
  void OnSpent(TimePoint now);
  // An answer says that nothing is left, and that there is room again after `wait`; `most`: what it was when
  // there was most.
  void OnEmpty(double most, std::chrono::microseconds wait, TimePoint now);
  // Nothing goes before `until`, as the service says.
  void Pause(TimePoint until);
  // When the next call may go; not before `now`.
  TimePoint ReadyAt(TimePoint now) const;

 private:
  // How many calls had been let in at a time.
  struct Count {
    TimePoint at{};
    double let_in = 0;
  };
  double LetIn() const { return static_cast<double>(sent_) - static_cast<double>(refused_); }
  double PerSecondAt(TimePoint now) const;
  double LetInPerSecond(const Count& empty) const;
  void Learn(const Count& empty, std::optional<std::chrono::microseconds> wait);
  void Follow(const Count& empty);
  void Start(double per_second, const Count& empty);
  void Measure(const Count& empty);

  std::uint64_t sent_ = 0;
  std::uint64_t refused_ = 0;
  std::deque<Count> sends_;      // of the last seconds
  std::optional<Count> opened_;  // when calls went again after a pause
  std::optional<Count> empty_;   // when nothing was left
  Count first_empty_ = {};       // the same, when the rate became known
  double last_round_ = -1;       // calls that were let in before that; below 0: not known

  double per_second_ = 0;    // what the limit lets through; 0: not known
  double rests_on_ = 1;      // so many calls
  double trusted_for_ = 0;   // so many calls after a refusal
  TimePoint grows_since_{};  // kNever: it is trusted yet
  TimePoint next_at_{};
  int refused_in_row_ = 0;  // with no call between them that was let in
  std::optional<TimePoint> empty_answer_at_;
};

}  // namespace assay
