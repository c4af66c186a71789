// Reliability: estimates whether the scores of a run would come out again: agreement of judges with each
// other and with themselves (spec: statistics 9), cases that now pass and now fail (4), and what the spread
// comes from (11).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/decide/gate/passes.h"
#include "spec/report/cell_gatherer.h"
#include "spec/report/report.h"
#include "statistics/agreement/agreement.h"
#include "statistics/estimates/spread.h"

namespace assay {

struct JudgeReliability {
  std::string judge;          // Judge::label
  std::uint64_t votes = 0;    // each time that it was asked and read
  std::uint64_t against = 0;  // of them: their own words speak against them
  MeanEstimate against_rate;  // the same as a rate over cases
  AgreementEstimate self;     // units: its votes on one point; kNoPairs where it was asked once
  AgreementEstimate without;  // of the others, where there are two at least
};

// One answer to one case that is not sure to come out the same way.
struct FlakyCase {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  std::string judge;         // whose votes on one point disagree; "": the attempts do
  std::uint64_t passed = 0;  // attempts or votes from the mark up
  std::uint64_t of = 0;
};

struct VariantReliability {
  VariantIndex variant = 0;
  PassEstimate passes;         // in one of Reliability::tries, in all of them
  std::uint64_t left_out = 0;  // cases that have fewer scored attempts
  SpreadParts spread;
};

struct Reliability {
  bool asks_judges = false;
  bool has_attempts = false;                 // a case is asked more than once
  AgreementEstimate agreement;               // units: the verdicts of all judges on one point
  std::string sentence;                      // of `agreement`; "": less than two judges
  std::vector<JudgeReliability> judges;      // by first vote
  std::vector<VariantReliability> variants;  // in suite order; empty unless has_attempts
  Tries tries;                               // of all of them
  PassCounts passes;                         // of all attempts
  std::vector<FlakyCase> flaky;              // in plan order, at most kFlakyMax
  std::uint64_t flaky_more = 0;
  CaseIndex judged_cases = 0;  // whose votes were looked at: the first ones of large runs
};

// `pass`: which attempts pass; its mark is that of votes, too.
class ReliabilityGatherer final : public CellGatherer {
 public:
  ReliabilityGatherer(const Suite& suite, const PassRule& pass);  // the suite outlives it
  ~ReliabilityGatherer() override;
  CellParts parts() const override;
  Status Add(const Cell& cell) override;
  Reliability Finish();  // once, after the last cell

 private:
  struct Gathered;

  const Suite& suite_;
  PassRule pass_;
  CaseIndex next_case_ = 0;
  std::unique_ptr<Gathered> gathered_;
};

}  // namespace assay
