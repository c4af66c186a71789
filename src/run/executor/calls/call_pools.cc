// Makes the lines of a plan's pools, and puts calls into them.
#include "run/executor/calls/call_pools.h"

#include <algorithm>

#include "plan/plan.h"

namespace assay {

CallPools::CallPools(const Plan& plan, bool has_batches)
    : plan_size_(static_cast<PoolIndex>(plan.pools().size())),
      pools_(plan.pools().size() * (has_batches ? 2 : 1)) {}

void CallPools::PutFirst(const std::vector<Call*>& calls) {
  std::for_each(calls.rbegin(), calls.rend(), [this](Call* call) { PutFirst(*call); });
}

bool CallPools::IsIdle() const {
  const auto end = pools_.begin() + plan_size_;
  return std::all_of(pools_.begin(), end, [](const LivePool& pool) { return pool.in_flight == 0; });
}

}  // namespace assay
