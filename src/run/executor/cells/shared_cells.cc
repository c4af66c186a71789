// Claims ranges and beats on a thread, and hands out cells on the loop's.
#include "run/executor/cells/shared_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "run/executor/cells/cells_left.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::chrono::seconds kNewsEvery{2};
// Processes of one array begin together: at first they learn of each other soon.
constexpr std::chrono::seconds kEarly{20};
constexpr std::chrono::seconds kBeatEveryEarly{1};
// Where no range is open, others may give some back. The loop would ask the server for them at each turn.
constexpr std::chrono::seconds kClaimAgainAfter{1};

template <class... Handlers>
struct CellHandlers : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
CellHandlers(Handlers...) -> CellHandlers<Handlers...>;

}  // namespace

SharedCells::SharedCells(SharedCellsWorld world)
    : world_(std::move(world)),
      acknowledged_(AwakeNow()),
      began_at_(world_.clock.Now()),
      next_beat_(began_at_),
      outbox_(limits::kQueueDepthMax),
      jobs_(limits::kQueueDepthMax) {
  is_end_ = !world_.takes_ranges;
  Beat();
  // The loop would look for them again after a second.
  if (world_.takes_ranges && world_.order == nullptr) Do(Claim{});
  if (world_.threading == Threading::kThread) thread_ = std::jthread([this] { Work(); });
}

SharedCells::~SharedCells() {
  if (thread_.joinable()) {
    jobs_.PushUnbounded(Stop{});
    thread_.join();
  }
  // A seat that cannot be left is dead after a while.
  static_cast<void>(world_.coordinator.Leave().has_value());
}

void SharedCells::Work() {
  while (!is_stopped_) {
    jobs_.WaitUntil(is_over_ ? kNever : next_beat_);
    for (const Job& job : jobs_.Drain()) Do(job);
    BeatIfDue();
  }
}

void SharedCells::Submit(Job job) {
  if (thread_.joinable()) {
    jobs_.PushUnbounded(std::move(job));
  } else if (world_.link) {
    LookForBeat();
    world_.link([this, job = std::move(job)] { Do(job); });
  } else {
    BeatIfDue();
    Do(job);
  }
}

void SharedCells::LookForBeat() {
  if (!world_.link) return BeatIfDue();
  if (is_looking_) return;
  is_looking_ = true;
  world_.link([this] {
    is_looking_ = false;
    BeatIfDue();
  });
}

void SharedCells::BeatIfDue() {
  if (!is_over_ && world_.clock.Now() >= next_beat_) Beat();
}

void SharedCells::Beat() {
  const TimePoint now = world_.clock.Now();
  const TimePoint sent_at = AwakeNow();
  next_beat_ = now + (now - began_at_ < kEarly ? kBeatEveryEarly : kBeatEvery);
  Result<Standing> standing = world_.coordinator.Beat(news_);
  if (!standing) return Fail(standing.error());
  if (!standing->lives) {
    if (!std::exchange(has_lost_seat_, true)) outbox_.PushUnbounded(Displaced{});
    return;
  }
  // Whoever is not heard of again is missed at once.
  constexpr std::chrono::milliseconds kSoon{500};
  if (standing->death_in)
    next_beat_ = std::min(next_beat_, now + std::max(*standing->death_in + kSoon, kSoon));
  outbox_.PushUnbounded(Acknowledged{sent_at, *std::move(standing)});
}

void SharedCells::Fail(const Error& error) {
  is_over_ = true;
  outbox_.PushUnbounded(error);
}

void SharedCells::Do(const Job& job) {
  is_stopped_ = std::holds_alternative<Stop>(job);
  if (is_over_ || has_lost_seat_) return;
  std::visit(CellHandlers{[&](const Claim& claim) {
                            Result<Claimed> claimed = ClaimNow(claim);
                            if (!claimed) return Fail(claimed.error());
                            outbox_.PushUnbounded(*std::move(claimed));
                          },
                          [&](const Question& question) {
                            Result<Heard> heard = HearNow(question.places);
                            if (!heard) return Fail(heard.error());
                            outbox_.PushUnbounded(*std::move(heard));
                          },
                          [&](const Finished& finished) {
                            const Status told =
                                world_.coordinator.FinishRanges(std::span(&finished.range, 1));
                            if (!told) Fail(told.error());
                          },
                          [&](const SeatNews& news) {
                            const SeatId room_for = news_.room_for;
                            news_ = news;
                            news_.room_for = room_for;
                          },
                          [&](const RoomMade& room) {
                            news_.room_for = room.seat;
                            Beat();  // somebody waits for it
                          },
                          [&](const RateWish& wish) {
                            const Result<RateBlock> block = world_.coordinator.Draw(wish);
                            if (!block) return Fail(block.error());
                            outbox_.PushUnbounded(
                                RateDrawn{.name = wish.name, .block = *block, .at = world_.clock.Now()});
                          },
                          [&](const BudgetWish& wish) {
                            const Result<BudgetDraw> draw = world_.coordinator.Draw(wish);
                            if (!draw) return Fail(draw.error());
                            outbox_.PushUnbounded(*draw);
                          },
                          [](const Stop&) {}},
             job);
}

