// CellBoard: the cells that are live, and their steps: admitted, run round by round as their replies come,
// settled, and retired with what they came to. It asks nobody and waits for nothing. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "run/executor/calls/calls.h"
#include "run/executor/cells/cell_source.h"
#include "run/executor/cells/live_cell.h"
#include "run/executor/messages.h"
#include "run/limits/run_limits.h"
#include "run/progress.h"

namespace assay {

// A request of a step, and who waits for its answer.
struct Question {
  PreparedRequest request;
  Waiter waiter;
};

struct ReadyStep {
  LiveCell* cell = nullptr;
  SlotIndex slot = 0;
};

// Cells that came to their end and are not committed yet.
struct Graded {
  std::vector<CellResult> results;
  std::vector<GradedCell> told;  // for whoever listens

  bool empty() const { return results.empty() && told.empty(); }
};

struct CellBoardOptions {
  std::optional<ErrorLimit> max_errors = {};
  bool keeps_records = false;  // somebody listens
};

class CellBoard {
 public:
  CellBoard(const Plan& plan, const CellBoardOptions& options, Progress& progress)
      : plan_(plan), options_(options), progress_(progress) {}

  void Admit(CellIndex index);
  std::size_t live() const { return live_.size(); }

  // The steps that can run, which from now on do.
  std::vector<ReadyStep> TakeReady();
  std::size_t steps_running() const { return steps_running_; }
  // A step ran: what it asks for. A cell whose last step it was retires.
  std::vector<Question> OnStepRun(StepResult result);
  // Hands an answer to every step that waited for it.
  void OnAnswer(Answered answered);

  const Graded& graded() const { return graded_; }
  Graded TakeGraded() { return std::exchange(graded_, {}); }
  std::vector<RetiredCell> TakeRetired() { return std::exchange(retired_, {}); }  // since it was last asked
  bool HasTooManyErrors() const { return too_many_errors_; }

 private:
  void MakeReady(LiveCell& cell, SlotIndex slot);
  std::vector<Question> QuestionsOf(LiveCell& cell, SlotIndex slot, std::vector<PreparedRequest> requests);
  void Settle(LiveCell& cell, SlotIndex slot, StepOutcome outcome);
  void SettleDependants(LiveCell& cell, SlotIndex slot);
  void Retire(LiveCell& cell, StepResult result);

  const Plan& plan_;
  CellBoardOptions options_;
  Progress& progress_;
  std::unordered_map<CellIndex, std::unique_ptr<LiveCell>> live_;
  std::vector<ReadyStep> ready_;
  std::size_t steps_running_ = 0;
  Graded graded_;
  std::vector<RetiredCell> retired_;
  bool too_many_errors_ = false;
};

}  // namespace assay
