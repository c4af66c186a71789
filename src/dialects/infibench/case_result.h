// CaseResult: one graded case of an InfiBench suite, in the form of the result YAML. Graders' scores are
// converted to it, tables and pages read it, and the file is written from it and read back to it.
//   source  InfiBench evaluator 96cb098 and harness 736de98 (spec: infibench 4, 9, 10)
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "text/value.h"

namespace assay::infibench {

struct CaseResult {
  std::string path;  // as the suite names it
  Map fields = {};   // the case file's own keys but `grading`
  double full_score = 0;
  bool is_full_score_whole = false;  // the suite has it without a point
  double now_score = 0;
  double now_std = 0;
  double weight = 1;  // what the case counts in sums over cases; no part of the file
  std::vector<std::optional<double>> all_scores = {};  // per attempt; absent: error
  List detail = {};                                    // per attempt: the original's per-attempt map
  std::string error = {};                              // why the whole case is an error; "" if it is not
  bool is_left = false;                                // no attempt was asked; no part of the file
};

// Who writes such files: the evaluator, or the harness, which adds `all_scores`.
enum class ResultForm { kEvaluator, kHarness };

// The components of a grade, in the order in which they are evaluated and summed.
struct Component {
  std::string_view name;       // "keywords", as `grading` and the tables say
  std::string_view score_key;  // in an attempt's map
  std::string_view total_key;
};
std::span<const Component> Components();

// What a score is a share of, where the case sets a max_score.
enum class Denominator {
  kMaxScore,  // max_score alone, as the published code has it
  kLeast,     // the smaller of it and the totals' sum, as the format says; max_score where that sum is 0
};

// What an attempt's map adds up to: component scores left to right, their totals, and the bounds that the
// case sets (the score is cut to max_score, then raised to min_score).
struct AttemptSum {
  double score = 0;      // after both bounds
  double raw_score = 0;  // before them
  double total = 0;      // never replaced
  std::optional<double> max_score;
  std::optional<double> min_score;
  double Total(Denominator denominator) const;
};
AttemptSum SumOf(const Value& attempt);
// score / total * full_score; nothing if the attempt is an error, or its total 0.
std::optional<double> AttemptScore(const Value& attempt, double full_score,
                                   Denominator denominator = Denominator::kMaxScore);

// The map of an attempt that could not be graded, and of a case that could not: what went wrong. Their keys
// are the original's.
Value ErrorDetail(std::string_view message);
// The message, if `detail` is such a map.
std::optional<std::string> ErrorIn(const Value& detail);

// The value of a case in the result YAML. Scores of attempts that are errors are null. In the evaluator's
// form keys of the case file replace what was computed, as they do there: `full_score: 3`, of an error too;
// in the harness's they never do.
Value ToValue(const CaseResult& result, ResultForm form);

// The cases of a result YAML in the order of the file: either form, scores of attempts recomputed where the
// file lacks them. kInvalidInput with the case and the key at the first member that is not as expected.
Result<std::vector<CaseResult>> ReadCaseResults(const Value& result_yaml);

}  // namespace assay::infibench
