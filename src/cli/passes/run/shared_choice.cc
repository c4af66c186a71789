// Holds the store's runs while one is chosen, and divides limits.
#include "cli/passes/run/shared_choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cli/settings/limits.h"
#include "store/coordinator.h"
#include "store/location.h"

namespace assay {

namespace {

void Divide(std::optional<double>& rate, std::int64_t shards) {
  if (rate) *rate /= static_cast<double>(shards);
}

// The remainder goes to the first ones.
void Divide(std::optional<std::size_t>& width, const ShardOptions& sharing) {
  if (!width) return;
  const auto shards = static_cast<std::size_t>(sharing.shards);
  const bool has_more = static_cast<std::size_t>(*sharing.shard) <= *width % shards;
  *width = std::max<std::size_t>(*width / shards + (has_more ? 1 : 0), 1);
}

}  // namespace

Result<ChosenRun> ChooseSharedRun(const AskedRun& asked, const ShardOptions& sharing, const Planned& planned,
                                  const Granted& granted, FileReader& files, Store& store,
                                  const StoreOrigin& origin, const Clock& clock) {
  if (!IsServer(granted.store)) return ChooseRun(asked, planned, granted, files, store, origin, clock);
  ASSAY_TRY(const std::unique_ptr<Store> holder, OpenStore(StoreOptionsOf(granted)));
  ASSAY_TRY(const std::unique_ptr<RunsHeld> held, HoldRuns(*holder));
  const std::string& name = sharing.fold.empty() ? sharing.run : sharing.fold;
  if (!name.empty()) return ChooseNamedRun(asked, planned, granted, files, store, name);
  return ChooseRun(asked, planned, granted, files, store, origin, clock);
}

std::string WrongSharing(const ShardOptions& sharing, const Granted& granted, std::size_t files) {
  const bool is_shard = sharing.shard.has_value();
  if (is_shard != (sharing.shards > 0)) return "--shards N and --shard I go together";
  if (is_shard && *sharing.shard > sharing.shards) return "--shard counts from 1 to --shards";
  if (!sharing.run.empty() && !is_shard) return "--join is for a shard: --shards N --shard I --join RUN";
  if (!sharing.fold.empty() && is_shard)
    return "--fold makes the report when the shards are done, without --shard";
  if (!is_shard && sharing.fold.empty()) return {};
  if (!IsServer(granted.store))
    return "shards need a store on a server: --store postgresql://USER@HOST/DATABASE";
  if (files != 1) return "shards work on one file at a time";
  if (!is_shard) return {};
  const CallRules& calls = granted.calls;
  if (calls.batch) return "--batch and --shard do not go together";
  if (calls.budget_usd || calls.budget_tokens)
    return "a budget holds for one process, and --shard for several; bound what they may ask by --max-errors "
           "or "
           "--max-time";
  return {};
}

void TakeShare(const ShardOptions& sharing, Granted& granted) {
  if (!sharing.shard) return;
  CallRules& calls = granted.calls;
  Divide(calls.max_in_flight, sharing);
  Divide(calls.requests_per_min, sharing.shards);
  Divide(calls.tokens_per_min, sharing.shards);
  for (auto& [provider, limits] : granted.settings.limits) {
    Divide(limits.max_in_flight, sharing);
    Divide(limits.requests_per_min, sharing.shards);
    Divide(limits.tokens_per_min, sharing.shards);
  }
}

}  // namespace assay
