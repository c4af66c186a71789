// What the user says of a run on which several processes work: `--shards 4 --shard 2`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace assay {

struct ShardOptions {
  std::int64_t shards = 0;            // 0: not said
  std::optional<std::int64_t> shard;  // from 1; absent: the run by itself
  std::string run;                    // that the shard joins; "": the one that is open, or a new one
  std::string fold;                   // the run whose report is to be made, and nothing else; "": none
};

}  // namespace assay
