// Comparisons and gates as JSON values (docs/cli.md, `compare` and `gates`), and what was compared.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/decide/comparison.h"
#include "report/decide/gates.h"
#include "report/decide/groups/group_comparison.h"
#include "report/values/statistics.h"
#include "text/value.h"

namespace assay {

// One question: a variant against others.
struct ComparedWith {
  Contender first;
  std::vector<Contender> others;
  std::vector<Comparison> comparisons;  // one for each of the others
  // By comparison, the differences in each dimension of groups; empty where nobody asks for them.
  std::vector<std::vector<GroupDifferences>> groups = {};
};

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
  std::string variant;  // its id
  std::string name;     // as tables name it
};

// A model that answered for another one on some side.
struct OtherModelNote {
  std::string run;   // as it was named; "" where all sides are of one run
  std::string line;  // OtherModelLines
};

struct ComparisonPage {
  std::span<const ComparedWith> questions;
  std::span<const LeftVariant> left = {};
  std::span<const ComparedRun> runs = {};  // that were named whole
  IntervalRule interval = {};
  std::span<const OtherModelNote> others = {};
  std::optional<GroupBy> by = {};             // how the cases are split
  std::span<const std::string> stopped = {};  // runs that ended as soon as they were decided
};
// The numbers of a paired difference, as `--json` has them.
void AppendPaired(const PairedEstimate& paired, Map& map);

// {comparisons, runs, unpaired}.
Value ComparisonValue(const ComparisonPage& page);
// What came of each gate, and what that rests on.
Value GatesValue(std::span<const TestedGate> gates);

}  // namespace assay
