// Counts passes, and chooses the number of tries that they are told of.
#include "report/decide/gate/passes.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "report/aggregate.h"
#include "report/decide/standings.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

bool Counts(const Suite& suite, CaseIndex index, VariantIndex variant) {
  return suite.cases[index].Asks(variant) && WeightOf(suite.cases[index]) > 0;
}

// The largest number of scored attempts that at least half of the variant's cases have.
std::uint64_t TriesOfHalf(const Suite& suite, const std::vector<PassCount>& counts, VariantIndex variant) {
  std::vector<std::uint64_t> scored;
  for (CaseIndex i = 0; i < counts.size(); ++i) {
    if (Counts(suite, i, variant)) scored.push_back(counts[i].scored);
  }
  if (scored.empty()) return 0;
  const auto half = scored.begin() + static_cast<std::ptrdiff_t>((scored.size() + 1) / 2 - 1);
  std::nth_element(scored.begin(), half, scored.end(), std::greater<>());
  return *half;
}

}  // namespace

PassCounts NoPasses(const Suite& suite) {
  return PassCounts(suite.variants.size(), std::vector<PassCount>(suite.cases.size()));
}

void CountPass(const Cell& cell, const Case& asked, const PassRule& rule, PassCounts& counts) {
  if (cell.state != CellState::kScored || !std::isfinite(cell.score)) return;
  PassCount& count = counts[cell.variant][cell.case_index];
  ++count.scored;
  count.passed += rule.Passes(asked, cell.score) ? 1 : 0;
}

Result<PassCounts> PassCountsOf(const Report& report, const PassRule& rule, const Suite* marks) {
  const Suite& suite = *report.suite;
  std::vector<const Case*> asked;
  for (const Case& the_case : suite.cases) asked.push_back(&the_case);
  if (marks != nullptr) {
    std::unordered_map<std::string_view, const Case*> by_id;
    for (const Case& the_case : marks->cases) by_id.emplace(the_case.id, &the_case);
    for (const Case*& each : asked) {
      const auto found = by_id.find(each->id);
      if (found != by_id.end()) each = found->second;
    }
  }
  PassCounts counts = NoPasses(suite);
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), CellParts::kOutcome, [&](const Cell& cell) {
    CountPass(cell, *asked[cell.case_index], rule, counts);
    return Ok();
  }));
  return counts;
}

Tries TriesOf(const Suite& suite, const PassCounts& counts) {
  Tries tries;
  for (const Case& the_case : suite.cases)
    tries.asked = std::max<std::uint64_t>(tries.asked, the_case.attempts.value_or(suite.attempts));
  tries.used = tries.asked;
  for (VariantIndex v = 0; v < counts.size(); ++v) {
    const std::uint64_t most = TriesOfHalf(suite, counts[v], v);
    if (most == 0 || most >= tries.used) continue;
    tries.used = most;
    tries.scarce = v;
  }
  return tries;
}

PassesAtK PassesAt(const Suite& suite, const PassCounts& counts, VariantIndex variant, std::uint64_t k,
                   const Design& design) {
  PassesAtK at{.variant = variant, .k = k, .passes = EstimatePasses(counts[variant], k, design)};
  for (CaseIndex i = 0; i < suite.cases.size(); ++i)
    at.left_out += Counts(suite, i, variant) && counts[variant][i].scored < k ? 1 : 0;
  return at;
}

std::vector<std::uint64_t> TriesToTell(const Suite& suite, std::span<const AttemptIndex> asked) {
  if (asked.empty()) asked = suite.pass_at_k;
  return std::vector<std::uint64_t>(asked.begin(), asked.end());
}

std::vector<PassesAtK> PassesAtEach(const Suite& suite, const PassCounts& counts,
                                    std::span<const std::uint64_t> ks) {
  std::vector<PassesAtK> each;
  if (ks.empty()) return each;
  std::vector<double> weights;
  for (const Case& the_case : suite.cases) weights.push_back(WeightOf(the_case));
  const std::vector<std::uint32_t> clusters = ClustersOf(suite.cases);
  const Design design{.weights = weights, .clusters = clusters, .range = ScoreRange{}};
  for (VariantIndex v = 0; v < counts.size(); ++v) {
    for (const std::uint64_t k : ks) each.push_back(PassesAt(suite, counts, v, k, design));
  }
  return each;
}

}  // namespace assay
