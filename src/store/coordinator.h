// Coordinator: how several processes work on one run. Each takes a seat; who sits tells every few seconds
// that it lives, holds ranges of cells that nobody else works on, and claims the calls that it is about to
// make. What a seat held that has not been heard of for a minute is free for the others.
//
// A file has one writer, so that only a store on a server has one (CoordinatorOf); tests have a simulated
// one. docs/cluster.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "base/limits.h"
#include "spec/run/run_part.h"
#include "store/store.h"

namespace assay {

inline constexpr std::chrono::seconds kBeatEvery{10};
// Whoever has not been acknowledged for this long sends nothing more…
inline constexpr std::chrono::seconds kSilentAfter{40};
// …before others may take over what it held.
inline constexpr std::chrono::seconds kDeadAfter{60};

using SeatId = std::int64_t;  // of the store

inline constexpr std::uint64_t kRangeMax = 4'096;  // cells

// What all who work on a run spend together; absent: there is no such limit.
struct SharedBudgetLimits {
  std::optional<std::int64_t> nano_usd;
  std::optional<std::int64_t> tokens;
  bool IsSet() const { return nano_usd || tokens; }
  bool operator==(const SharedBudgetLimits&) const = default;
};

// What a process says of itself.
struct SeatRequest {
  std::string run_id;
  std::optional<std::int64_t> shard;  // absent: a run by itself, beside which nobody sits
  std::int64_t shards = 1;
  std::uint64_t cells = 0;              // of the plan
  std::uint64_t cells_per_case = 1;     // one after the other
  std::uint64_t range_max = kRangeMax;  // cells of a range that it opens, at most
  std::string host;
  std::int64_t process = 0;
  std::string task;                // of the cluster: "1234_5"; "": none
  SharedBudgetLimits budget = {};  // of a shard: all of them say the same
};

// A model that a process asks no more, since it fails again and again.
struct BrokenModel {
  std::string key;    // of its breaker
  std::string model;  // "openai:gpt-4o"
  std::string message;
  bool operator==(const BrokenModel&) const = default;
};

struct SeatNews {
  std::uint64_t cells_done = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t cells_failed = 0;
  std::int64_t cost_nano_usd = 0;
  std::vector<BrokenModel> broken = {};
  SeatId room_for = 0;  // its calls under way leave room for all seats up to this one
};

// What a seat learns of itself and the others when it says that it lives.
struct Standing {
  bool lives = true;  // false: the seat was given away, and whatever it does counts no more
  // How many have calls under way, and the how-manieth of them it is, by registration: those who work on the
  // run, and those whose seats were given away until they leave.
  std::int64_t living = 1;
  std::int64_t rank = 0;
  bool is_known = true;                  // every one before it has made room for it
  SeatId newest = 0;                     // of those who work on the run, itself too
  std::uint64_t failed_elsewhere = 0;    // cells, by all others since the ranges were opened
  std::vector<BrokenModel> broken = {};  // by the others
  std::chrono::milliseconds age{0};      // since the ranges were opened
  // Until the first of the others is dead, unless it is heard of; absent: it is alone.
  std::optional<std::chrono::milliseconds> death_in = {};
};

// What is drawn of a limit a minute that all who work on a run share.
struct RateWish {
  std::string name;  // "openai requests"
  double per_minute = 1;
  double units = 0;                    // at least; 0: none
  double returned = 0;                 // of what was drawn before
  std::chrono::microseconds pause{0};  // the service wants nobody for so long
};
struct RateBlock {
  double units = 0;                        // 0: ask again when `starts_in` is over
  std::chrono::microseconds starts_in{0};  // from the answer on
  std::chrono::microseconds every{0};      // one unit
};
// Units of a block may go in its first second: whoever draws evenly in such blocks exceeds `per_minute` in no
// minute. `free_at_us` is when the next block may start, `now_us` by the same clock.
inline constexpr std::chrono::seconds kBlockHolds{1};
RateBlock DrawRate(const RateWish& wish, std::int64_t now_us, std::int64_t& free_at_us);

// What is drawn of a budget.
struct Spending {
  std::int64_t nano_usd = 0;
  std::int64_t tokens = 0;
};
struct BudgetWish {
  Spending held;    // what this seat has spent, and reserved for calls under way
  Spending needed;  // at least, beyond that; 0: the rest goes back
};
struct BudgetDraw {
  Spending taken;            // what this seat may spend in all
  Spending left;             // of the budget, that nobody has
  bool others_hold = false;  // of it, more than they have spent
};
// A part of what nobody has: small, so that no seat keeps what others need, but enough for a call.
Spending TrancheOf(const SharedBudgetLimits& limits, const Spending& left, const Spending& needed,
                   std::int64_t living);

// A seat as others see it; times are the server's.
struct SeatRow {
  SeatId id = 0;
  std::optional<std::int64_t> shard;
  std::string host;
  std::int64_t process = 0;
  std::string task;
  std::int64_t began_ms = 0;
  std::int64_t beat_age_ms = 0;  // since it was last heard of
  SeatNews news;
  std::uint64_t requests_sent = 0;
  std::int64_t ranges_held = 0;
};

struct RangeCounts {
  std::int64_t open = 0;
  std::int64_t held = 0;
  std::int64_t done = 0;
};

// Who works on a run, and what is left of it.
struct RunWork {
  std::vector<SeatRow> living;
  RangeCounts ranges;
};

// "shard 2 on node-7 (process 411), heard of 3 s ago".
std::string SeatsText(const RunWork& work);

struct SeatRange {
  std::int64_t number = 0;
  CellSpan cells;
};

// Ranges of a plan's cells: enough of them for all shards, none small enough to cost more than it brings, and
// ending where cases end, since equal requests are mostly of one case.
std::vector<SeatRange> RangesOf(std::uint64_t cells, std::uint64_t cells_per_case, std::int64_t shards,
                                std::uint64_t range_max = kRangeMax);

// What a seat asks for.
struct RangesWish {
  std::size_t most = 1;
  std::uint64_t below = limits::kCellsMax;  // ranges that begin before this cell
};
// What a seat may learn when it asks for ranges.
struct RangesClaimed {
  std::vector<SeatRange> ranges;  // it holds them now
  bool is_end = false;            // none is open, and nobody else holds one
};

// One thread at a time.
class Coordinator {
 public:
  virtual ~Coordinator() = default;
  // Takes a seat. Whoever sat there for the same shard is displaced, and the ranges of all who are dead are
  // free. Where nobody works on the run, a shard opens all of its ranges. kRefused: others work on it, and
  // names them, or they have another budget.
  virtual Result<SeatId> Sit(const SeatRequest& request) = 0;
  // Whose seat was given away goes on to say that calls of his are under way, until he leaves.
  virtual Result<Standing> Beat(const SeatNews& news) = 0;
  // The first ones that are open.
  virtual Result<RangesClaimed> ClaimRanges(const RangesWish& wish) = 0;
  virtual Status FinishRanges(std::span<const std::int64_t> numbers) = 0;
  // The finished ranges that have cells of `span`, in their order.
  virtual Result<std::vector<CellSpan>> FinishedRanges(CellSpan span) = 0;
  virtual Result<RateBlock> Draw(const RateWish& wish) = 0;
  // Of the budget that the seat was taken with.
  virtual Result<BudgetDraw> Draw(const BudgetWish& wish) = 0;
  // Whatever it holds is free, but what it drew of a budget.
  virtual Status Leave() = 0;
};

// A seat, perhaps of another run, and how many calls it keeps others from.
struct ClaimHolder {
  std::string run_id;
  SeatRow seat;  // who sits there, and when it was last heard of
  std::int64_t calls = 0;
};
// "3 by shard 2 of run 2026… on node-7 (process 411), heard of 3 s ago".
std::string HoldersText(std::span<const ClaimHolder> holders);

// Which calls a seat may make: one seat asks what several need, of whatever run. A commit of the exchange
// frees its key, and so does a seat that is not heard of for kDeadAfter. Claims outlive a lost connection and
// a crash of the server: they are written again. Thread of the store.
class CallClaims {
 public:
  virtual ~CallClaims() = default;
  // False: nobody else makes calls, and none has to be claimed.
  virtual bool AreNeeded() const { return true; }
  // By key: whether it is this seat's now. Else another one is about to ask, or asks.
  virtual Result<std::vector<bool>> Claim(std::span<const Digest> keys, std::uint32_t epoch) = 0;
  // They are not asked after all.
  virtual Status Free(std::span<const Digest> keys, std::uint32_t epoch) = 0;
  // Who has them, those with the most first.
  virtual Result<std::vector<ClaimHolder>> HoldersOf(std::span<const Digest> keys, std::uint32_t epoch) = 0;
};

// Over a connection of its own: `store` is used by nobody else meanwhile. Null: this kind of store has none.
std::unique_ptr<Coordinator> CoordinatorOf(Store& store);
// What this store commits from now on is of that seat.
std::unique_ptr<CallClaims> CallClaimsOf(Store& store, SeatId seat);
// What the last commit was to keep, where it failed.
std::vector<Exchange> TakeUncommitted(Store& store);
// What these cells come to that the store has.
Status VisitOutcomesOf(Store& store, const std::string& run_id, std::span<const CellIndex> cells,
                       const Store::OutcomeVisitor& visit);
// Nobody and nothing of a store that has no coordinator.
Result<RunWork> WorkOnRun(Store& store, const std::string& run_id);

// What nobody has done of a run since its ranges were opened, and who was the last of each shard.
struct LastOfShard {
  std::int64_t shard = 0;
  std::string host;
  std::int64_t process = 0;
  std::string task;
  std::int64_t beat_age_ms = 0;
  bool has_left = false;  // false: it was not heard of again
};
struct RunLeft {
  std::uint64_t cells = 0;
  std::int64_t ranges = 0;
  std::int64_t ranges_of = 0;  // how many there are in all; 0: nobody has opened any
  std::int64_t shards = 0;     // of whoever opened them; 0: nobody has
  std::vector<LastOfShard> last;
};
Result<RunLeft> LeftOfRun(Store& store, const std::string& run_id);

// A process that works on a run has so many: one to commit through, and one for its seat.
inline constexpr std::int64_t kConnectionsOfSeat = 2;
// How many connections the server has left for this user, beside this one. Nothing: the store is a file, or a
// pooler stands between, which shares what there is.
Result<std::optional<std::int64_t>> ConnectionsLeft(Store& store);
// Whether other machines cannot reach the server by this address: it is of this machine alone.
bool IsOfThisMachine(const std::string& location);
// Milliseconds since 1970-01-01 UTC by the clock of the store's server, which all machines have in common;
// nothing: the store is a file.
Result<std::optional<std::int64_t>> ServerWallMs(Store& store);
// The ids of the runs that somebody works on now: on a server those with a seat that is heard of, of a file
// the one whose sitting is the newest, while its writer has it. `location`: where the store was opened.
Result<std::vector<std::string>> RunsAtWork(Store& store, const std::string& location);

// While it lives no other process of this store chooses or begins a run. Over a connection of its own; null
// where there is no need.
class RunsHeld {
 public:
  virtual ~RunsHeld() = default;
  // Whoever stands still for a minute loses it. kTimeout: it is lost.
  virtual Status StillHolds() = 0;
};
Result<std::unique_ptr<RunsHeld>> HoldRuns(Store& store);

}  // namespace assay
