// SharedCells: the cells of a run on which several processes work. It claims ranges of them a little ahead,
// skips what is finished, and tells when a range is done. It also keeps the seat alive.
//
// What takes time is done by a thread of its own, over a connection of its own; the loop thread only hands
// out what has come.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <thread>
#include <variant>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "base/limits.h"
#include "plan/plan.h"
#include "run/executor/cells/cell_source.h"
#include "run/executor/store_thread.h"
#include "store/coordinator.h"

namespace assay {

// Cells in another order than the plan's. Ranges are then of places in it.
struct CellPlaces {
  std::vector<CellIndex> cells;         // by place: each cell of the plan once
  std::uint64_t range_max = kRangeMax;  // places of a range, at most
};

// A cell that another process may have worked on.
struct HeardCell {
  CellIndex cell = 0;
  CellOutcome outcome;  // kSkipped: its range is finished, and nobody asked it
};

struct SharedCellsWorld {
  const Clock& clock;
  Coordinator& coordinator;
  Store& reader;  // over the coordinator's connection, or another one of its thread
  const Plan& plan;
  const RunRecord& run;
  Threading threading = Threading::kThread;
  JobLink link = {};                  // without a thread; of a simulation
  bool takes_ranges = true;           // false: only the seat is kept
  const CellPlaces* order = nullptr;  // null: the plan's
  // Whether the machine slept has to be seen: time that goes on meanwhile. Absent: the clock's.
  std::function<TimePoint()> awake_now = {};
};

// What came of a wish, and when.
struct RateDrawn {
  std::string name;
  RateBlock block;
  TimePoint at;
};

class SharedCells final : public CellSource {
 public:
  // The seat is taken. All of the world outlives it.
  explicit SharedCells(SharedCellsWorld world);
  ~SharedCells() override;  // leaves the seat
  SharedCells(const SharedCells&) = delete;
  SharedCells& operator=(const SharedCells&) = delete;

  SourcedCells Next(std::size_t most) override;
  void Done(std::span<const CellIndex> cells) override;
  // Claims ranges that begin before this place, from now on.
  void ClaimBelow(std::uint64_t place);
  // The run needs nothing more: Next() claims ranges and finishes them as they are, up to the end of all.
  void ClaimNeedless();
  bool IsAtEnd() const { return is_end_; }  // no range is open, and nobody else holds one
  // What is final of these places by now; TakeHeard() has it some time later. One question at a time.
  void Hear(std::vector<std::uint64_t> places);
  bool IsHearing() const { return is_hearing_; }
  std::optional<std::vector<HeardCell>> TakeHeard();
  // Loop thread, as often as one likes: what the others are told of this seat.
  void Tell(const SeatNews& news);
  // The calls under way leave room for all seats up to the newest of standing().
  void MakeRoom();
  // Whether the seat was acknowledged lately enough to send anything.
  bool MaySend();
  const Standing& standing() const { return standing_; }  // as of the last acknowledged beat
  // What comes of it is there some time later.
  void Draw(RateWish wish) { Submit(std::move(wish)); }
  void Draw(const BudgetWish& wish) { Submit(wish); }
  std::vector<RateDrawn> TakeRates();
  std::optional<BudgetDraw> TakeBudget();
  // Whether the seat was given away, or the store is gone: nothing more is to be done here.
  bool IsLost();
  const std::optional<Error>& failure() const { return failure_; }  // of the store

 private:
  // To the thread.
  struct Claim {
    RangesWish wish;
    bool is_needless = false;  // nothing of them is to be asked
  };
  struct Question {
    std::vector<std::uint64_t> places;  // ascending
  };
  struct Finished {
    std::int64_t range = 0;
  };
  struct RoomMade {
    SeatId seat = 0;  // for it, and all before it
  };
  struct Stop {};
  using Job = std::variant<Claim, Question, Finished, SeatNews, RoomMade, RateWish, BudgetWish, Stop>;
  // From the thread.
  struct OpenRange {
    std::int64_t number = 0;
    std::vector<CellIndex> cells;  // not finished
  };
  struct Claimed {
    std::vector<OpenRange> ranges;
    bool is_none = false;  // the store had no open range
    bool is_end = false;
  };
  struct Acknowledged {
    TimePoint sent_at;
    Standing standing;
  };
  struct Displaced {};
  using Heard = std::vector<HeardCell>;
  using News = std::variant<Claimed, Heard, Acknowledged, RateDrawn, BudgetDraw, Displaced, Error>;

  void Submit(Job job);
  void Do(const Job& job);
  void Beat();
  void BeatIfDue();
  void LookForBeat();  // where there is no thread
  void Work();         // of the thread
  Result<Claimed> ClaimNow(const Claim& claim);
  Result<std::vector<CellIndex>> LeftIn(CellSpan places);
  Result<Heard> HearNow(const std::vector<std::uint64_t>& places);
  void Fail(const Error& error);
  void Drain();
  TimePoint AwakeNow() const { return world_.awake_now ? world_.awake_now() : world_.clock.Now(); }

  const SharedCellsWorld world_;

  // Of the loop thread.
  std::deque<CellIndex> ready_;
  std::map<std::int64_t, std::size_t> left_;  // by range: cells that are handed out, or will be
  std::map<CellIndex, std::int64_t> ranges_;  // of those cells
  std::size_t range_cells_ = 16;              // of the last one that came
  std::uint64_t below_ = limits::kCellsMax;
  bool is_needless_ = false;
  bool is_hearing_ = false;
  std::optional<Heard> heard_;
  bool is_claiming_ = false;
  TimePoint next_claim_{};
  bool is_end_ = false;
  bool is_displaced_ = false;
  std::optional<Error> failure_;
  TimePoint acknowledged_;  // by AwakeNow
  Standing standing_;
  std::vector<RateDrawn> rates_;
  std::optional<BudgetDraw> budget_;
  TimePoint next_news_{};
  std::uint64_t cells_done_ = 0;
  SeatId room_told_ = 0;

  // Of the thread.
  SeatNews news_;
  const TimePoint began_at_;
  TimePoint next_beat_;
  bool is_over_ = false;        // nothing is done any more
  bool has_lost_seat_ = false;  // it only says that it is there
  bool is_looking_ = false;     // for a beat that is due
  bool is_stopped_ = false;     // nobody waits for it

  BoundedQueue<News> outbox_;
  BoundedQueue<Job> jobs_;
  std::jthread thread_;
};

}  // namespace assay
