// Compares one variant with others, over the cases that both have, in one run or in several (spec: statistics
// 5). Pure but for the reading of scores, which the callers have done.
#pragma once

#include <string>
#include <vector>

#include "report/decide/gate/passes.h"
#include "report/decide/gate/sides.h"
#include "report/decide/standings.h"
#include "spec/ids.h"
#include "statistics/decisions/paired.h"

namespace assay {

struct Case;
struct Suite;

// What two cases of one id must share to be the same case.
enum class PairBy {
  kWholeCase,  // turns, ideal and checks
  kQuestion,   // turns
};

struct CasePair {
  CaseIndex a = 0;
  CaseIndex b = 0;
};

// How the cases of two suites belong together; each list in the order of A (only_b: of B).
struct CasePairing {
  std::vector<CasePair> pairs;
  std::vector<CasePair> changed;  // one id, but not the same case: not compared
  std::vector<CaseIndex> only_a;
  std::vector<CaseIndex> only_b;
  // Of `pairs`: only the turns are known to be the same, since a file tells no more.
  std::size_t by_question = 0;
};
// Turns, ideal and checks of a case, as 16 hex digits.
std::string CaseDigest(const Case& the_case);
// The cases of a run; borrows. `digests` as CaseScores has them.
struct CaseList {
  const Suite& suite;
  std::span<const std::string> digests = {};
};
CasePairing PairCases(const CaseList& a, const CaseList& b, PairBy by);

// One variant of a run; borrows.
struct Contender {
  std::string name;
  const Suite* suite = nullptr;
  const CaseScores* scores = nullptr;
  const PassCounts* passes = nullptr;  // null: nobody asks which attempts pass
  VariantIndex variant = 0;
  std::string spoken = {};  // what sentences call it; "": its name
  std::string served = {};  // how its replies name who answered; "": they do not say

  const std::string& shown() const { return spoken.empty() ? name : spoken; }
  CaseList cases() const { return {.suite = *suite, .digests = scores->digests}; }
};

// The scores of two contenders over the pairs, aligned. Weights and clusters are those of A.
struct PairedScores {
  Sample a;
  Sample b;
  std::vector<double> weights;
  std::vector<std::uint32_t> clusters;
  std::optional<ScoreRange> range;  // where both have the same

  Design design() const { return {.weights = weights, .clusters = clusters, .range = range}; }  // borrows
};
PairedScores AlignScores(const Contender& a, const Contender& b, std::span<const CasePair> pairs);

// A case on which the two differ.
struct Flip {
  CasePair at;
  double a = 0;
  double b = 0;
};

struct TagDifference {
  std::string tag;
  PairedEstimate paired;
};

struct Comparison {
  CasePairing cases;
  PairedEstimate paired;  // A - B
  MeanEstimate mean_a;    // over the cases of `paired`, and no others that a run has
  MeanEstimate mean_b;
  std::optional<double> pass_rate_a;  // the share of attempts that pass, over the same cases
  std::optional<double> pass_rate_b;
  double p = 1;  // Holm's over all comparisons that were asked for together
  Verdict verdict = Verdict::kNotDefined;
  std::string sentence;
  std::optional<OtherNames> served;  // how replies name who answered, where the two differ
  std::optional<Interval> drawn;     // of the difference, by bootstrap, where it was asked for
  std::vector<Flip> flips;           // the largest difference first
  std::vector<TagDifference> tags;   // of cases that have tags, by name
};
// The first contender, named beforehand, against each other one. With a seed also the bootstrap interval;
// verdicts do not go by it.
std::vector<Comparison> CompareWith(const Contender& first, std::span<const Contender> others, PairBy by,
                                    std::optional<std::uint64_t> bootstrap_seed = {});

}  // namespace assay