Result<SharedCells::Claimed> SharedCells::ClaimNow(const Claim& claim) {
  Claimed claimed;
  ASSAY_TRY(const RangesClaimed mine, world_.coordinator.ClaimRanges(claim.wish));
  claimed.is_none = mine.ranges.empty();
  claimed.is_end = claimed.is_none && mine.is_end;
  std::vector<std::int64_t> finished;
  for (const SeatRange& range : mine.ranges) {
    // A store may be somebody else's work.
    if (range.cells.first > range.cells.last || range.cells.last > world_.plan.CellCount())
      return Error{
          ErrorCode::kCorrupt,
          fmt::format("the store is damaged: range {} has cells that the run has not", range.number)};
    OpenRange open{.number = range.number, .cells = {}};
    if (!claim.is_needless) {
      ASSAY_TRY(open.cells, LeftIn(range.cells));
    }
    if (open.cells.empty()) {
      finished.push_back(range.number);
    } else {
      claimed.ranges.push_back(std::move(open));
    }
  }
  if (!finished.empty()) ASSAY_CHECK_OK(world_.coordinator.FinishRanges(finished));
  return claimed;
}

// What is not finished of these places, read by cells that stand one after the other.
Result<std::vector<CellIndex>> SharedCells::LeftIn(CellSpan places) {
  const auto cell_at = [this](std::uint64_t place) {
    return world_.order == nullptr ? place : world_.order->cells[place];
  };
  std::vector<CellIndex> left;
  while (places.first < places.last) {
    CellSpan span{cell_at(places.first), cell_at(places.first) + 1};
    while (++places.first < places.last && cell_at(places.first) == span.last) ++span.last;
    ASSAY_TRY(const std::vector<bool> done, FinishedIn(world_.reader, world_.plan, world_.run, span));
    for (CellIndex cell = span.first; cell < span.last; ++cell) {
      if (!done[cell - span.first]) left.push_back(cell);
    }
  }
  return left;
}

// An error is asked again where its range is not finished, and so may be what lacks a verdict. Whether ranges
// are finished is read first: what their cells came to is in the store then.
Result<SharedCells::Heard> SharedCells::HearNow(const std::vector<std::uint64_t>& places) {
  Heard heard;
  if (places.empty()) return heard;
  ASSAY_TRY(const std::vector<CellSpan> finished,
            world_.coordinator.FinishedRanges({places.front(), places.back() + 1}));
  std::vector<CellIndex> cells;
  for (const std::uint64_t place : places) cells.push_back(world_.order->cells[place]);
  std::map<CellIndex, CellOutcome> outcomes;
  const auto take = [&outcomes](CellIndex cell, const CellOutcome& outcome) {
    outcomes.emplace(cell, outcome);
    return Ok();
  };
  ASSAY_CHECK_OK(VisitOutcomesOf(world_.reader, world_.run.context.run_id, cells, take));
  const bool takes_partial = world_.plan.suite().completeness.accepts_partial;
  auto range = finished.begin();
  for (const std::uint64_t place : places) {
    while (range != finished.end() && range->last <= place) ++range;
    const bool is_finished = range != finished.end() && range->first <= place;
    const CellIndex cell = world_.order->cells[place];
    const auto outcome = outcomes.find(cell);
    if (outcome == outcomes.end()) {
      if (is_finished) heard.push_back({cell, CellOutcome{.state = CellState::kSkipped}});
      continue;
    }
    const CellState state = outcome->second.state;
    const bool is_final = !takes_partial && (state == CellState::kScored || state == CellState::kUnscored);
    if (is_finished || is_final) heard.push_back({cell, outcome->second});
  }
  return heard;
}

