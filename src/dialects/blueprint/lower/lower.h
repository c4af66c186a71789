// The third stage of reading a blueprint: converts the loaded config to a Suite with its cases, checks,
// variants and judges.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/names.h"
#include "spec/suite/variant.h"
#include "text/value.h"

namespace assay::blueprint {

// What the suite holds besides the files and the normal form; nothing after an error. Layout of the details:
// blueprint.h.
std::optional<Suite> LowerBlueprint(Value config, const ReadInput& input);

// Part of it: models x temperatures x system prompts, and which of them ask which case.
struct VariantPlan {
  std::vector<Variant> variants;
  // For the prompt at an index of config.prompts: the variants that ask it, ascending; empty means all.
  std::vector<VariantIndex> AskedOf(const Value& prompt) const;
  // By a prompt's own temperature, printed; empty if all variants ask all prompts.
  std::unordered_map<std::string, std::vector<VariantIndex>> variants_of_temperature;
};
VariantPlan PlanVariants(const Map& config, const ReadInput& input);

// Part of it: the checks of a prompt in its normal form. `extract`: of points that say nothing of it; null:
// none.
void AddChecksOf(const Value& prompt, const Value* extract, const ReadInput& input, Case& the_case);

// Part of it: who judges, and who extracts key points. The user's, else those of evaluationConfig, else
// weval's own.
void AddJudges(const Map& config, const ReadInput& input, Suite& suite);
// A judge that only checks of their own name.
Judge JudgeNamed(std::string_view model_id);

}  // namespace assay::blueprint
