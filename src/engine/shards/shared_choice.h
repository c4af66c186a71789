// Chooses a run among several processes: one of them begins it, the others find it.
#pragma once

#include "engine/choose/chosen_run.h"
#include "engine/grants/shard_options.h"

namespace assay {

// As ChooseRun; the run that the user names, where he names one.
Result<ChosenRun> ChooseSharedRun(const RunChoice& choice, const ShardOptions& sharing);

// Of a pod of an Indexed Job, which is told no --shard: the one that its index means.
void TakeTask(ShardOptions& sharing);

// What does not go together with shards; "" if all does.
std::string WrongSharing(const ShardOptions& sharing, const Granted& granted, std::size_t files);

}  // namespace assay
