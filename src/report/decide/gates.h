// Gates: tests whether a variant got worse than a variant of an earlier run (spec: statistics 8). Pure but
// for the reading of scores.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/decide/comparison.h"

namespace assay {

// Whether a variant passed a case: the mean of its scored attempts reaches the pass mark; where all checks
// are boolean, each of them holds in each attempt as well.
enum class CasePass : std::uint8_t { kNoScore, kFails, kPasses };
using CasePasses = std::vector<std::vector<CasePass>>;  // by variant and case of the suite
Result<CasePasses> CasePassesOf(const Report& report, double pass_at);

// A variant on one side of a gate; borrows.
struct GateSide {
  Contender contender;
  const CasePasses* passes = nullptr;
};
struct GatePair {
  GateSide fresh;
  GateSide base;
};

struct GateAsk {
  double margin = 0;          // how much worse is still as good
  std::size_t flips_max = 0;  // how many cases that passed may fail
  PairBy by = PairBy::kWholeCase;
};

// What came of one gate for one variant.
struct VariantGate {
  std::string fresh;  // ids of variants
  std::string base;
  GateState state = GateState::kNotDefined;
  std::string sentence;
  CasePairing cases;
  std::vector<std::string> newly_failing = {};  // ids of cases that passed in the base and fail
  std::size_t passed_before = 0;                // cases that passed in the base and have a score
  std::size_t without_score = 0;                // cases that passed in the base and have none
  std::optional<GateEstimate> estimate = {};    // of a regression
  double p = 1;                                 // Holm's over all that were tested together
  Comparison comparison = {};                   // of a regression: the two-sided question
};
// "Regression: … on 5 cases. 5 newly fail: friday, pears": the sentence, and who fails, the first ten.
std::string GateLine(const VariantGate& gate);

// A gate for each pair, tested together: spec statistics 8, with Holm's correction.
std::vector<VariantGate> TestRegressions(std::span<const GatePair> pairs, const GateAsk& ask);
// Without statistics: more cases flipped than allowed. Nobody can tell where so many that passed have no
// score now that there could be too many.
std::vector<VariantGate> TestFlips(std::span<const GatePair> pairs, const GateAsk& ask);

// What is kept of a gate with its run, and told by exporters.
struct GateResult {
  std::string kind;     // "regression", "flip"
  std::string variant;  // id; "": no variant could be tested
  std::string base;     // "20261122T185012-3fa9", "RUN#VARIANT"
  GateState state = GateState::kNotDefined;
  std::string line;
};

struct TestedGate {
  GateResult result;
  std::optional<VariantGate> gate = {};  // how it came about; absent: no variant could be tested
};

}  // namespace assay
