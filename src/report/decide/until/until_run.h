// UntilRun: what came of the questions that may end a run early, as its stored cells tell it, and the
// sentences about it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/decide/standings.h"
#include "report/decide/until/stop_course.h"
#include "spec/report/cell_gatherer.h"

namespace assay {

struct UntilRun {
  UntilRun(StopRule of, const Suite& suite) : rule(std::move(of)), scores(suite, rule.pass), course(rule) {}
  UntilRun(const UntilRun&) = delete;
  UntilRun& operator=(const UntilRun&) = delete;

  StopRule rule;
  StopScores scores;
  StopCourse course;
  std::uint64_t cells_skipped = 0;  // nobody asked them
  std::uint64_t other_orders = 0;   // stopped runs of this suite with other seeds, each seed once
  std::string stop = {};  // StopName; "decided" when it ended may not be so with the scores of today

  bool was_decided() const { return stop == "decided"; }
  // Whether cells were left, for the questions' sake alone.
  bool is_stopped() const { return was_decided() && cells_skipped > 0; }
  // Whether its numbers come from a place that was chosen by looking at them: as above, or it was cut.
  bool is_early() const { return cells_skipped > 0; }
  // Units that were looked at of a variant. Of flips alone none: their cases are no sample of the suite.
  std::uint64_t UnitsOf(VariantIndex variant) const;
  // Cases that a question looked at.
  std::uint64_t CasesOf(const QuestionCourse& course) const;
  // Cells of the suite's units that were asked beyond those.
  std::uint64_t CellsBeyond() const;
};

// Follows the questions of a run while its cells go by.
class UntilGatherer final : public CellGatherer {
 public:
  // `stop`: StopName; `given_up`: models that were asked no more.
  UntilGatherer(const Suite& suite, StopRule rule, std::string stop, std::vector<std::string> given_up);
  CellParts parts() const override { return CellParts::kOutcome; }
  Status Add(const Cell& cell) override;
  // Once, after the last cell.
  std::shared_ptr<const UntilRun> Finish(std::uint64_t other_orders);

 private:
  const Suite& suite_;
  std::vector<std::string> given_up_;
  std::shared_ptr<UntilRun> run_;
};

// "310 of 1,000 cases (stopped: decided)": how far the run is; "" of one that asked everything.
std::string AskedPartText(const UntilRun& run);

std::string AskedCasesText(const UntilRun& run);  // "310 of 1,000 cases"

// What the cases that were looked at say of a gate's difference, its margin included.
PairBounds BoundsOfGate(const UntilRun& run, const QuestionCourse& course);

// The sentence on one question. `scores` as the run has them.
std::string UntilSentence(const UntilRun& run, const QuestionCourse& course, const Standings& standings);

// Puts what holds whenever a run ends in the place of ordinary intervals, p values and ranks, of a run that
// ended early; and its sentences in the place of theirs.
void TellUntil(const UntilRun& run, Standings& standings);

}  // namespace assay
