// A coordinator without a server, for several runs of one store, and a clock for several executors at once:
// one of them runs at a time, until it waits.
#pragma once

#include <sched.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "store/coordinator.h"
#include "tests/sim/fake_world.h"

namespace assay::sim {

// The caller and the threads that it begins stay on one core: threads of which one runs at a time hand over
// faster so.
class OnOneCore {
 public:
  OnOneCore() {
    if (sched_getaffinity(0, sizeof before_, &before_) != 0) CPU_ZERO(&before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(std::max(sched_getcpu(), 0)), &one);
    static_cast<void>(sched_setaffinity(0, sizeof one, &one));
  }
  ~OnOneCore() {
    if (CPU_COUNT(&before_) > 0) static_cast<void>(sched_setaffinity(0, sizeof before_, &before_));
  }
  OnOneCore(const OnOneCore&) = delete;
  OnOneCore& operator=(const OnOneCore&) = delete;

 private:
  cpu_set_t before_{};
};

// Time of several programs, each on a thread of its own, none of which runs beside another.
class SharedTime {
 public:
  // A program's view of it.
  class View final : public EventClock {
   public:
    View(SharedTime& time, std::size_t self) : time_(time), self_(self) {}
    TimePoint Now() const override { return time_.now_; }
    std::int64_t WallMs() const override {
      constexpr std::int64_t kStartMs = 1'000'000'000'000;
      return kStartMs +
             std::chrono::duration_cast<std::chrono::milliseconds>(time_.now_.time_since_epoch()).count();
    }
    void Wait(Inbox& inbox, TimePoint deadline) override {
      if (time_.now_ >= sleeps_at_) {
        sleeps_at_ = kNever;
        time_.Park(self_, nullptr, wakes_at_);
      }
      time_.Park(self_, &inbox, deadline);
    }
    // The program stands still from its first wait at this time on; the world does not.
    void Sleep(TimePoint from, TimePoint until) {
      sleeps_at_ = from;
      wakes_at_ = until;
    }
    void At(TimePoint time, std::function<void()> event) override {
      time_.events_.emplace(time, std::make_pair(self_, std::move(event)));
    }
    void ForgetAll() override {
      std::erase_if(time_.events_, [&](const auto& event) { return event.second.first == self_; });
    }

   private:
    SharedTime& time_;
    std::size_t self_;
    TimePoint sleeps_at_ = kNever;
    TimePoint wakes_at_{};
  };

  TimePoint Now() const { return now_; }

  // Runs all of them to their ends; `program` gets its number and its clock.
  void Run(std::size_t count, const std::function<void(std::size_t, View&)>& program) {
    for (std::size_t i = 0; i < count; ++i) programs_.push_back(std::make_unique<Program>());
    {
      const OnOneCore here;
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count; ++i) {
        programs_[i]->deadline = now_;
        threads.emplace_back([&, i] {
          programs_[i]->go.Pop();
          View view(*this, i);
          program(i, view);
          programs_[i]->has_ended = true;
          PassOn(std::nullopt);
        });
      }
      PassOn(std::nullopt);
    }
    programs_.clear();
  }

 private:
  struct Program {
    BoundedQueue<bool> go{1};
    Inbox* inbox = nullptr;  // it waits on
    TimePoint deadline{};
    bool has_ended = false;
  };

  void Park(std::size_t self, Inbox* inbox, TimePoint deadline) {
    programs_[self]->inbox = inbox;
    programs_[self]->deadline = deadline;
    PassOn(self);
  }

  // Whoever may go on does; `waits`, if it is not that one, until its turn comes. The threads hand over to
  // each other, and one that goes on itself costs nothing: waking a thread was most of what this simulation
  // did.
  void PassOn(std::optional<std::size_t> waits) {
    const std::optional<std::size_t> next = Next();
    if (!next) return;
    programs_[*next]->inbox = nullptr;
    if (next == waits) return;
    programs_[*next]->go.PushUnbounded(true);
    if (waits) programs_[*waits]->go.Pop();
  }

  // Who may go on; time passes and things happen until somebody may. Nothing: all have ended.
  std::optional<std::size_t> Next() {
    while (true) {
      TimePoint first = kNever;
      std::optional<std::size_t> waits;
      for (std::size_t i = 0; i < programs_.size(); ++i) {
        const Program& program = *programs_[i];
        if (program.has_ended) continue;
        if (program.inbox != nullptr && program.inbox->HasMessages()) return i;
        if (waits && program.deadline >= first) continue;
        waits = i;
        first = program.deadline;
      }
      if (!waits) return std::nullopt;
      if (events_.empty() || events_.begin()->first > first) {
        ASSAY_ASSERT(first != kNever);
        now_ = std::max(now_, first);
        return waits;
      }
      const auto event = events_.begin();
      now_ = std::max(now_, event->first);
      const std::function<void()> happens = std::move(event->second.second);
      events_.erase(event);
      happens();
    }
  }

  TimePoint now_{};
  std::multimap<TimePoint, std::pair<std::size_t, std::function<void()>>> events_;
  std::vector<std::unique_ptr<Program>> programs_;
};

