// What the numbers of a run are worth, all of it from one walk over its cells: who stands where, and whether
// the scores would come out again. Tables, pages and JSON values tell the same of it.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/errors/result.h"
#include "report/decide/reliability.h"
#include "report/decide/standings.h"

namespace assay {

struct RunStatistics {
  Standings standings;
  Reliability reliability;
  PassRule pass = {};  // of `reliability`
  // Of a run that ended early: its standings have bounds that hold for such runs, and no p values.
  bool is_early = false;
};

// The share of attempts that pass, over cases as a mean is: of a variant, or of those of a model together.
MeanEstimate PassRateOf(const RunStatistics& statistics, std::span<const VariantNumber> variants);

// The same of all variants of a model, by its place in Standings::models.
MeanEstimate PassRateOfModel(const RunStatistics& statistics, VariantNumber model);

// Gathers them while the cells go by.
class StatisticsGatherer final : public CellGatherer {
 public:
  StatisticsGatherer(const Suite& suite, const PassRule& pass);  // the suite outlives it, and CanReduce
  CellParts parts() const override { return reliability_.parts(); }
  Status Add(const Cell& cell) override;
  std::shared_ptr<const RunStatistics> Finish();  // once, after the last cell

 private:
  const Suite& suite_;
  PassRule pass_;
  ScoreGatherer scores_;
  ReliabilityGatherer reliability_;
};

// The same with what holds for a run that may end early, if the report is of one.
std::shared_ptr<const RunStatistics> ToldUntil(const Report& report,
                                               std::shared_ptr<const RunStatistics> statistics);

// Those that were gathered at the run's end, if they are by this mark; else from a walk over the cells.
// Without a mark those of any.
Result<std::shared_ptr<const RunStatistics>> StatisticsOf(const Report& report,
                                                          std::optional<PassRule> pass = {});

}  // namespace assay
