// Which pools of a plan follow their services in how many calls are under way.
#pragma once

#include "engine/grants/granted.h"
#include "plan/plan.h"
#include "run/wire/endpoints.h"

namespace assay {

// Pools of services in the network start with few calls and widen while their services keep up: to -j, to
// the suite's `concurrency`, or as far as is usual. Pools of programs, and of services on this machine for
// which nobody gives a width, stay as wide as the plan says.
void LetWidthsGrow(const Plan& plan, const Endpoints& endpoints, const Granted& granted, RunLimits& limits);

}  // namespace assay
