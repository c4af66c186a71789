// Takes a seat, and says who sits there.
#include "engine/shards/shared_run.h"

#include <unistd.h>

#include <cstdlib>

#include "base/awake_time.h"
#include "base/text/names.h"
#include "engine/grants/limits.h"
#include "spec/suite/suite.h"
#include "store/location.h"

namespace assay {

namespace {

// As the cluster counts: "1234_5".
std::string TaskName() {
  const char* job = std::getenv("SLURM_ARRAY_JOB_ID");
  const char* task = std::getenv("SLURM_ARRAY_TASK_ID");
  if (job == nullptr || task == nullptr) return {};
  return NameMadeOf(NameKind::kTask, std::string(job) + "_" + task);
}

std::uint64_t CellsPerCase(const Suite& suite) {
  return suite.variants.size() * static_cast<std::uint64_t>(suite.attempts);
}

}  // namespace

std::string HostName() {
  constexpr std::size_t kNameBytesMax = 256;
  char name[kNameBytesMax] = {};
  return gethostname(name, sizeof name - 1) == 0 ? NameMadeOf(NameKind::kHost, name) : "?";
}

// What is left of a budget goes back before the seat does.
SharedRun::~SharedRun() {
  if (budget_) budget_->Tidy(true);
}

Result<std::unique_ptr<SharedRun>> SharedRun::Join(const Granted& granted, const ShardOptions& shard,
                                                   const Clock& clock, Store& store, const Plan& plan,
                                                   const RunRecord& run, const std::string& folder,
                                                   std::optional<UntilOrder> order) {
  if (!IsServer(granted.store)) return std::unique_ptr<SharedRun>();
  auto shared = std::make_unique<SharedRun>(run, shard);
  shared->order_ = std::move(order);
  const CellPlaces* cells = shared->order_ ? &shared->order_->places : nullptr;
  const BudgetLimits budget = shared->is_shard_ ? BudgetOf(granted.calls) : BudgetLimits();
  ASSAY_TRY(shared->store_, OpenStore(StoreOptionsOf(granted)));
  shared->coordinator_ = CoordinatorOf(*shared->store_);
  if (shared->coordinator_ == nullptr) return std::unique_ptr<SharedRun>();
  if (!folder.empty()) ASSAY_CHECK_OK(shared->folder_.emplace(folder).Mark());
  ASSAY_TRY(const SeatId seat,
            shared->coordinator_->Sit({.run_id = run.context.run_id,
                                       .shard = shard.shard,
                                       .shards = shard.shards,
                                       .cells = plan.CellCount(),
                                       .cells_per_case = CellsPerCase(plan.suite()),
                                       .range_max = cells == nullptr ? kRangeMax : cells->range_max,
                                       .host = HostName(),
                                       .process = getpid(),
                                       .task = TaskName(),
                                       .budget = {.nano_usd = budget.nano_usd, .tokens = budget.tokens}}));
  if (shared->is_shard_) {
    // A connection that is lost now is made again by whoever needs it: this is only a word to the user.
    const Result<RunLeft> left = LeftOfRun(*shared->store_, run.context.run_id);
    shared->begun_as_ = left ? left->shards : 0;
  }
  shared->claims_ = CallClaimsOf(store, seat);
  shared->cells_.emplace(SharedCellsWorld{.clock = clock,
                                          .coordinator = *shared->coordinator_,
                                          .reader = *shared->store_,
                                          .plan = plan,
                                          .run = shared->run_,
                                          .takes_ranges = shared->is_shard_,
                                          .order = cells,
                                          .awake_now = AwakeTime});
  if (shared->folder_) {
    ASSAY_TRY(const RunWork work, WorkOnRun(store, run.context.run_id));
    ASSAY_CHECK_OK(shared->folder_->IsThatOf(work));
  }
  if (budget.IsSet()) shared->budget_.emplace(budget, clock, *shared->cells_);
  return shared;
}

}  // namespace assay
