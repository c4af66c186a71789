// AggregationRow: a formula that computes the score of a cell from the scores of its checks. A suite names
// its formula; each is one pure function and one row of table.cc.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "base/errors/result.h"
#include "spec/report/cell_query.h"
#include "spec/score/score.h"

namespace assay {

struct Case;
struct Suite;

// `scores` holds one score per check of the case, in order, none of them kMissing; kScored, kUnscored or
// kError. Whether the answer itself was generated is not looked at: an attempt without an answer has no
// scores.
using AggregateFn = CellOutcome (*)(const Case& the_case, std::span<const Score> scores);

struct AggregationRow {
  std::string_view name;  // Aggregation::formula
  std::string_view help;  // one line for `assay list`
  AggregateFn fn;
  bool is_share = false;                 // points over their total: above 1 a check gave more than the whole
  bool gives_nan = false;                // a score that is NaN spreads
  AggregateFn with_accidents = nullptr;  // in its place where GradingRules::original_accidents says so
  bool takes_any_score = false;          // what checks give may be any number; what a cell comes to may not
};
std::span<const AggregationRow> AggregationTable();
const AggregationRow* FindAggregation(std::string_view name);  // null if there is none

// By the suite's own formula, which must be a row of the table. Formulas see a verdict that is missing as an
// error of its point; a cell that misses one is kPartial unless the suite accepts that.
CellOutcome Aggregate(const Suite& suite, const Case& the_case, std::span<const Score> scores);

// The same of one attempt, whose key points are its checks where it has any; without an answer it is kError.
// kCorrupt if its scores do not fit.
Result<CellOutcome> Aggregate(const Suite& suite, const Case& the_case, const AttemptRecord& record);

// Of what is read from a store. kCorrupt: no check of such a suite gives such a score, or no formula such an
// outcome. Without shares of a total (is_share) each lies between 0 and 1; handlers of a suite's own give
// more and less.
Status CheckScores(const Suite& suite, const AttemptRecord& record);
Status CheckOutcome(const Suite& suite, const CellOutcome& outcome);

// What the store keeps of cells beside their scores. The suite must outlive the function; any thread.
std::function<CellColumns(const CellAddress&, const AttemptRecord&)> ColumnsIn(const Suite& suite);

// Of a case in the mean of a variant.
double WeightOf(const Case& the_case);

// "weighted-mean-best-path" (blueprints). Every kAll node is the mean of its parts: its own leaves together,
// weighted by Check::weight, are one part, and every node among its children is one. A kAny node is its best
// child. Parts without a score take no share: a group whose checks all failed is unscored. The result is
// rounded to two decimals.
//   state   kScored if any check has a score; else kError if any failed; else kUnscored, also without checks.
//   source  spec blueprint 13; deviations from the original: unscored groups, and the alternatives of should
//   and
//           should_not compete each among themselves.
CellOutcome WeightedMeanBestPath(const Case& the_case, std::span<const Score> scores);

// "weighted-mean-best-path-weval": the same as the original has it. A group whose checks all failed is 0;
// groups with the same label are one group, whichever block they come from, and all of them compete in one
// maximum; sums run over functions first, then judged texts; NaN spreads.
//   state   kScored with any check at all, kUnscored without.
CellOutcome WeightedMeanBestPathWeval(const Case& the_case, std::span<const Score> scores);

// "clipped-sum-over-least-total" (InfiBench). The sum of the scores, cut to Case::max_score and then raised
// to Case::min_score, over the smaller of max_score and the sum of the totals; over max_score where that sum
// is 0. Negative with checks that take away, above 1 with bounds that allow it; not rounded.
//   state   kError if any check failed or the total is 0; else kUnscored if any has no score; else kScored.
//   source  the description of InfiBench's format
CellOutcome ClippedSumOverLeastTotal(const Case& the_case, std::span<const Score> scores);

// "clipped-sum-over-total": the same as the published code has it. Case::max_score is the total, even where
// it is larger than the totals' sum.
//   source  InfiBench evaluator 96cb098 (spec: infibench 4)
CellOutcome ClippedSumOverTotal(const Case& the_case, std::span<const Score> scores);

// "every-expectation" (research evaluations): 1 if the tree of checks (spec/score/expectations.h) holds, or 0
//   state   kError if a check that may decide it failed; else kUnscored if such a one has no score.
CellOutcome EveryExpectation(const Case& the_case, std::span<const Score> scores);

// "assertions" (promptfoo). 1 if the test passes, or 0: no assertion fails, or, where Case::details has a
// number as `threshold`, the mean of the scores by Check::weight reaches it. Without checks 1; a mean of no
// weight is 0; an assertion without weight never fails.
//   state   kError if any check failed; else kScored. A check without a score fails.
//   source  spec: promptfoo 9
CellOutcome Assertions(const Case& the_case, std::span<const Score> scores);

// The same as the original has it: an assertion that fails without saying why does not count as failed, and
// a score that is no number fails every threshold.
CellOutcome AssertionsWithAccidents(const Case& the_case, std::span<const Score> scores);

// The value before it is rounded, 0 without checks.
double WeightedMeanBestPathWevalExact(const Case& the_case, std::span<const Score> scores);

}  // namespace assay
