// A run whose store is on a server, where other processes may work on it too: this process takes a seat, and
// gives it back at the end (store/coordinator.h, docs/cluster.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "engine/grants/granted.h"
#include "engine/grants/shard_options.h"
#include "engine/run/shared_until_cells.h"
#include "engine/shards/shared_folder.h"
#include "plan/plan.h"
#include "run/executor/cells/shared_cells.h"
#include "run/limits/cost/shared_budget.h"
#include "store/coordinator.h"

namespace assay {

// Of this machine, as others are told.
std::string HostName();

class SharedRun {
 public:
  // Null: the store is a file, and this process its only writer. kRefused: others work on the run, and this
  // process was to work on it alone; or `folder`, of a shard whose programs keep files there, is not that of
  // the others ("": they keep none). Everything given outlives it. `order`: of a shard whose run may end
  // early.
  static Result<std::unique_ptr<SharedRun>> Join(const Granted& granted, const ShardOptions& shard,
                                                 const Clock& clock, Store& store, const Plan& plan,
                                                 const RunRecord& run, const std::string& folder,
                                                 std::optional<UntilOrder> order = {});

  // For Join.
  SharedRun(const RunRecord& run, const ShardOptions& shard)
      : is_shard_(shard.shard.has_value()), shards_(std::max<std::int64_t>(shard.shards, 1)), run_(run) {}
  ~SharedRun();

  // Of a shard: the cells that it works on. Null: those that are left.
  CellSource* source() { return is_shard_ ? &*cells_ : nullptr; }
  bool is_shard() const { return is_shard_; }
  std::int64_t shards() const { return shards_; }
  // Of a shard whose run may end early; null: it asks in the order of the plan.
  const UntilOrder* order() const { return order_ ? &*order_ : nullptr; }
  // How many shards whoever opened the run's ranges was one of; 0: nobody has said.
  std::int64_t begun_as() const { return begun_as_; }
  SharedCells& seat() { return *cells_; }
  CallClaims& claims() { return *claims_; }
  // Null: each process has its own, or there is none.
  SharedBudget* budget() { return budget_ ? &*budget_ : nullptr; }

 private:
  const bool is_shard_;
  const std::int64_t shards_;
  std::int64_t begun_as_ = 0;
  const RunRecord run_;
  std::optional<SharedFolder> folder_;
  std::unique_ptr<Store> store_;  // over a connection of its own
  std::optional<UntilOrder> order_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<CallClaims> claims_;
  std::optional<SharedCells> cells_;
  std::optional<SharedBudget> budget_;
};

}  // namespace assay
