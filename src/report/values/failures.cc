// Finds failed pairs: in small runs by reading all pairs, in large ones by the outcomes of their cells.
#include "report/values/failures.h"

#include "report/fold/cell_counts.h"
#include "report/values/json.h"
#include "spec/score/item_words.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {

namespace {

// Why a pair is where it is, in a line.
std::string WhyNotPassed(const Pair& pair, const Suite& suite) {
  if (!pair.answered()) return pair.shown->transcript.error;
  if (!pair.shown->grading_error.empty()) return pair.shown->grading_error;
  const Case& the_case = pair.GradedCase(suite);
  for (std::size_t i = 0; i < pair.shown->scores.size(); ++i) {
    const Score& score = pair.shown->scores[i];
    if (MissesPoints(score)) return MissedPoint(the_case.checks[i], score);
  }
  return "";
}

// The pairs that fail by the outcomes of their cells: found without reading any scores, so that a point that
// is an error beside others goes unseen.
Result<std::vector<CellAddress>> PairsBelow(const Report& report, CellRange cells, double mark) {
  // Who fails has an attempt that does.
  constexpr double kRounding = 1e-9;
  std::vector<CellAddress> pairs;
  ASSAY_CHECK_OK(report.find_cells({.cells = cells,
                                    .states = {CellState::kScored, CellState::kError, CellState::kPartial},
                                    .below = mark + kRounding},
                                   [&pairs](const CellRow& row) {
                                     const CellAddress pair{row.address.case_index, row.address.variant, 0};
                                     if (pairs.empty() || !(pairs.back() == pair)) pairs.push_back(pair);
                                     return Ok();
                                   }));
  return pairs;
}

}  // namespace

bool PairPassed(const Pair& pair, const Suite& suite, const PassRule& pass) {
  if (pair.partial > 0 || pair.marks.point_errors > 0) return false;
  return pair.state == CellState::kUnscored ||
         (pair.state == CellState::kScored && pass.CasePasses(suite.cases[pair.case_index], pair.values));
}

Result<std::vector<FailedPair>> FailedPairs(const Report& report, std::optional<CaseIndex> only,
                                            const PassRule& pass) {
  constexpr std::uint64_t kReadCellsMax = 20'000;  // of larger runs only the outcomes are looked at
  std::vector<FailedPair> failed;
  const PairVisitor add = [&](const Pair& pair) {
    if (PairPassed(pair, *report.suite, pass)) return Ok();
    failed.push_back({.case_index = pair.case_index,
                      .variant = pair.variant,
                      .state = pair.state,
                      .score = pair.mean(),
                      .missing = pair.missing,
                      .error_class = pair.shown->transcript.error_class,
                      .reason = WhyNotPassed(pair, *report.suite)});
    return Ok();
  };
  const CellRange cells = only ? CellRange::OfCase(*only) : CellRange::All();
  if (only || report.find_cells == nullptr || CountCells(report).cells <= kReadCellsMax) {
    ASSAY_CHECK_OK(ForEachPairIn(report, cells, CellParts::kScores, add));
    return failed;
  }
  ASSAY_TRY(const std::vector<CellAddress> pairs, PairsBelow(report, cells, pass.HighestMark(*report.suite)));
  for (const CellAddress& pair : pairs) {
    const CellRange range = CellRange::OfPair(pair.case_index, pair.variant);
    ASSAY_CHECK_OK(ForEachPairIn(report, range, CellParts::kScores, add));
  }
  return failed;
}

Value FailuresValue(const Suite& suite, const std::vector<FailedPair>& failed,
                    const CommandOfPair& command_of) {
  return ArrayOf(failed, [&](const FailedPair& pair) {
    return Object{{"case", suite.cases[pair.case_index].id},
                  {"variant", suite.variants[pair.variant].id},
                  {"state", CellStateName(pair.state)},
                  {"score", OrNull(pair.score)},
                  {"missing", pair.missing},
                  {"error_class", TextOrNull(pair.error_class)},
                  {"reason", pair.reason},
                  {"command", command_of(pair)}};
  });
}

}  // namespace assay