// What the server keeps.
class SimCoordination {
 public:
  explicit SimCoordination(const SharedTime& time) : time_(time) {}

  bool Lives(SeatId seat) {
    EndDead(seats_.at(seat).run);
    return !seats_.at(seat).has_ended;
  }
  void FreeClaims(SeatId seat, std::span<const Exchange> answered) {
    for (const Exchange& exchange : answered) Free(seat, exchange.key);
  }

  // How many keys seats asked for at a time.
  double KeysPerClaim() const {
    return static_cast<double>(keys_claimed_) / static_cast<double>(std::max<std::size_t>(claim_trips_, 1));
  }

  // How often seats looked for ranges where none was open.
  std::size_t RangesMissed() const { return ranges_missed_; }

  class Seat final : public Coordinator, public CallClaims {
   public:
    explicit Seat(SimCoordination& all) : all_(all) {}
    SeatId id() const { return id_; }

    Result<SeatId> Sit(const SeatRequest& request) override {
      run_ = request.run_id;
      all_.EndDead(run_);
      bool has_others = false;
      for (auto& [id, seat] : all_.seats_) {
        if (seat.run != run_) continue;
        if (seat.shard == *request.shard && !seat.has_ended) seat.calls_go_on = seat.has_ended = true;
        has_others = has_others || !seat.has_ended;
      }
      all_.EndDead(run_);
      id_ = ++all_.last_seat_;
      if (!has_others) {
        Run& opened = all_.runs_[run_];
        opened.ranges.clear();
        for (const SeatRange& range :
             RangesOf(request.cells, request.cells_per_case, request.shards, request.range_max))
          opened.ranges.push_back({.range = range});
        opened.opened_at = all_.time_.Now();
        opened.budget = request.budget;  // the same goes on
      }
      all_.seats_[id_] = {.run = run_, .shard = *request.shard, .beat_at = all_.time_.Now()};
      return id_;
    }
    Result<Standing> Beat(const SeatNews& news) override {
      if (!all_.Lives(id_)) {
        if (all_.HasCalls(id_)) all_.seats_.at(id_).beat_at = all_.time_.Now();
        return Standing{.lives = false};
      }
      Sitter& own = all_.seats_.at(id_);
      own.beat_at = all_.time_.Now();
      own.news = news;
      Standing standing{.newest = id_,
                        .age = std::chrono::duration_cast<std::chrono::milliseconds>(
                            all_.time_.Now() - all_.runs_[run_].opened_at)};
      for (const auto& [id, other] : all_.seats_) {
        if (id == id_ || other.run != run_) continue;
        standing.failed_elsewhere += other.news.cells_failed;
        standing.broken.insert(standing.broken.end(), other.news.broken.begin(), other.news.broken.end());
        if (!other.has_ended) {
          standing.newest = std::max(standing.newest, id);
          const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(other.beat_at + kDeadAfter -
                                                                                  all_.time_.Now());
          standing.death_in = std::min(standing.death_in.value_or(left), left);
        }
        if (!all_.HasCalls(id)) continue;
        ++standing.living;
        if (id > id_) continue;
        ++standing.rank;
        standing.is_known = standing.is_known && other.news.room_for >= id_;
      }
      return standing;
    }
    Result<RangesClaimed> ClaimRanges(const RangesWish& wish) override {
      RangesClaimed claimed{.ranges = {}, .is_end = true};
      const bool lives = all_.Lives(id_);
      for (Row& row : all_.runs_[run_].ranges) {
        if (lives && row.seat == 0 && !row.is_done && row.range.cells.first < wish.below &&
            claimed.ranges.size() < wish.most) {
          row.seat = id_;
          claimed.ranges.push_back(row.range);
        }
        if (!row.is_done && row.seat != id_) claimed.is_end = false;
      }
      if (claimed.ranges.empty()) ++all_.ranges_missed_;
      return claimed;
    }
    Status FinishRanges(std::span<const std::int64_t> numbers) override {
      for (const std::int64_t number : numbers) {
        Row& row = all_.runs_[run_].ranges.at(static_cast<std::size_t>(number));
        if (row.seat == id_) row.is_done = true;
      }
      return Ok();
    }
    Result<std::vector<CellSpan>> FinishedRanges(CellSpan span) override {
      std::vector<CellSpan> finished;
      for (const Row& row : all_.runs_[run_].ranges) {
        const CellSpan cells = row.range.cells;
        if (row.is_done && cells.first < span.last && cells.last > span.first) finished.push_back(cells);
      }
      return finished;
    }
    Result<RateBlock> Draw(const RateWish& wish) override {
      std::int64_t& free_at = all_.runs_[run_].paces[wish.name];
      return DrawRate(wish, all_.time_.Now().time_since_epoch().count(), free_at);
    }
    Result<BudgetDraw> Draw(const BudgetWish& wish) override {
      all_.EndDead(run_);
      const SharedBudgetLimits budget = all_.runs_[run_].budget;
      BudgetDraw draw;
      draw.left = {.nano_usd = budget.nano_usd.value_or(0) - wish.held.nano_usd,
                   .tokens = budget.tokens.value_or(0) - wish.held.tokens};
      std::int64_t living = 1;
      for (const auto& [id, other] : all_.seats_) {
        if (id == id_ || other.run != run_) continue;
        draw.left.nano_usd -= other.taken.nano_usd;
        draw.left.tokens -= other.taken.tokens;
        if (other.has_ended) continue;
        ++living;
        draw.others_hold = draw.others_hold || other.taken.nano_usd > other.held.nano_usd ||
                           other.taken.tokens > other.held.tokens;
      }
      const bool is_return = wish.needed.nano_usd == 0 && wish.needed.tokens == 0;
      const Spending more = is_return ? Spending() : TrancheOf(budget, draw.left, wish.needed, living);
      draw.left = {.nano_usd = draw.left.nano_usd - more.nano_usd, .tokens = draw.left.tokens - more.tokens};
      draw.taken = {.nano_usd = wish.held.nano_usd + more.nano_usd, .tokens = wish.held.tokens + more.tokens};
      Sitter& own = all_.seats_.at(id_);
      own.taken = draw.taken;
      own.held = wish.held;
      return draw;
    }
    Status Leave() override {
      all_.seats_.at(id_).has_ended = true;
      all_.seats_.at(id_).calls_go_on = false;
      all_.EndDead(run_);
      return Ok();
    }
    Result<std::vector<bool>> Claim(std::span<const Digest> keys, std::uint32_t) override {
      ++all_.claim_trips_;
      all_.keys_claimed_ += keys.size();
      std::vector<bool> mine;
      const bool lives = all_.Lives(id_);
      for (const Digest& key : keys) mine.push_back(lives && all_.TakeClaim(id_, key));
      return mine;
    }
    Result<std::vector<ClaimHolder>> HoldersOf(std::span<const Digest> keys, std::uint32_t) override {
      std::map<SeatId, ClaimHolder> holders;
      for (const Digest& key : keys) {
        const auto claim = all_.claims_.find(key);
        if (claim == all_.claims_.end()) continue;
        ClaimHolder& holder = holders[claim->second];
        holder.run_id = all_.seats_.at(claim->second).run;
        ++holder.calls;
      }
      std::vector<ClaimHolder> listed;
      for (auto& [id, holder] : holders) listed.push_back(std::move(holder));
      return listed;
    }
    Status Free(std::span<const Digest> keys, std::uint32_t) override {
      for (const Digest& key : keys) all_.Free(id_, key);
      return Ok();
    }

