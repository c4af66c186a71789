// What the table of models has to say of the models of a plan, before anything is asked.
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
