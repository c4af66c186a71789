// Rows, summaries and times of a finished session: what its files and its closing block are made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "dialects/research/write/results.h"
#include "dialects/research/write/session_cells.h"
#include "spec/report/report.h"

namespace assay::research {

// How long the runs of a session took, as the times of their turns tell: from the first one's beginning to
// the last one's end. Answers from before the session count no time.
class SessionTimes {
 public:
  explicit SessionTimes(std::int64_t started_ms) : started_us_(started_ms * 1000), ended_us_(started_us_) {}
  void Begin() { run_first_us_ = run_last_us_ = 0; }
  void Add(std::int64_t turn_ended_us, double turn_ms);
  double End();          // of the run, in ms
  Value Totals() const;  // {runs_wall_ms, session_wall_ms}
  double session_ms() const;
  std::size_t turns() const { return turns_; }
  std::size_t before() const { return before_; }  // of them, those that are older than the session
  double runs_ms() const { return runs_ms_; }

 private:
  std::int64_t started_us_;
  std::int64_t ended_us_;
  std::int64_t run_first_us_ = 0;  // 0: nothing of the run fell into the session
  std::int64_t run_last_us_ = 0;
  double runs_ms_ = 0;
  std::size_t turns_ = 0;
  std::size_t before_ = 0;
};

// The summary of one variant; every row is shown to `visit` on the way.
using VisitRow = std::function<Status(const Value& row)>;
Result<RunSummary> SummaryOf(const Report& report, const SessionCells& cells, VariantIndex variant,
                             SessionTimes& times, const VisitRow& visit);

// What tables show of a row whose case passed; of another all of it.
Value ThinRow(const Value& row);

}  // namespace assay::research
