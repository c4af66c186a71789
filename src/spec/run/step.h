// A Step is the unit of planned work, a pure function of what has been said so far:
//   Action Next(const StepContext&, std::span<const Exchange> so_far)
// It uses no clock and no randomness, so that a killed run is found again by replaying it over the stored
// exchanges.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "base/errors/error.h"
#include "spec/exchange/exchange.h"
#include "spec/ids.h"
#include "spec/run/run_part.h"
#include "spec/score/score.h"
#include "spec/suite/model_ref.h"
#include "text/value.h"

namespace assay {

struct Case;
struct Suite;
struct Variant;
class WorkerState;  // spec/run/worker_state.h

using SlotIndex = std::uint32_t;  // of a step among those of its cell
// The slot of the step that answers, in every case: its value is the Transcript, input 0 of all steps that
// need it.
inline constexpr SlotIndex kAnswerSlot = 0;

// The time that prompts tell: of the first run of a suite or its recording, so that later runs ask in the
// same words.
struct PromptClock {
  std::int64_t ms = 0;  // since 1970; 0: prompts tell no time
  std::int32_t utc_offset_min = 0;
};

// What enters prompts or results from outside, taken once when the run starts and stored with it.
struct RunContext {
  std::string run_id;           // "20261121T104500-3fa9"
  std::int64_t started_ms = 0;  // wall clock, since 1970
  std::int32_t utc_offset_min = 0;
  PromptClock prompts = {};
  std::string run_label;   // the dialect's name of the run, part of file names
  std::string suite_root;  // folder that relative paths of the suite count from
  std::string assay_version;
  std::uint64_t seed = 0;
};

// Key points that were extracted from an ideal, and what the judges say of each.
struct JudgedKeyPoints {
  std::vector<std::string> key_points;
  std::vector<Score> scores;  // one per key point
};

struct Skipped {};  // there was nothing to do

using StepValue = std::variant<Skipped, Transcript, JudgedKeyPoints, Score, AttemptRecord, Value>;

// Somebody whom a step may ask.
struct StepParty {
  RequestRole role = RequestRole::kCandidate;
  const ModelRef* model = nullptr;         // null: a service, or programs
  std::string_view id = {};                // as the suite names the model: of a variant with its suffixes
  const SamplingParams* params = nullptr;  // null: embeddings have none
  std::uint32_t usual = 1;                 // requests, if every reply can be used; at least
  std::uint32_t most = 1;
};

// The requests go out in parallel; replies come back in this order.
struct Need {
  std::vector<PlannedRequest> requests;
  std::vector<std::string> told = {};  // what happened since the last round, for listeners: lines of JSON
};
struct Done {
  StepValue value;
  std::vector<std::string> told = {};  // as of Need
};
struct Failed {
  Error error;
};
using Action = std::variant<Need, Done, Failed>;

// A settled input of a step.
using StepOutcome = std::variant<Done, Failed>;

// What the answer of an attempt took, as its exchanges tell it.
struct AttemptUse {
  std::int64_t duration_us = 0;               // of all its requests, each from its start
  Usage usage = {};                           // what its requests said that they used
  std::optional<std::int64_t> nano_usd = {};  // that the usage costs; absent: some price is not known
  std::string finish_reason = {};             // of its last reply; "" if it says none
};

// What a step keeps between its rounds, so that it need not go through all replies again. Nothing of what it
// comes to depends on it: where there is none, all replies are gone through.
class StepMemory {
 public:
  virtual ~StepMemory() = default;
};

struct StepContext {
  const Suite& suite;
  CaseIndex case_index = 0;
  VariantIndex variant_index = 0;
  AttemptIndex attempt = 0;
  std::span<const StepOutcome* const> inputs;  // in the order of the template; all settled
  const RunContext& run;
  WorkerState& worker;
  RunPart part = RunPart::kRun;
  AttemptUse use = {};  // of the answer, for steps behind it of cases whose checks look at it
  std::unique_ptr<StepMemory>* memory = nullptr;  // from one round to the next; null: there is none

  const Case& TheCase() const;
  const Variant& TheVariant() const;
};

}  // namespace assay