void SharedCells::Drain() {
  for (News& news : outbox_.Drain()) {
    std::visit(CellHandlers{[&](Claimed& claimed) {
                              is_claiming_ = false;
                              is_end_ = claimed.is_end;
                              if (claimed.is_none) next_claim_ = world_.clock.Now() + kClaimAgainAfter;
                              for (const OpenRange& range : claimed.ranges) {
                                left_[range.number] = range_cells_ = range.cells.size();
                                ready_.insert(ready_.end(), range.cells.begin(), range.cells.end());
                                for (const CellIndex cell : range.cells) ranges_[cell] = range.number;
                              }
                            },
                            [&](Heard& heard) {
                              is_hearing_ = false;
                              heard_ = std::move(heard);
                            },
                            [&](Acknowledged& news_of) {
                              acknowledged_ = std::max(acknowledged_, news_of.sent_at);
                              standing_ = std::move(news_of.standing);
                            },
                            [&](RateDrawn& drawn) { rates_.push_back(std::move(drawn)); },
                            [&](const BudgetDraw& draw) { budget_ = draw; },
                            [&](const Displaced&) { is_displaced_ = true; },
                            [&](const Error& error) { failure_ = error; }},
               news);
  }
}

SourcedCells SharedCells::Next(std::size_t most) {
  Drain();
  if (is_displaced_ || failure_) return {};
  const bool waits = world_.clock.Now() < next_claim_;
  if (!is_end_ && !is_claiming_ && !waits && ready_.size() < most) {
    is_claiming_ = true;
    constexpr std::size_t kNeedlessMax = 256;
    const std::size_t ranges_max = world_.order == nullptr ? 8 : 1;  // in turn, all have a part of each look
    const std::size_t ranges =
        is_needless_ ? kNeedlessMax
                     : std::clamp((most - ready_.size()) / range_cells_, std::size_t{1}, ranges_max);
    Submit(Claim{.wish = {.most = ranges, .below = below_}, .is_needless = is_needless_});
    Drain();  // where there is no thread it is there
  }
  SourcedCells next;
  while (!ready_.empty() && next.cells.size() < most) {
    next.cells.push_back(ready_.front());
    ready_.pop_front();
  }
  if (!next.cells.empty()) {
    next.state = SourcedCells::State::kCells;
  } else if (!is_end_) {
    next.state = SourcedCells::State::kLater;
  }
  return next;
}

void SharedCells::Done(std::span<const CellIndex> cells) {
  cells_done_ += cells.size();
  for (const CellIndex cell : cells) {
    const auto range = ranges_.find(cell);
    if (range == ranges_.end()) continue;
    const auto left = left_.find(range->second);
    ranges_.erase(range);
    if (--left->second > 0) continue;
    Submit(Finished{left->first});
    left_.erase(left);
    if (left_.empty()) next_claim_ = {};  // the run may be at its end
  }
}

void SharedCells::ClaimBelow(std::uint64_t place) {
  if (place > below_) next_claim_ = {};
  below_ = place;
}

void SharedCells::ClaimNeedless() {
  if (std::exchange(is_needless_, true)) return;
  ClaimBelow(limits::kCellsMax);
  const std::vector<CellIndex> held(ready_.begin(), ready_.end());
  ready_.clear();
  Done(held);
}

void SharedCells::Hear(std::vector<std::uint64_t> places) {
  is_hearing_ = true;
  Submit(Question{std::move(places)});
}

std::optional<std::vector<HeardCell>> SharedCells::TakeHeard() {
  Drain();
  return std::exchange(heard_, std::nullopt);
}

void SharedCells::Tell(const SeatNews& news) {
  const TimePoint now = world_.clock.Now();
  if (now < next_news_) return;
  next_news_ = now + kNewsEvery;
  Submit(news);
}

void SharedCells::MakeRoom() {
  if (standing_.newest <= room_told_) return;
  room_told_ = standing_.newest;
  Submit(RoomMade{room_told_});
}

bool SharedCells::IsLost() {
  if (!thread_.joinable()) LookForBeat();
  Drain();
  return is_displaced_ || failure_;
}

bool SharedCells::MaySend() { return !IsLost() && AwakeNow() - acknowledged_ < kSilentAfter; }

std::vector<RateDrawn> SharedCells::TakeRates() {
  Drain();
  return std::exchange(rates_, {});
}

std::optional<BudgetDraw> SharedCells::TakeBudget() {
  Drain();
  return std::exchange(budget_, {});
}

}  // namespace assay
