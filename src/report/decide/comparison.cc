// Pairs the cases of two runs, checks whether they are the same, and compares two variants over them.
#include "report/decide/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "base/hash.h"
#include "report/decide/remarks.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/rank.h"
#include "statistics/decisions/sentences.h"
#include "statistics/estimates/bootstrap.h"
#include "text/json/json.h"

namespace assay {

namespace {

bool AreEqual(const Turn& a, const Turn& b) {
  return a.role == b.role && a.kind == b.kind && a.text == b.text;
}

bool AreEqual(const Check& a, const Check& b) {
  return a.kind == b.kind && a.text == b.text && a.weight == b.weight && a.invert == b.invert &&
         WriteEncoded(a.args, JsonStyle::kCanonical) == WriteEncoded(b.args, JsonStyle::kCanonical);
}

template <class T>
bool AreAllEqual(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return AreEqual(x, y); });
}

enum class Sameness { kNo, kQuestion, kWhole };

std::string DigestAt(const CaseList& list, CaseIndex index) {
  return list.digests.empty() ? CaseDigest(list.suite.cases[index]) : list.digests[index];
}

// What is known of two cases. Of files that keep no content of checks only the turns can be compared.
Sameness SamenessOf(const CaseList& a, const CaseList& b, const CasePair& pair) {
  const Case& x = a.suite.cases[pair.a];
  const Case& y = b.suite.cases[pair.b];
  if (a.digests.empty() && b.digests.empty()) {
    if (!AreAllEqual(x.turns, y.turns)) return Sameness::kNo;
    return x.ideal == y.ideal && AreAllEqual(x.checks, y.checks) ? Sameness::kWhole : Sameness::kQuestion;
  }
  if (DigestAt(a, pair.a) == DigestAt(b, pair.b) && !DigestAt(a, pair.a).empty()) return Sameness::kWhole;
  return AreAllEqual(x.turns, y.turns) ? Sameness::kQuestion : Sameness::kNo;
}

// Whether nobody can say that more than the question is the same.
bool IsUnknown(const CaseList& a, const CaseList& b, const CasePair& pair) {
  const auto tells_nothing = [](const CaseList& list, CaseIndex index) {
    return !list.digests.empty() && list.digests[index].empty();
  };
  return tells_nothing(a, pair.a) || tells_nothing(b, pair.b);
}

void AddPair(const CaseList& a, const CaseList& b, const CasePair& pair, PairBy by, CasePairing& pairing) {
  const Sameness same = SamenessOf(a, b, pair);
  const bool is_unknown = same == Sameness::kQuestion && IsUnknown(a, b, pair);
  const bool is_pair =
      same == Sameness::kWhole || (same == Sameness::kQuestion && (by == PairBy::kQuestion || is_unknown));
  (is_pair ? pairing.pairs : pairing.changed).push_back(pair);
  pairing.by_question += is_pair && is_unknown ? 1 : 0;
}

// What both ranges allow: a difference has limits only where both scores have the same.
std::optional<ScoreRange> CommonRange(const CaseScores& a, const CaseScores& b) {
  if (!a.range || !b.range || a.range->low != b.range->low || a.range->high != b.range->high)
    return std::nullopt;
  return a.range;
}

bool HasBoth(const PairedScores& scores, std::size_t i) {
  return scores.a.cases[i].scored > 0 && scores.b.cases[i].scored > 0;
}

std::vector<Flip> FlipsOf(const PairedScores& scores, std::span<const CasePair> pairs) {
  std::vector<Flip> flips;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double a = scores.a.cases[i].value;
    const double b = scores.b.cases[i].value;
    if (!HasBoth(scores, i) || std::abs(a - b) <= kNoise * std::max(std::abs(a), std::abs(b))) continue;
    flips.push_back({.at = pairs[i], .a = a, .b = b});
  }
  std::stable_sort(flips.begin(), flips.end(),
                   [](const Flip& x, const Flip& y) { return std::abs(x.a - x.b) > std::abs(y.a - y.b); });
  return flips;
}

// One side's mean over the cases that both have.
MeanEstimate MeanOfPairs(Sample side, const PairedScores& scores) {
  for (std::size_t i = 0; i < side.cases.size(); ++i) {
    if (!HasBoth(scores, i)) side.cases[i] = CaseValue();
  }
  return EstimateMean(side, scores.design());
}

// Of the differences, case by case.
std::optional<Interval> DrawnInterval(const PairedScores& scores, std::uint64_t seed) {
  Sample differences;
  for (std::size_t i = 0; i < scores.a.cases.size(); ++i) {
    CaseValue& difference = differences.cases.emplace_back();
    if (!HasBoth(scores, i)) continue;
    difference.scored = 1;
    difference.value = scores.a.cases[i].value - scores.b.cases[i].value;
  }
  const BootstrapMean drawn =
      BootstrapOfMean(differences, {.weights = scores.weights, .clusters = scores.clusters}, seed);
  return drawn.bca ? drawn.bca : drawn.percentile;
}

std::vector<TagDifference> TagDifferences(const Contender& a, const Contender& b,
                                          std::span<const CasePair> pairs) {
  std::map<std::string, std::vector<CasePair>, std::less<>> by_tag;
  for (const CasePair& pair : pairs) {
    for (const std::string& tag : *a.suite->cases[pair.a].tags) {
      std::vector<CasePair>& tagged = by_tag[tag];
      // A case may name a tag twice.
      if (tagged.empty() || tagged.back().a != pair.a) tagged.push_back(pair);
    }
  }
  std::vector<TagDifference> tags;
  for (const auto& [tag, tagged] : by_tag) {
    const PairedScores scores = AlignScores(a, b, tagged);
    tags.push_back({.tag = tag, .paired = ComparePaired(scores.a, scores.b, scores.design())});
  }
  return tags;
}

