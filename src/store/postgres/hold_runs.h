// HoldRunsWithin: HoldRuns of coordinator.h with another bound than its own, for tests.
#pragma once

#include <chrono>
#include <memory>

#include "store/coordinator.h"

namespace assay {

// Hundreds of shards that start together choose within minutes; a server that lies is left.
inline constexpr std::chrono::minutes kHoldRunsWithin{10};

// kTimeout: others had the runs all the time. Null where there is no need to hold them.
Result<std::unique_ptr<RunsHeld>> HoldRunsWithin(Store& store, std::chrono::milliseconds within);

}  // namespace assay
