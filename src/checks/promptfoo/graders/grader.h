// Assertions that models grade, move by move: what to ask, what to embed, and what comes of the replies.
// Pure; any thread. Spec: promptfoo 7.2.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/promptfoo/assertion.h"

namespace assay::promptfoo {

// A call of the model: which of its prompts, and what that is filled in with beside the variables.
struct GraderRequest {
  std::string_view step;
  Map names;
};

// One of: a request, texts whose embeddings are wanted in AssertionInput::embeddings, or the result.
struct GraderMove {
  std::optional<GraderRequest> request = {};
  std::vector<std::string> embeds = {};
  std::optional<AssertionResult> result = {};
  bool grader_failed = false;  // the result says what was wrong with a reply
};

// How many calls an assertion takes for one answer: of the model that grades, if every reply can be used and
// at most, and of the one that embeds.
struct GraderCalls {
  std::uint32_t usual = 0;
  std::uint32_t most = 0;
  std::uint32_t embeds = 0;
};
// The number of calls that an assertion makes; zero for types that ask no model. `vars`: of the test.
GraderCalls CallsOfAssertion(const Assertion& assertion, const Map& vars);

// The next move after these replies, texts or what they are as JSON. An error makes the test one.
Result<GraderMove> NextGraderMove(const Assertion& assertion, const AssertionInput& input,
                                  std::span<const Value> replies);

}  // namespace assay::promptfoo
