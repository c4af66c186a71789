// Makes the rows and the summary of one variant, and adds up the times of a session.
#include "dialects/research/write/summaries.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay::research {

namespace {

constexpr double kUsPerMs = 1000;

// As the matrix has it, of what the suite keeps.
RunProfile ProfileOf(const Variant& variant) {
  RunProfile run;
  run.id = variant.id;
  run.profile = *variant.profile;
  run.parameters = variant.details.MapAt("parameters");
  return run;
}

}  // namespace

void SessionTimes::Add(std::int64_t turn_ended_us, double turn_ms) {
  if (turn_ended_us == 0) return;  // nobody was asked
  ++turns_;
  if (turn_ended_us < started_us_) {
    ++before_;
    return;
  }
  const std::int64_t begun_us =
      std::max(started_us_, turn_ended_us - static_cast<std::int64_t>(turn_ms * kUsPerMs));
  run_first_us_ = run_first_us_ == 0 ? begun_us : std::min(run_first_us_, begun_us);
  run_last_us_ = std::max(run_last_us_, turn_ended_us);
  ended_us_ = std::max(ended_us_, turn_ended_us);
}

double SessionTimes::End() {
  const double ms = static_cast<double>(run_last_us_ - run_first_us_) / kUsPerMs;
  runs_ms_ += ms;
  return ms;
}

double SessionTimes::session_ms() const { return static_cast<double>(ended_us_ - started_us_) / kUsPerMs; }

Value SessionTimes::Totals() const {
  return Object{{"runs_wall_ms", runs_ms_}, {"session_wall_ms", session_ms()}};
}

Result<RunSummary> SummaryOf(const Report& report, const SessionCells& cells, VariantIndex variant,
                             SessionTimes& times, const VisitRow& visit) {
  RunSummary summary(ProfileOf(report.suite->variants[variant]));
  times.Begin();
  ASSAY_CHECK_OK(cells.ForEachRow(report, variant, [&](const SessionRow& each) {
    times.Add(each.time.ended_us, each.time.total_ms);
    summary.Add(each.row.members);
    if (summary.summarizer_alias().empty()) summary.SetSummarizer(each.row.summarizer);
    return visit(each.row.members);
  }));
  summary.End(times.End());
  return summary;
}

Value ThinRow(const Value& row) {
  constexpr std::string_view kShown[] = {"test_id", "elapsed_ms", "assertion_detail", "pass",
                                         "halted",  "error",      "answered_by"};
  if (StatusOf(row) != CaseStatus::kPass) return row;
  Map thin;
  for (const std::string_view name : kShown) {
    if (const Value* value = row.Find(name)) thin.Append(std::string(name), *value);
  }
  return Value(std::move(thin));
}

}  // namespace assay::research
