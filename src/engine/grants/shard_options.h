// What the user says of a run on which several processes work: `--shards 4 --shard 2`, or `--shards 4
// --cluster slurm`, which has an engine start them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct ShardOptions {
  std::int64_t shards = 0;            // 0: not said
  std::optional<std::int64_t> shard;  // from 1; absent: the run by itself
  std::string run;                    // that the shard joins; "": the one that is open, or a new one
  std::string fold;                   // the run whose report is to be made, and nothing else; "": none
  std::string cluster = {};           // the engine that starts the shards; "": the user does
  std::vector<std::string> cluster_arguments = {};  // of the engine
  std::vector<std::string> cluster_setup = {};      // lines of a shell before assay
  bool dry_run = false;                             // what would be handed over is printed
  bool wait = false;                                // of `cluster` for the report, of `fold` for the shards

  bool IsShared() const { return shard.has_value() || !cluster.empty(); }
};

}  // namespace assay
