// finish-reason and guardrails: what a provider says of its reply.
#include <fmt/core.h>

#include "checks/promptfoo/families.h"
#include "text/javascript/text.h"
#include "text/javascript/truth.h"

namespace assay::promptfoo {

Result<AssertionResult> RunFinishReason(const AssertionCall& call) {
  if (!call.value.is_string() || call.assertion.value.AsString().empty())
    return BadValue(call, "a text, for example \"stop\"");
  const std::string& found = call.input.finish_reason;
  if (found.empty()) return Verdict(call, false, "Provider did not supply stop/finish reason");
  const std::string& wanted = call.value.AsString();
  return Verdict(call, JsToLower(found) == JsToLower(wanted),
                 fmt::format("Expected finish reason {}\"{}\" but got \"{}\"", call.Not(), wanted, found));
}

Result<AssertionResult> RunGuardrails(const AssertionCall& call) {
  const Value& guardrails = call.input.guardrails;
  if (!IsTruthyAt(guardrails, "flagged")) {
    if (call.negated())
      return AssertionResult{false, 0, "Content was not blocked by guardrails (expected to be blocked)"};
    return AssertionResult{true, 1, "Content passed safety checks"};
  }
  std::string reason = guardrails.TextAt("reason");
  if (reason.empty()) {
    const std::string_view what = IsTruthyAt(guardrails, "flaggedInput")    ? "Prompt"
                                  : IsTruthyAt(guardrails, "flaggedOutput") ? "Output"
                                                                            : "Content";
    reason = fmt::format("{} failed safety checks", what);
  }
  if (call.negated()) return AssertionResult{true, 1, "Guardrail correctly blocked: " + reason};
  return AssertionResult{false, 0, reason};
}

}  // namespace assay::promptfoo
