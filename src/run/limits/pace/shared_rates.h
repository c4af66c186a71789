// SharedRates: limits a minute that several processes of a run share. What may go is drawn in small blocks,
// for calls that wait; a block holds for a second. Loop thread only.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "run/executor/cells/shared_cells.h"
#include "run/limits/run_limits.h"

namespace assay {

class SharedRates {
 public:
  SharedRates(std::span<const Pool> pools, const RunLimits& limits, SharedCells& seat);

  // When a call that takes up to so many tokens may go. Draws what it needs.
  TimePoint ReadyAt(PoolIndex pool, std::int64_t tokens, TimePoint now);
  void OnSend(PoolIndex pool, std::int64_t tokens, TimePoint now);
  void Return(PoolIndex pool, std::int64_t tokens);
  // The service of this pool wants nobody for so long.
  void Pause(PoolIndex pool, std::chrono::microseconds wait);

 private:
  struct Block {
    TimePoint starts{};
    std::chrono::microseconds every{0};  // one unit
    double units = 0;                    // that are left
    double used = 0;
  };
  struct Limit {
    std::string name;
    double per_minute = 1;
    bool is_spread = false;  // one unit after the other
    std::deque<Block> blocks = {};
    double returned = 0;
    std::chrono::microseconds pause{0};
    bool is_drawing = false;
    TimePoint again_at{};  // nothing is drawn before
  };
  void Take();
  TimePoint ReadyIn(Limit& limit, double units, TimePoint now);
  void Draw(Limit& limit, double units);
  static void Use(Limit& limit, double units, TimePoint now);

  struct Limits {
    Limit* requests = nullptr;  // null: none
    Limit* tokens = nullptr;
  };
  SharedCells& seat_;
  std::map<std::string, Limit> limits_;  // by name
  std::vector<Limits> of_pool_;
};

}  // namespace assay
