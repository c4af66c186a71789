// RunCells: reads the cells of a run from the store, by ranges. Scores are read, and so is what was said
// where it is stored; else it is told again from the exchanges that the run used.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "spec/run/retelling.h"
#include "spec/run/worker_state.h"
#include "store/store.h"

namespace assay {

// One thread.
class RunCells {
 public:
  // For Open, which has looked at the arguments.
  RunCells(Store& store, RunRecord run, std::shared_ptr<const Suite> suite, CellGrid grid,
           Retelling retelling);

  // `store` must outlive it. The suite is what the run was made of. kCorrupt: it cannot be.
  // kLimit: the run plans many more cells than its store can have.
  static Result<std::shared_ptr<RunCells>> Open(Store& store, const RunRecord& run,
                                                std::shared_ptr<const Suite> suite, Retelling retelling = {});

  const Suite& suite() const { return *suite_; }
  const RunRecord& run() const { return run_; }
  const CellGrid& grid() const { return grid_; }
  // Whether some cell was visited whose transcript is not whole, since another version made it.
  std::shared_ptr<const bool> part_told() const { return part_told_; }
  Store& store() const { return store_; }

  // As Report::for_each_cell; cells without results are visited as skipped.
  Status Visit(const CellRange& range, CellParts parts, const Report::Visitor& visit);
  // As Report::for_each_use.
  Status VisitUses(const CellRange& range, const Report::UseVisitor& visit);
  // As Report::for_each_attempt.
  Status VisitAttempts(const CellRange& range, const Report::AttemptVisitor& visit);
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
    std::uint64_t told = 0;                                   // bytes of all words in the walk
    std::uint64_t told_max = 0;                               // 0: not known yet
  };

  // Calls `visit` for the ranges of cells of which the range is made, in its order.
  using SpanVisitor = std::function<Status(CellSpan span)>;
  Status ForEachSpan(const CellRange& range, const SpanVisitor& visit) const;
  AnswerUse UseOf(const CellAddress& at, std::span<const Exchange> answer) const;
  // `exchanges`: of the links that answered or ran programs, in the order of the links; those of its answer
  // come to stand first, and their number is returned.
  std::size_t AddExchanged(const CellResult& result, std::span<Exchange> exchanges,
                           Exchanged& exchanged) const;
  Status VisitSkipped(CellSpan span, const Report::Visitor& visit) const;
  Status VisitSpan(CellSpan span, CellParts parts, LastCell& last, const Report::Visitor& visit);
  // `answer`: the exchanges of its answer; absent: they are read if they are needed.
  using Answer = std::optional<std::span<const Exchange>>;
  Status VisitGraded(const CellResult& result, const Answer& answer, CellParts parts, LastCell& last,
                     const Report::Visitor& visit);
  Status Grade(const CellResult& result, LastCell& last) const;
  Status AddTranscript(const CellResult& result, const Answer& answer, Cell& cell);
  // kCorrupt: the walk has told more than a store of this length can hold.
  Status CountTold(const Cell& cell, LastCell& last);
  Status Retell(std::span<const Exchange> answer, Cell& cell);
  Result<std::vector<Exchange>> AnswerOf(const CellResult& result);
  Result<std::vector<double>> VectorOf(ExchangeId id);

  Store& store_;
  RunRecord run_;
  std::shared_ptr<const Suite> suite_;
  CellGrid grid_;
  Retelling retelling_;
  WorkerState worker_;
  std::shared_ptr<bool> part_told_ = std::make_shared<bool>(false);
};

}  // namespace assay
