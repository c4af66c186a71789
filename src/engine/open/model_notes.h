// Lines that tell the user, before anything is asked, which parameters of a plan its models do not take, by
// the table of models.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "plan/plan.h"
#include "providers/facts/model_facts.h"
#include "spec/run/run_spec.h"

namespace assay {

// "anthropic:claude-opus-5-5 takes no temperature, so assay sends none." One line for each model that a
// parameter of the plan is left out of, in the plan's order.
std::vector<std::string> LeftOutLines(const Plan& plan, const ModelBook& models);

// "openai:gpt-4o-mini ends on 2027-01-14, in 48 days; its maker recommends gpt-6-luna": one line for each
// model of the plan that ends within 60 days of `now_ms` or has ended, as far as the table knows. It says of
// a judge that it is one, and whether it is a default: "the default judge openrouter:... ends on ...".
struct RetirementNote {
  std::string text;
  std::string remedy;
};
std::vector<RetirementNote> RetirementNotes(const Plan& plan, const RunSpec& spec, std::int64_t now_ms);
// The same of a day that is known, however far; "": it is no day.
std::string LastDayLine(std::string_view model_id, const Retirement& retirement, std::int64_t now_ms);
// The same of one model, by the table; "": it goes on.
std::string RetirementLine(std::string_view provider, std::string_view model, std::int64_t now_ms);

// A warning for each case whose question is longer than every model that is asked it takes, judged by the
// fewest tokens that the text can have. Models whose window nobody knows take everything.
void WarnOfLongQuestions(const Plan& plan, Diagnostics& diagnostics);

}  // namespace assay
