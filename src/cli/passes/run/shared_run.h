// A run whose store is on a server, where other processes may work on it too: this process takes a seat, and
// gives it back at the end (store/coordinator.h, docs/cluster.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cli/settings/granted.h"
#include "cli/settings/shard_options.h"
#include "plan/plan.h"
#include "run/executor/cells/shared_cells.h"
#include "store/coordinator.h"

namespace assay {

class SharedRun {
 public:
  // Null: the store is a file, and this process its only writer. kRefused: others work on the run, and this
  // process was to work on it alone. Everything given outlives it.
  static Result<std::unique_ptr<SharedRun>> Join(const Granted& granted, const ShardOptions& shard,
                                                 const Clock& clock, Store& store, const Plan& plan,
                                                 const RunRecord& run);

  // For Join.
  SharedRun(const RunRecord& run, bool is_shard) : is_shard_(is_shard), run_(run) {}

  // Of a shard: the cells that it works on. Null: those that are left.
  CellSource* source() { return is_shard_ ? &*cells_ : nullptr; }
  SharedCells& seat() { return *cells_; }
  CallClaims& claims() { return *claims_; }

 private:
  const bool is_shard_;
  const RunRecord run_;
  std::unique_ptr<Store> store_;  // over a connection of its own
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<CallClaims> claims_;
  std::optional<SharedCells> cells_;
};

}  // namespace assay
