// Assertions of promptfoo: one thing that a test says of an output, and what comes of it. Pure; any thread.
// Spec: promptfoo 7, 8 and 12.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "text/script/modules.h"
#include "text/script/script.h"
#include "text/value.h"

namespace assay::promptfoo {

struct AssertionRow;  // table.h

// Where the original has accidents that its users do not mean: ours by default, kAccidents as it is there.
struct AssertionPolicy {
  bool scores_are_shares = true;       // what is outside 0 to 1 is clamped, NaN is an error
  bool empty_is_whole_refusal = true;  // an empty answer is a refusal with a score of 1, not 0
  bool all_graders_turn = true;        // "not-" turns every grader around, not some of them
  bool silent_fails_count = true;      // a fail with an empty reason is a fail of the test
  bool reads_text_thresholds = true;   // a text as the threshold of a test counts as its number
  bool has_meteor = true;              // "meteor" is no error whatever the output is
  bool reads_whole_objects = true;     // a grader's reply that is one JSON object may have several lines
};
inline constexpr AssertionPolicy kAccidents = {false, false, false, false, false, false, false};

struct Assertion {
  std::string type;  // as written, with "not-"
  bool is_negated = false;
  const AssertionRow* row = nullptr;
  Value value;
  Value threshold;  // undefined: none
  double weight = 1;
  std::string metric;     // a template over the variables; "": none
  std::string transform;  // JavaScript; "": none
  Value config;
  Map written;  // all members
};

// kInvalidInput, at the place of the type, for a type that is not there or not known; kUnsupported for one
// that is known and not run here.
Result<Assertion> ReadAssertion(const Value& written);

// Fills a template in from variables.
using Render = std::function<Result<std::string>(std::string_view text, const Map& vars)>;
using Embeddings = std::map<std::string, std::vector<double>, std::less<>>;

// What an assertion looks at. What is not known is empty or undefined.
struct AssertionInput {
  Value output;  // a text, or what a transform made of it
  Map vars;
  std::optional<std::string> prompt = {};  // as sent
  std::optional<double> latency_ms = {};   // empty: the answer came from a cache
  std::optional<double> cost = {};         // dollars
  std::optional<std::vector<double>> log_probs = {};
  std::string finish_reason = {};
  Value guardrails = {};                   // {flagged, flaggedInput, flaggedOutput, reason}
  Value test = {};                         // the test, for scripts
  Value provider = {};                     // {id, label}, for scripts
  Value metadata = {};                     // of the reply
  const Embeddings* embeddings = nullptr;  // of the texts of TextsToEmbed
  std::string embedding_error = {};        // why there are none
  Value classes = {};                      // label: score, of the output
  Value options = {};                      // of the test: {factuality: {subset, ...}}
  std::string grader_id = {};              // of the model that grades
  Render render = {};
  const ScriptFiles* scripts = nullptr;  // that texts name, as file://PATH.js:FUNCTION; null: none
  ScriptWorld world = {};
  AssertionPolicy policy = {};
};

struct AssertionResult {
  bool pass = false;
  double score = 0;
  std::string reason;
  std::vector<std::pair<std::string, double>> named_scores = {};
  std::vector<AssertionResult> components = {};
  std::optional<double> raw_score = {};  // where `score` is another: it was outside 0 to 1
};

// An error makes the whole test one.
Result<AssertionResult> RunAssertion(const Assertion& assertion, const AssertionInput& input);

// The texts whose embeddings the assertion compares, of those that do; the output is the first.
Result<std::vector<std::string>> TextsToEmbed(const Assertion& assertion, const AssertionInput& input);

}  // namespace assay::promptfoo
