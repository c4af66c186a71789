// contains, icontains and their kin with lists: whether texts stand in the output.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checks/promptfoo/families.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

enum class Letters { kAsTheyAre, kSmall };

std::string InLetters(std::string_view text, Letters letters) {
  return letters == Letters::kSmall ? JsToLower(text) : std::string(text);
}

bool Includes(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Result<AssertionResult> Contains(const AssertionCall& call, Letters letters) {
  const bool usable = call.value.is_number() || (call.value.is_string() && !call.value.AsString().empty());
  if (!usable) return BadValue(call, "a text or a number");
  const std::string wanted = JsString(call.value);
  const bool holds = Includes(InLetters(call.text, letters), InLetters(wanted, letters));
  return Verdict(call, holds, fmt::format("Expected output to {}contain \"{}\"", call.Not(), wanted));
}

Result<AssertionResult> ContainsAny(const AssertionCall& call, Letters letters) {
  ASSAY_TRY(const std::vector<std::string> wanted, CommaListOf(call));
  const std::string text = InLetters(call.text, letters);
  const bool holds = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& part) {
    return Includes(text, InLetters(part, letters));
  });
  return Verdict(
      call, holds,
      fmt::format("Expected output to {}contain one of \"{}\"", call.Not(), fmt::join(wanted, ", ")));
}

Result<AssertionResult> ContainsAll(const AssertionCall& call, Letters letters) {
  ASSAY_TRY(const std::vector<std::string> wanted, CommaListOf(call));
  const std::string text = InLetters(call.text, letters);
  std::vector<std::string> missing;
  for (const std::string& part : wanted) {
    if (!Includes(text, InLetters(part, letters))) missing.push_back(part);
  }
  return Verdict(call, missing.empty(),
                 fmt::format("Expected output to {}contain all of [{}]. Missing: [{}]", call.Not(),
                             fmt::join(wanted, ", "), fmt::join(missing, ", ")));
}

}  // namespace

Result<AssertionResult> RunContains(const AssertionCall& call) { return Contains(call, Letters::kAsTheyAre); }
Result<AssertionResult> RunIcontains(const AssertionCall& call) { return Contains(call, Letters::kSmall); }
Result<AssertionResult> RunContainsAny(const AssertionCall& call) {
  return ContainsAny(call, Letters::kAsTheyAre);
}
Result<AssertionResult> RunIcontainsAny(const AssertionCall& call) {
  return ContainsAny(call, Letters::kSmall);
}
Result<AssertionResult> RunContainsAll(const AssertionCall& call) {
  return ContainsAll(call, Letters::kAsTheyAre);
}
Result<AssertionResult> RunIcontainsAll(const AssertionCall& call) {
  return ContainsAll(call, Letters::kSmall);
}

}  // namespace assay::promptfoo
