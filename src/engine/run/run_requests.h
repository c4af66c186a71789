// Reads from the store what the requests of a run came to, for whoever reports what others asked.
#pragma once

#include <cstdint>
#include <string>

#include "base/errors/result.h"
#include "plan/plan.h"
#include "run/findings.h"
#include "store/store.h"

namespace assay {

struct FailedRequests {
  std::uint64_t requests = 0;
  std::string first;  // the message of the one that was sent first
  Findings findings = {};
};

// Those that failed for good, of the run's graded cells, each request once. A request that nobody sent is not
// in the store.
Result<FailedRequests> FailedRequestsOf(Store& store, const std::string& run_id, const Plan& plan);

// Replies that name no model: --strict-models cannot compare those. Of services and of programs under test,
// each request once; recordings and echo: name nobody.
Result<std::uint64_t> CountUnnamed(Store& store, const std::string& run_id);

}  // namespace assay
