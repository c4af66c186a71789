// Lines that tell the user, before anything is asked, which parameters of a plan its models do not take, by
// the table of models.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "providers/facts/model_facts.h"

namespace assay {

// "anthropic:claude-opus-5-5 takes no temperature: it is asked without." One line for each model that a
// parameter of the plan is left out of, in the plan's order.
std::vector<std::string> LeftOutLines(const Plan& plan, const ModelBook& models);

// "openai:gpt-4o-mini ends on 2027-01-14, in 48 days; its maker recommends gpt-6-luna": one line for each
// model of the plan, judges included, that ends within 60 days of `now_ms` or has ended, as far as the
// table knows.
std::vector<std::string> RetirementLines(const Plan& plan, std::int64_t now_ms);
// The same of a day that is known, however far; "": it is no day.
std::string LastDayLine(std::string_view model_id, const Retirement& retirement, std::int64_t now_ms);
// The same of one model, by the table; "": it goes on.
std::string RetirementLine(std::string_view provider, std::string_view model, std::int64_t now_ms);

}  // namespace assay
