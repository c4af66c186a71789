// classifier: how sure a model that sorts texts is of a label, or of its likeliest one.
#include <fmt/core.h>

#include <algorithm>

#include "checks/promptfoo/families.h"
#include "text/javascript/number.h"

namespace assay::promptfoo {

Result<AssertionResult> RunClassifier(const AssertionCall& call) {
  if (!call.value.is_nullish() && !call.value.is_string()) return BadValue(call, "a label, or nothing");
  const Threshold least = ThresholdOr(call.assertion, 1);
  const Value& classes = call.input.classes;
  const bool has_label = call.value.is_string();
  double found = 0;
  std::string what;
  if (has_label) {
    what = fmt::format("Classification {} has", call.value.AsString());
    found = classes.NumberAt(call.value.AsString()).value_or(0);
  } else {
    what = "Maximum classification";
    if (!classes.is_map() || classes.AsMap().empty())
      return AssertionResult{false, 0, "No classification scores returned"};
    for (const Member& member : classes.AsMap())
      found = std::max(found, member.value.is_number() ? member.value.AsNumber() : 0);
  }
  const bool holds = found >= least.number;
  AssertionResult result = ShareVerdict(call, found, holds, "");
  result.reason = fmt::format("{} score {} {} {}", what, JsToFixed(found, 2), holds ? ">=" : "<", least.text);
  return result;
}

}  // namespace assay::promptfoo
