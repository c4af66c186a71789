// word-count: how many words, parted by white space, the output has.
#include <fmt/core.h>

#include <cmath>

#include "checks/promptfoo/families.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

struct Bounds {
  std::optional<double> least;
  std::optional<double> most;
};

// A member that is a number, or a text that names one.
Result<std::optional<double>> BoundOf(const AssertionCall& call, std::string_view name) {
  const Value* bound = call.value.Find(name);
  if (bound == nullptr || bound->is_nullish()) return std::optional<double>();
  const double number = JsNumber(*bound);
  if (std::isnan(number)) return BadValue(call, fmt::format("a number as \"{}\"", name));
  return std::optional<double>(number);
}

Result<Bounds> BoundsOf(const AssertionCall& call) {
  Bounds bounds;
  ASSAY_TRY(bounds.least, BoundOf(call, "min"));
  ASSAY_TRY(bounds.most, BoundOf(call, "max"));
  if (!bounds.least && !bounds.most) return BadValue(call, "{min, max}, or one of them");
  if (bounds.least && bounds.most && *bounds.least > *bounds.most)
    return BadValue(call, "a \"min\" that is not more than \"max\"");
  return bounds;
}

AssertionResult WithinBounds(const AssertionCall& call, const Bounds& bounds, double count) {
  const std::string words = JsNumberText(count);
  const std::string least = JsNumberText(bounds.least.value_or(0));
  const std::string most = JsNumberText(bounds.most.value_or(0));
  const bool holds = (!bounds.least || count >= *bounds.least) && (!bounds.most || count <= *bounds.most);
  std::string reason;
  if (bounds.least && bounds.most) {
    reason = call.negated() ? fmt::format("Expected word count to not be between {} and {}, but got {}",
                                          least, most, words)
                            : fmt::format("Word count {} is not between {} and {}", words, least, most);
  } else if (bounds.least) {
    reason = call.negated() ? fmt::format("Expected word count to be less than {}, but got {}", least, words)
                            : fmt::format("Word count {} is less than minimum {}", words, least);
  } else {
    reason = call.negated()
                 ? fmt::format("Expected word count to be greater than {}, but got {}", most, words)
                 : fmt::format("Word count {} is greater than maximum {}", words, most);
  }
  return Verdict(call, holds, reason);
}

}  // namespace

Result<AssertionResult> RunWordCount(const AssertionCall& call) {
  const auto count = static_cast<double>(CountJsWords(call.text));
  if (call.value.is_map()) {
    ASSAY_TRY(const Bounds bounds, BoundsOf(call));
    return WithinBounds(call, bounds, count);
  }
  if (!call.value.is_string() && !call.value.is_number()) return BadValue(call, "a number, or {min, max}");
  const double wanted = JsNumber(call.value);
  if (std::isnan(wanted)) return BadValue(call, "a number, or {min, max}");
  const std::string words = JsNumberText(count);
  const std::string shown = JsNumberText(wanted);
  return Verdict(call, count == wanted,
                 call.negated() ? fmt::format("Expected word count to not equal {}, but got {}", shown, words)
                                : fmt::format("Word count {} does not equal expected {}", words, shown));
}

}  // namespace assay::promptfoo
