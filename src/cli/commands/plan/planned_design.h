// `assay plan --for POINTS`: the cheapest numbers of cases, attempts, judges and votes with which the mean of
// each variant is known so closely.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "cli/terminal/screen.h"
#include "engine/plan/priced_plan.h"
#include "statistics/decisions/design_parts.h"
#include "text/value.h"

namespace assay {

struct PlannedDesign {
  double half = 0;           // that is wanted, in scores
  bool has_judges = false;   // else judges and votes say nothing
  bool is_in_calls = false;  // prices are numbers of calls: not all of them are known
  KnownParts known = {};
  std::string run = {};                       // that tells the parts; "": they are assumed
  std::string variant = {};                   // of that run
  std::string basis = {};                     // the same in words
  DesignPrices prices = {};                   // of all variants together
  PricedDesign today = {};                    // of the suite as it is; of one case there is no width
  std::vector<PricedDesign> cheapest = {};    // at most three; empty: no number of cases is large enough
  std::optional<PricedDesign> in_suite = {};  // the cheapest that asks no more cases than the suite has
};

// `fresh`: the plan's price had nobody answered yet. `store` may be null.
Result<PlannedDesign> DesignOfPlan(const Plan& plan, const RunSpec& spec, double points,
                                   const PricedPlan& fresh, Store* store);
std::string DesignText(const PlannedDesign& design, const Screen& screen);
// The member `design` of `plan --json` (docs/statistics.md).
Value DesignValue(const PlannedDesign& design);

}  // namespace assay
