// UntilCells: the cells of a run that ends once its questions are decided, in the order in which such a run
// asks. It looks at closed beginnings of that order alone, however the answers come in, and hands out no more
// cells of variants that no open question needs.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "plan/plan.h"
#include "report/decide/until/race_progress.h"
#include "report/decide/until/stop_course.h"
#include "run/executor/cells/cell_source.h"
#include "store/store.h"

namespace assay {

struct UntilWorld {
  const Plan& plan;
  const StopRule& rule;
  // So many cells may be out where the next look does not need all of them: no connection waits for it.
  std::function<std::size_t()> ahead;
  GivenUp is_given_up;  // loop thread
  // Hears of each look, of those that were made before, too: the question's `at`th. May be null.
  std::function<void(const StopScores&, const QuestionCourse&, std::uint64_t at)> on_look = {};
};

// Whether the questions are decided by what the store has of a run on which others worked, before every cell
// was asked. kRefused: they are open, and cells are left that no limit of the run kept from being asked.
Result<bool> IsDecidedByOthers(Store& store, const Plan& plan, const StopRule& rule, const RunRecord& run);

class UntilCells : public CellSource {
 public:
  // All of the world outlives it. `finished`: by cell; `outcomes`: what these came to.
  UntilCells(UntilWorld world, std::vector<bool> finished,
             std::span<const std::pair<CellIndex, CellOutcome>> outcomes);

  SourcedCells Next(std::size_t most) override;
  void Retired(std::span<const RetiredCell> cells) override;
  void Done(std::span<const CellIndex>) override {}

  const StopCourse& course() const { return course_; }
  // Whether every question is decided, and some cell was not asked for it. Too many errors end a run by
  // themselves.
  bool IsDecided() const;
  std::string RaceText();  // "4 of 10 in the race, 212 of 1,000 cases; decided after about 300"

 protected:
  // Makes the looks that can be made. False: the run needs no cell more.
  bool Follow();
  std::uint64_t next() const { return course_.next(); }  // cases that the next look needs
  // So many cases may be asked before the next look, `ahead` beyond it; more only by those who would be idle.
  std::uint64_t LastPlace(std::size_t ahead) const;
  // Whether a cell of the case at this place may be asked now, beside `more` others.
  bool MayHandOut(std::uint64_t place, std::uint64_t last, std::size_t more) const;
  // What a cell came to that nobody has to ask any more.
  void Take(CellIndex cell, const CellOutcome& outcome);
  void HandOut(const std::vector<CellIndex>& cells);

  const UntilWorld world_;
  std::vector<bool> taken_;  // by cell: finished before, or handed out
  StopScores scores_;
  StopCourse course_;
  std::uint64_t place_ = 0;  // in the order of cases: the next one
  std::size_t out_ = 0;      // cells that are handed out and have not come to their end
  bool is_cut_ = false;      // the run asks nothing more, for reasons of its own

 private:
  void TellLooks();
  SourcedCells Rest(std::size_t most);
  bool FillPlace();
  std::size_t CountAsked() const;  // variants; at least one

  RaceProgress progress_;
  std::vector<std::uint64_t> told_;  // by question: looks
  std::deque<CellIndex> ready_;      // of one case
  CellIndex rest_ = 0;               // where to look for cells of no unit
  CellIndex handed_ = 0;             // cells, with those that were finished before
};

}  // namespace assay
