// Lines that tell the user, before anything is asked, which parameters of a plan its models do not take, by
// the table of models.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "providers/facts/model_facts.h"

namespace assay {

// "anthropic:claude-opus-5-5 takes no temperature: it is asked without." One line for each model that a
// parameter of the plan is left out of, in the plan's order.
std::vector<std::string> LeftOutLines(const Plan& plan, const ModelBook& models);

}  // namespace assay