   private:
    SimCoordination& all_;
    std::string run_;
    SeatId id_ = 0;
  };

 private:
  struct Sitter {
    std::string run;
    std::int64_t shard = 0;
    TimePoint beat_at;
    bool has_ended = false;
    bool calls_go_on = false;  // its seat was given away, and it has not left
    SeatNews news = {};
    Spending taken = {};
    Spending held = {};
  };
  struct Row {
    SeatRange range;
    SeatId seat = 0;
    bool is_done = false;
  };
  struct Run {
    std::vector<Row> ranges = {};
    std::map<std::string, std::int64_t> paces = {};
    SharedBudgetLimits budget = {};
    TimePoint opened_at{};
  };

  bool HasCalls(SeatId id) const {
    const Sitter& seat = seats_.at(id);
    return !seat.has_ended || (seat.calls_go_on && time_.Now() - seat.beat_at <= kDeadAfter);
  }
  void Free(SeatId seat, const Digest& key) {
    const auto claim = claims_.find(key);
    if (claim != claims_.end() && claim->second == seat) claims_.erase(claim);
  }
  bool IsHeardOf(SeatId id) const {
    const Sitter& seat = seats_.at(id);
    return !seat.has_ended && time_.Now() - seat.beat_at <= kDeadAfter;
  }
  // Whichever run it belongs to who had it.
  bool TakeClaim(SeatId seat, const Digest& key) {
    SeatId& holder = claims_.emplace(key, seat).first->second;
    if (!IsHeardOf(holder)) holder = seat;
    return holder == seat;
  }
  // What seats of the run held that have ended, or were not heard of, is free.
  void EndDead(const std::string& run) {
    for (auto& [id, seat] : seats_) {
      if (seat.run == run) seat.has_ended = !IsHeardOf(id);
    }
    for (Row& row : runs_[run].ranges) {
      if (!row.is_done && row.seat != 0 && seats_.at(row.seat).has_ended) row.seat = 0;
    }
    std::erase_if(claims_, [&](const auto& claim) {
      const Sitter& holder = seats_.at(claim.second);
      return holder.run == run && holder.has_ended;
    });
  }

  const SharedTime& time_;
  std::map<SeatId, Sitter> seats_;
  std::map<std::string, Run> runs_;
  std::map<Digest, SeatId> claims_;
  SeatId last_seat_ = 0;
  std::size_t claim_trips_ = 0;
  std::size_t keys_claimed_ = 0;
  std::size_t ranges_missed_ = 0;
};

}  // namespace assay::sim
