// RunCells: the cells of a run in the store, by ranges. Scores are read, transcripts are replayed from the
// exchanges that the run used.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "plan/plan.h"
#include "spec/report.h"
#include "spec/worker_state.h"
#include "store/store.h"

namespace assay {

// One thread.
class RunCells {
 public:
  // For Open, which has looked at the arguments.
  RunCells(Store& store, RunRecord run, std::shared_ptr<const Suite> suite, CellGrid grid, MoreRows more);

  // `store` must outlive it. The suite is what the run was made of. kCorrupt: it cannot be.
  static Result<std::shared_ptr<RunCells>> Open(Store& store, const RunRecord& run,
                                                std::shared_ptr<const Suite> suite,
                                                const MoreRows& more = {});

  const Suite& suite() const { return *suite_; }
  const RunRecord& run() const { return run_; }
  const CellGrid& grid() const { return grid_; }
  Store& store() const { return store_; }

  // As Report::for_each_cell; cells without results are visited as skipped.
  Status Visit(const CellRange& range, CellParts parts, const Report::Visitor& visit);
  // The graded cells of the whole run with their records, without transcripts.
  Status VisitScores(const Report::Visitor& visit);
  // As Report::find_cells.
  Status Find(const CellQuery& query, const Report::RowVisitor& visit);
  // The vectors that the run's embedding steps were answered with.
  Result<CaseEmbeddings> EmbeddingsOf(CaseIndex case_index);

 private:
  // What was read for the last cell of a walk. Attempts that follow each other mostly have the same scores:
  // it is read again only if something differs.
  struct LastCell {
    Cell cell;
    std::string scores;  // what the cell was read from; "" if it has changed since
    std::optional<std::pair<CaseIndex, VariantIndex>> shown;  // whose answer was the last one shown
  };

  Status VisitSpan(CellSpan span, CellParts parts, LastCell& last, const Report::Visitor& visit);
  Status VisitGraded(const CellResult& result, CellParts parts, LastCell& last, const Report::Visitor& visit);
  Status Grade(const CellResult& result, LastCell& last) const;
  Status FindUnindexed(const CellQuery& query, CellSpan span, const Report::RowVisitor& visit);
  Status AddTranscript(const CellResult& result, Cell& cell);
  const std::vector<StepTemplate>& SlotsOfCase(CaseIndex case_index);
  Result<std::vector<double>> VectorOf(ExchangeId id);

  Store& store_;
  RunRecord run_;
  std::shared_ptr<const Suite> suite_;
  CellGrid grid_;
  MoreRows more_;
  WorkerState worker_;
  CaseIndex slots_of_ = 0;  // whose slots are in slots_, unless it is empty
  std::vector<StepTemplate> slots_;
};

}  // namespace assay
