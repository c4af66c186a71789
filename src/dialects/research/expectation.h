// What a test expects of an answer: the original's two types, and those that assay adds.
//
//   {type: contains, text}   {type: regex, pattern}
//   {type: all_of | any_of, of: [expectation, ...]}   {type: not, of: expectation}
//   {type: judge, criterion, threshold = 0.5}   {type: numeric, value, tolerance = 0}
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/research/fields.h"
#include "spec/suite.h"

namespace assay::research {

enum class ExpectedType { kContains, kRegex, kAllOf, kAnyOf, kNot, kJudge, kNumeric };

struct Expectation {
  ExpectedType type = ExpectedType::kContains;
  std::string text;                 // the text, the pattern, or the criterion
  double value = 0;                 // kNumeric
  double tolerance = 0;             // kNumeric
  std::optional<double> threshold;  // kJudge
  std::vector<Expectation> parts;   // kAllOf, kAnyOf, kNot
  Span span;

  // As results have it: {type, text} or {type, pattern}, and so on.
  Value AsValue() const;
  bool HasJudge() const;
};

// Told problems; `who` names the test.
std::optional<Expectation> ReadExpectation(const Value& written, const std::string& who,
                                           Diagnostics& diagnostics);
// As checks of the case, and the tree that says how they go together.
void AddChecks(const Expectation& expectation, Case& the_case);

}  // namespace assay::research
