// `--fold`: whether the shards of a run have left nothing, and waiting until they have.
#pragma once

#include <optional>

#include "base/clock.h"
#include "base/errors/result.h"
#include "cli/settings/options.h"
#include "cli/terminal/ui.h"
#include "engine/signals.h"
#include "store/coordinator.h"
#include "store/store.h"

namespace assay {

// How long whoever waits for shards does so while nobody works on the run: longer than engines take to start
// a task again, and as long as a queue may be before the first begins.
class ShardPatience {
 public:
  static constexpr std::chrono::minutes kBetween{30};
  static constexpr std::chrono::hours kBeforeFirst{24};

  // Whether it is over, at this look.
  bool IsOver(const RunWork& work, TimePoint now);

 private:
  std::optional<TimePoint> idle_since_;
  RangeCounts ranges_;
  bool has_begun_ = false;  // while it was looked at
};

// Whoever folds a run finds it done. kRefused: what is missing, who left it, and the command that goes on.
Status MayFold(Store& store, const RunRecord& run, const Options& options);

// Until the shards of a run have left no cells and nobody works on it. False: a signal came first; kRefused,
// as above: nobody came for too long.
Result<bool> WaitForShards(Store& store, const RunRecord& run, const Options& options, StopSignals& signals,
                           Ui& ui);

}  // namespace assay
