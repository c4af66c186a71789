// PassCounts: how many attempts of each variant at each case have a score, and how many of them pass
// (PassRule). Gates, flaky cases, pass@k and the flips of pages all count by it.
#pragma once

#include <span>
#include <vector>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "spec/score/passing.h"
#include "statistics/estimates/pass_k.h"

namespace assay {

using PassCounts = std::vector<std::vector<PassCount>>;  // by variant and case of the suite

inline bool IsPassed(const PassCount& count, const PassRule& rule) {
  return rule.CasePasses(count.passed, count.scored);
}
// Some of its attempts pass, others fail.
inline bool IsFlaky(const PassCount& count) { return count.passed > 0 && count.passed < count.scored; }

PassCounts NoPasses(const Suite& suite);
// Counts a cell that has a score; others change nothing. `asked`: the case whose checks say the mark.
void CountPass(const Cell& cell, const Case& asked, const PassRule& rule, PassCounts& counts);

// By a walk over the outcomes of all cells. `marks`: the suite whose cases of the same ids say the marks;
// null: the report's own. A base that is a file may not know of what kind its checks are.
Result<PassCounts> PassCountsOf(const Report& report, const PassRule& rule, const Suite* marks = nullptr);

// How many tries "any passes" and "all pass" are about, the same for all variants.
struct Tries {
  std::uint64_t asked = 1;             // the most attempts that a case was to have
  std::uint64_t used = 1;              // `asked`, or fewer where too few cases have so many scored
  std::optional<VariantIndex> scarce;  // by whom it is fewer
};
// The number that was asked for; where fewer than half of a variant's cases have so many scored attempts,
// the largest that half of the cases of every variant have. A variant of which less than half has any score
// is not looked at: no number would do.
Tries TriesOf(const Suite& suite, const PassCounts& counts);

struct PassesAtK {
  VariantIndex variant = 0;
  std::uint64_t k = 1;
  PassEstimate passes;
  std::uint64_t left_out = 0;  // cases that count and were asked, with fewer scored attempts
};
PassesAtK PassesAt(const Suite& suite, const PassCounts& counts, VariantIndex variant, std::uint64_t k,
                   const Design& design);
// The numbers of tries to tell of: those that are asked for, else the suite's.
std::vector<std::uint64_t> TriesToTell(const Suite& suite, std::span<const AttemptIndex> asked);
// Of all variants at each k: by variant, then in the order of `ks`.
std::vector<PassesAtK> PassesAtEach(const Suite& suite, const PassCounts& counts,
                                    std::span<const std::uint64_t> ks);

}  // namespace assay
