// Comparisons of runs as the terminal shows them, as Markdown for a pull request, and as JSON. The sentence
// that answers the question comes first.
#pragma once

#include <span>
#include <string>

#include "cli/terminal/statistics_view.h"
#include "report/comparison.h"
#include "report/gates.h"
#include "text/value.h"

namespace assay {

// One question: a variant against others.
struct ComparedWith {
  Contender first;
  std::vector<Contender> others;
  std::vector<Comparison> comparisons;  // one for each of the others
};

// The numbers of a paired difference, as `--json` has them.
void AppendPaired(const PairedEstimate& paired, Map& map);

// A run of several variants, for what its parameters do.
struct ComparedRun {
  std::string name;
  const Suite* suite = nullptr;
  const CaseScores* scores = nullptr;
};

// A variant of a run that has no counterpart in another.
struct LeftVariant {
  std::string run;
  std::string other;
  std::string variant;
};

struct ComparisonPage {
  std::span<const ComparedWith> questions;
  std::span<const LeftVariant> left = {};
  std::span<const ComparedRun> runs = {};  // that were named whole
  IntervalRule interval = {};
};
std::string ComparisonText(const ComparisonPage& page);
std::string ComparisonMarkdown(const ComparisonPage& page);
Value GatesValue(std::span<const TestedGate> gates);
Value ComparisonValue(const ComparisonPage& page);

}  // namespace assay
