// The messages that the loop of a run receives from workers, store thread, transports and launchers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/bounded_queue.h"
#include "run/executor/cells/live_cell.h"
#include "run/wire/wire.h"
#include "store/store.h"

namespace assay {

struct StepsRun {
  std::vector<StepResult> results;
};
struct LookedUp {
  std::vector<Digest> keys;
  Result<std::vector<std::optional<Exchange>>> found;
  // The first of the keys were to be claimed: whether each is this process's now. Else another one asks it.
  std::vector<bool> claimed = {};
  std::string holders = {};  // who has those that were to be named
};
// A reply, from wherever it was asked for.
struct Arrived {
  Ticket ticket = 0;
  WireReply reply;
};
// The same as workers read it.
struct Decoded {
  Ticket ticket = 0;
  WireNews news;
};
struct RepliesDecoded {
  std::vector<Decoded> replies;
};
// Before its reply.
struct EventLine {
  Ticket ticket = 0;
  std::string line;
};
// A cell that was graded, for whoever listens.
struct GradedCell {
  CellAddress address;
  std::unique_ptr<const AttemptRecord> record;  // null where it was not asked
};
struct Committed {
  Result<std::vector<Exchange>> exchanges;  // that count, with their ids
  std::vector<CellIndex> cells = {};
  std::vector<GradedCell> told = {};
};
struct BatchSaved {
  std::size_t place = 0;
  Result<std::int64_t> number;  // of the record
};
struct StopRequested {
  RunEnding why = RunEnding::kInterrupted;
};

using LoopMessage = std::variant<StepsRun, LookedUp, Arrived, RepliesDecoded, EventLine, Committed,
                                 BatchSaved, StopRequested>;
using LoopInbox = BoundedQueue<LoopMessage>;

}  // namespace assay
