// What the options of shards, and of those who start them, need and exclude.
#pragma once

#include <string>

#include "engine/grants/granted.h"
#include "engine/grants/shard_options.h"

namespace assay {

// Of a pod of an Indexed Job, which is told no --shard: the one that its index means.
void TakeTask(ShardOptions& sharing);

// What does not go together with shards; "" if all does.
std::string WrongSharing(const ShardOptions& sharing, const Granted& granted, std::size_t files);

}  // namespace assay