// Over the pairs that both have a score for, each with the weight that A gives it.
std::optional<double> PassRateOfPairs(const Contender& contender, CaseIndex CasePair::*side,
                                      const Comparison& comparison, const PairedScores& scores) {
  if (contender.passes == nullptr) return std::nullopt;
  const std::vector<PassCount>& counts = (*contender.passes)[contender.variant];
  std::vector<PassCount> paired(comparison.cases.pairs.size());
  for (std::size_t i = 0; i < paired.size(); ++i) {
    const bool has_both = scores.a.cases[i].scored > 0 && scores.b.cases[i].scored > 0;
    if (has_both) paired[i] = counts[comparison.cases.pairs[i].*side];
  }
  return EstimatePasses(paired, 1, scores.design()).any.mean;
}

// Holm's values of the p that are defined; those of the others are 1.
void CorrectTogether(std::vector<Comparison>& comparisons) {
  std::vector<double> p;
  for (const Comparison& comparison : comparisons) {
    if (comparison.paired.p) p.push_back(*comparison.paired.p);
  }
  const std::vector<double> adjusted = HolmAdjusted(p, p.size());
  std::size_t next = 0;
  for (Comparison& comparison : comparisons) {
    if (comparison.paired.p) comparison.p = adjusted[next++];
  }
}

}  // namespace

std::string CaseDigest(const Case& the_case) {
  constexpr std::size_t kDigits = 16;
  Sha256 hash;
  const auto add = [&hash](std::string_view text) {
    hash.Update(fmt::format("{}:", text.size()));
    hash.Update(text);
  };
  for (const Turn& turn : the_case.turns) {
    add(RoleName(turn.role));
    add(turn.kind == TurnKind::kGenerate ? "?" : "=");
    add(turn.text);
  }
  add(the_case.ideal ? "ideal" : "");
  add(the_case.ideal.value_or(""));
  for (const Check& check : the_case.checks) {
    add(check.kind);
    add(check.text);
    add(fmt::format("{} {}", check.weight, check.invert));
    add(WriteEncoded(check.args, JsonStyle::kCanonical));
    if (!check.extract->is_undefined()) add(WriteEncoded(check.extract, JsonStyle::kCanonical));
  }
  return HexPrefix(hash.Finish(), kDigits);
}

CasePairing PairCases(const CaseList& list_a, const CaseList& list_b, PairBy by) {
  const Suite& a = list_a.suite;
  const Suite& b = list_b.suite;
  std::unordered_map<std::string_view, CaseIndex> places;
  for (CaseIndex i = 0; i < b.cases.size(); ++i) places.emplace(b.cases[i].id, i);
  CasePairing pairing;
  std::vector<bool> is_found(b.cases.size());
  for (CaseIndex i = 0; i < a.cases.size(); ++i) {
    const auto found = places.find(a.cases[i].id);
    if (found == places.end() || is_found[found->second]) {
      pairing.only_a.push_back(i);
      continue;
    }
    is_found[found->second] = true;
    AddPair(list_a, list_b, {.a = i, .b = found->second}, by, pairing);
  }
  for (CaseIndex i = 0; i < b.cases.size(); ++i) {
    if (!is_found[i]) pairing.only_b.push_back(i);
  }
  return pairing;
}

PairedScores AlignScores(const Contender& a, const Contender& b, std::span<const CasePair> pairs) {
  PairedScores scores;
  scores.range = CommonRange(*a.scores, *b.scores);
  for (const CasePair& pair : pairs) {
    scores.a.cases.push_back(a.scores->samples[a.variant].cases[pair.a]);
    scores.b.cases.push_back(b.scores->samples[b.variant].cases[pair.b]);
    scores.weights.push_back(a.scores->weights[pair.a]);
    scores.clusters.push_back(a.scores->clusters[pair.a]);
  }
  return scores;
}

std::vector<Comparison> CompareWith(const Contender& first, std::span<const Contender> others, PairBy by,
                                    std::optional<std::uint64_t> bootstrap_seed) {
  std::vector<Comparison> comparisons;
  for (const Contender& other : others) {
    Comparison& comparison = comparisons.emplace_back();
    comparison.cases = PairCases(first.cases(), other.cases(), by);
    auto served = OtherServed(first.served, other.served);
    if (served && !OtherModels(first.suite->variants[first.variant], other.suite->variants[other.variant]))
      comparison.served = std::move(served);
    const PairedScores scores = AlignScores(first, other, comparison.cases.pairs);
    comparison.paired = ComparePaired(scores.a, scores.b, scores.design());
    comparison.mean_a = MeanOfPairs(scores.a, scores);
    comparison.mean_b = MeanOfPairs(scores.b, scores);
    comparison.pass_rate_a = PassRateOfPairs(first, &CasePair::a, comparison, scores);
    comparison.pass_rate_b = PassRateOfPairs(other, &CasePair::b, comparison, scores);
    if (bootstrap_seed) comparison.drawn = DrawnInterval(scores, *bootstrap_seed);
    comparison.flips = FlipsOf(scores, comparison.cases.pairs);
    comparison.tags = TagDifferences(first, other, comparison.cases.pairs);
  }
  CorrectTogether(comparisons);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    Comparison& comparison = comparisons[i];
    comparison.verdict = VerdictOf(comparison.paired, comparison.p);
    comparison.sentence = WithValueName(PairedSentence(first.shown(), others[i].shown(), comparison.paired,
                                                       comparison.p, others.size() + 1),
                                        *first.scores) +
                          ContraryRemark(comparison.paired, comparison.p);
  }
  return comparisons;
}

}  // namespace assay
