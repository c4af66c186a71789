// Gates: tests whether a variant got worse than a variant of an earlier run (spec: statistics 8). Pure but
// for the reading of scores.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/decide/comparison.h"
#include "report/decide/gate/passes.h"
#include "report/decide/gate/sides.h"

namespace assay {

// Of a run that was stopped early: what is decided of a gate.
struct EarlyGate {
  GateState state = GateState::kNotDefined;
  std::string sentence;
};

// Both know which attempts pass.
struct GatePair {
  Contender fresh;
  Contender base;
  std::optional<EarlyGate> early = {};  // of a regression; absent: it is tested
  std::vector<bool> left = {};          // by case of `fresh`: it was not asked, since it changes nothing
};

struct GateAsk {
  double margin = 0;          // how much worse is still as good
  std::size_t flips_max = 0;  // how many cases that passed may fail
  PairBy by = PairBy::kWholeCase;
  PassRule pass = {};
  std::span<const std::string> known_flaky = {};  // ids of cases that no gate counts; sorted
};

// Cases that are known to be flaky, which the gate does not count.
struct KnownFlaky {
  std::size_t cases = 0;            // that both runs have
  std::vector<std::string> failed;  // ids of those that passed in the base and fail
};

// What came of one gate for one variant.
struct VariantGate {
  std::string fresh;  // ids of variants
  std::string base;
  GateState state = GateState::kNotDefined;
  std::string sentence;
  CasePairing cases;
  std::vector<std::string> newly_failing = {};  // ids of cases that passed in the base and fail
  std::vector<std::string> flaky_before = {};   // of these, those with attempts that failed in the base
  KnownFlaky known_flaky = {};
  std::size_t passed_before = 0;              // cases that passed in the base and have a score
  std::size_t without_score = 0;              // cases that passed in the base and have none
  std::optional<GateEstimate> estimate = {};  // of a regression
  double p = 1;                               // Holm's over all that were tested together
  Comparison comparison = {};                 // of a regression: the two-sided question
  std::optional<OtherNames> models = {};      // that answered, where they differ
  std::optional<OtherNames> judges = {};      // likewise
};
// "Regression: … on 5 cases. 5 newly fail: friday, pears": the sentence, and who fails, the first ten; those
// that were flaky in the base apart.
std::string GateLine(const VariantGate& gate);
// "Known to be flaky, not counted: 2 cases; 1 newly fails: pears."; "" if there are none.
std::string KnownFlakyLine(const VariantGate& gate);

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
