// LiveCell and LiveStep: the state of a cell's steps while they run; made when the cell is admitted, removed
// when it is graded.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "corpus/ask/run_documents.h"
#include "plan/plan.h"
#include "run/wire/router.h"
#include "spec/report/cell_query.h"

namespace assay {

class ModelBook;

// What a cell comes to that was graded so, as the store keeps it.
using CellColumnsOf = std::function<CellColumns(const CellAddress&, const AttemptRecord&)>;

enum class StepState : std::uint8_t { kWaiting, kReady, kRunning, kAsking, kSettled };

// `outcome` is written once, by the loop, before any step that reads it is made ready; `so_far` and `memory`
// belong to the worker while the step is running and to the loop otherwise.
struct LiveStep {
  StepState state = StepState::kWaiting;
  std::uint32_t inputs_open = 0;   // inputs that are not settled
  std::uint32_t replies_open = 0;  // requests of this round that are not answered
  std::uint32_t rounds = 0;        // so far
  std::size_t round_start = 0;     // where this round's replies start in so_far
  std::vector<Exchange> so_far;
  std::unique_ptr<StepMemory> memory = {};  // of what it made of so_far
  StepOutcome outcome = Done{Skipped{}};
};

struct LiveCell {
  CellIndex index = 0;
  CellAddress address;
  const CasePlan* plan = nullptr;
  std::vector<LiveStep> steps;
  std::size_t steps_open = 0;
  bool was_asked = false;                 // listeners were told that something of it was asked
  std::vector<std::string> to_tell = {};  // what happened in it before that
  bool was_paid = false;                  // something was sent for it in this sitting
  bool was_cut = false;                   // something of it was not asked, for the run's own reasons
  bool answer_cut = false;                // ... its answer
};

// What a worker made of a step: its action, with requests routed and keyed, and scores encoded.
struct StepResult {
  LiveCell* cell = nullptr;
  SlotIndex slot = 0;
  Action action = Done{Skipped{}};
  std::vector<PreparedRequest> requests;             // of a Need, in order
  std::vector<std::string> told = {};                // what happened in the step since its last round
  std::string scores;                                // of a graded attempt
  std::string marks = {};                            // of a graded attempt
  std::optional<std::string> transcript = {};        // of a graded attempt, where it is to be stored
  std::optional<CellColumns> columns = {};           // of a graded attempt, if anybody tells
  bool is_error = false;                             // of a graded attempt: its cell is an error or partial
  std::unique_ptr<const AttemptRecord> record = {};  // of a graded attempt, if anybody listens
};

// What running a step needs beside the step.
struct StepWorld {
  const Plan& plan;
  const RunContext& run;
  const RunDocuments& documents;
  const Router& router;
  const GeneratorVersions& versions;  // that the run began with
  const CellColumnsOf& columns_of;    // may be null
  const ModelBook& models;            // what answers cost
  bool keeps_records = false;         // StepResult::record is wanted
};
// Runs one ready step. Pure but for `worker`; any thread.
StepResult RunStep(const StepWorld& world, LiveCell& cell, SlotIndex slot, WorkerState& worker);

}  // namespace assay
