// Computes how many cells are live at once, and how many calls may be under way.
#pragma once

#include "plan/plan.h"
#include "run/limits/run_limits.h"

namespace assay {

struct ExecutorOptions;

std::size_t MaxInFlight(const Plan& plan, const RunLimits& limits);
std::size_t WindowFor(const Plan& plan, const ExecutorOptions& options);

}  // namespace assay
