// Expectation: what a test expects of an answer: the original's two types, and those that assay adds.
//
//   {type: contains, text}   {type: regex, pattern}
//   {type: all_of | any_of, of: [expectation, ...]}   {type: not, of: expectation}
//   {type: judge, criterion, threshold = 0.5}   {type: numeric, value, tolerance = 0}
//   {type: citation, doc = any of the test's, words = 6}
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/span.h"
#include "dialects/research/read/fields.h"
#include "text/value.h"

namespace assay {
struct Case;
}

namespace assay::research {

enum class ExpectedType { kContains, kRegex, kAllOf, kAnyOf, kNot, kJudge, kNumeric, kCitation };

struct Expectation {
  ExpectedType type = ExpectedType::kContains;
  std::string text;                 // the text, the pattern, the criterion, or the id of a document
  double value = 0;                 // kNumeric; of kCitation its words
  double tolerance = 0;             // kNumeric
  std::optional<double> threshold;  // kJudge
  std::vector<Expectation> parts;   // kAllOf, kAnyOf, kNot
  Span span;

  // As results have it: {type, text} or {type, pattern}, and so on.
  Value AsValue() const;
  bool HasJudge() const;
  bool HasCitation() const;
  // Ids of documents that citations name and `known` lacks, with their places.
  std::vector<std::pair<std::string, Span>> UnknownDocuments(const std::vector<std::string>& known) const;
};

// Told problems; `who` names the test.
std::optional<Expectation> ReadExpectation(const Value& written, const std::string& who,
                                           Diagnostics& diagnostics);
// As checks of the case, and the tree that says how they go together.
void AddChecks(const Expectation& expectation, Case& the_case);

}  // namespace assay::research
