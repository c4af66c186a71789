// Compares the options of shards with each other and with the settings.
#include "engine/shards/sharing_rules.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "engine/grants/limits.h"
#include "store/location.h"

namespace assay {

namespace {

// Each shard has a place at least.
std::string TooNarrow(std::string_view what, const std::optional<std::size_t>& width, std::int64_t shards) {
  if (!width || *width >= static_cast<std::size_t>(shards)) return {};
  return fmt::format("{} {} is of all shards together, and fewer than --shards {}", what, *width, shards);
}

// What does not go together with, or without, an engine that starts the shards; "" if all does.
std::string WrongCluster(const ShardOptions& sharing, const Granted& granted) {
  if (sharing.cluster.empty()) {
    if (sharing.dry_run || !sharing.cluster_arguments.empty() || !sharing.cluster_setup.empty())
      return "--cluster-arg, --cluster-setup and --dry-run go with --cluster";
    return sharing.wait && sharing.fold.empty() ? "--wait goes with --cluster or with --fold" : "";
  }
  if (sharing.shard || !sharing.fold.empty())
    return "--cluster starts every shard, and the report: leave --shard and --fold out";
  if (sharing.shards == 0) return "--cluster needs to know how many: --shards N";
  if (HasPassword(granted.store))
    return "--store holds a password, and clusters keep command lines in clear; write it into the file that "
           "PGPASSFILE names, or into a service (PGSERVICEFILE)";
  return {};
}

}  // namespace

void TakeTask(ShardOptions& sharing) {
  if (sharing.shards == 0 || sharing.IsShared()) return;
  const char* index = std::getenv("JOB_COMPLETION_INDEX");
  if (index == nullptr) return;
  const std::string_view text(index);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && number >= 0 && number < sharing.shards) sharing.shard = number + 1;
}

std::string WrongSharing(const ShardOptions& sharing, const Granted& granted, std::size_t files) {
  if (std::string wrong = WrongCluster(sharing, granted); !wrong.empty()) return wrong;
  const bool is_shard = sharing.IsShared();
  if (is_shard != (sharing.shards > 0)) {
    return is_shard ? "--shard I needs to know of how many: --shards N"
                    : "--shards N needs --shard I, the number of this process, or --cluster, which starts "
                      "them all";
  }
  if (sharing.shard && *sharing.shard > sharing.shards) return "--shard counts from 1 to --shards";
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
  if (calls.background) return "--background and --shard do not go together";
  std::string narrow = TooNarrow("-j", calls.max_in_flight, sharing.shards);
  for (const auto& [provider, limits] : granted.settings.limits) {
    if (narrow.empty())
      narrow = TooNarrow(fmt::format("max_in_flight of {}", provider), limits.max_in_flight, sharing.shards);
  }
  return narrow;
}

}  // namespace assay
