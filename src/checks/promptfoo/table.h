// The types of assertions: a row each, and what their functions share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/promptfoo/assertion.h"

namespace assay::promptfoo {

// One assertion under way: its value is rendered, its transform is applied.
struct AssertionCall {
  const Assertion& assertion;
  const AssertionInput& input;
  Value value;
  Value output;
  std::string text;  // the output, or its JSON where it is no text

  bool negated() const { return assertion.is_negated; }
  // "not " where the assertion is negated.
  std::string_view Not() const { return negated() ? "not " : ""; }
};

struct AssertionRow {
  std::string_view type;  // without "not-"
  // Null: known and not run here.
  Result<AssertionResult> (*run)(const AssertionCall& call) = nullptr;
  // What is asked of models goes round by round (grader.h), or over all columns of a row.
  bool asks = false;
  bool compares_columns = false;
};

std::span<const AssertionRow> AssertionTable();
// By its type without "not-"; null if there is none.
const AssertionRow* FindAssertionRow(std::string_view type);

// The threshold as a number, and as it is written in reasons.
struct Threshold {
  double number = 0;
  std::string text;
};
// Empty if there is none. A text counts as its number, as in JavaScript.
std::optional<Threshold> ThresholdOf(const Assertion& assertion);
Threshold ThresholdOr(const Assertion& assertion, double otherwise);

// 1 or 0 by `holds`, turned around where the assertion is; `reason` is that of a fail.
AssertionResult Verdict(const AssertionCall& call, bool holds, std::string_view reason);
// The same with the shares that measures give: 1 - share where the assertion is negated.
AssertionResult ShareVerdict(const AssertionCall& call, double share, bool holds, std::string_view reason);
// "(type) assertion must have ...": makes the test an error.
Error BadValue(const AssertionCall& call, std::string_view expected);
inline constexpr std::string_view kPassed = "Assertion passed";

// A list, or the items of a comma text; an error for everything else. With texts of what is no text.
Result<std::vector<std::string>> CommaListOf(const AssertionCall& call);
// A text, or a list of texts.
Result<std::vector<std::string>> TextsOf(const AssertionCall& call);

}  // namespace assay::promptfoo
