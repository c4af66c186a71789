// Walk: lets a turn be written as plain sequential code. The turn is run again over the stored replies each
// time one arrives, from its start or from a place that was remembered, and stops at the first reply that is
// missing; its request is then made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/run/step.h"
#include "text/value.h"

// The value of an optional, or back to whoever walks: a reply is still to come.
#define ASSAY_AWAIT(declaration, expression) ASSAY_AWAIT_AT(declaration, expression, __LINE__)
#define ASSAY_AWAIT_AT(declaration, expression, line) ASSAY_AWAIT_NAMED(declaration, expression, line)
#define ASSAY_AWAIT_NAMED(declaration, expression, line) \
  auto awaited_##line = (expression);                    \
  if (!awaited_##line) return std::nullopt;              \
  declaration = *std::move(awaited_##line)

namespace assay {

struct Waited {};  // of steps of a walk that have nothing to tell

class Walk {
 public:
  explicit Walk(std::span<const Exchange> so_far = {}) : left_(so_far) {}

  // Goes on from where it stands, with the replies that have come since; `so_far` begins with those that it
  // was made over.
  void GoOnWith(std::span<const Exchange> so_far) { left_ = so_far.subspan(taken_); }
  std::size_t taken() const { return taken_; }  // replies

  // The reply to one request; nothing: it is asked for now, and the walk ends. `make` gives a PlannedRequest,
  // and is called only then.
  template <class Make>
  std::optional<const Exchange*> Ask(Make&& make) {
    const auto replies = AskAll(1, [&make](std::size_t) { return make(); });
    if (!replies) return std::nullopt;
    return &replies->front();
  }

  // The replies to several that go out together, in their order; `make` is given the number of each.
  template <class Make>
  std::optional<std::span<const Exchange>> AskAll(std::size_t count, Make&& make) {
    if (count == 0) return std::span<const Exchange>();
    if (left_.size() < count) {
      for (std::size_t i = 0; i < count; ++i) needed_.push_back(make(i));
      return std::nullopt;
    }
    const std::span<const Exchange> replies = left_.first(count);
    left_ = left_.subspan(count);
    taken_ += count;
    std::int64_t longest_us = 0;
    for (const Exchange& reply : replies) longest_us = std::max(longest_us, reply.duration_us);
    elapsed_us_ += longest_us;
    if (left_.empty()) told_before_ = events_.size();
    return replies;
  }

  // An event of the turn: a map of spec/turn/turn_details.h, without its time.
  void Tell(Map event);
  // Something for people, told under way: who says it, and what.
  void TellStatus(std::string_view source, std::string text);

  // "stage_start" or "stage_end" of "local_ingestion" or "shortlist".
  void TellStage(std::string_view name, std::string_view stage);

  // That its exchanges took so far: what is computed between them takes no time.
  double elapsed_ms() const { return static_cast<double>(elapsed_us_) / 1000; }
  // The same without what was charged: what limits look at, so that a turn ends where it would in any run.
  double asked_ms() const { return static_cast<double>(elapsed_us_ - charged_us_) / 1000; }
  // Adds time that somebody else took for the turn.
  void Charge(double ms) {
    const auto us = static_cast<std::int64_t>(ms * 1000);
    elapsed_us_ += us;
    charged_us_ += us;
  }

  std::vector<PlannedRequest> TakeNeeded() { return std::move(needed_); }
  // Lines of JSON: all of them, and those since the last reply.
  const std::vector<std::string>& events() const { return events_; }
  std::vector<std::string> NewEvents() const {
    return {events_.begin() + static_cast<std::ptrdiff_t>(told_before_), events_.end()};
  }

 private:
  std::span<const Exchange> left_;
  std::size_t taken_ = 0;
  std::vector<PlannedRequest> needed_;
  std::vector<std::string> events_;
  std::size_t told_before_ = 0;  // events that were there when the last reply was still to come
  std::int64_t elapsed_us_ = 0;
  std::int64_t charged_us_ = 0;  // of these
};

}  // namespace assay
