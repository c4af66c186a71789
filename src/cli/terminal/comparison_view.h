// Comparisons of runs as the terminal shows them, as Markdown for a pull request, and as JSON. The sentence
// that answers the question comes first.
#pragma once

#include <span>
#include <string>

#include "report/comparison.h"
#include "text/value.h"

namespace assay {

// One question: a variant against others.
struct ComparedWith {
  Contender first;
  std::vector<Contender> others;
  std::vector<Comparison> comparisons;  // one for each of the others
};

std::string ComparisonText(std::span<const ComparedWith> questions);
std::string ComparisonMarkdown(std::span<const ComparedWith> questions);
Value GatesValue(std::span<const RegressionGate> gates);
Value ComparisonValue(std::span<const ComparedWith> questions);

}  // namespace assay
