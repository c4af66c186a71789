// Plan: everything that a run may do, frozen before the first call. Steps are not objects: each case has step
// templates (slots), and a StepIndex is arithmetic over (case, variant, attempt, slot), so a plan of a
// million cells costs what its cases cost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/diagnostics.h"
#include "checks/check.h"
#include "checks/judge/judge.h"
#include "plan/answers/generator.h"
#include "spec/ids.h"
#include "spec/report/cell_grid.h"
#include "spec/run/step.h"

namespace assay {

class Extraction;
struct Suite;

using StepIndex = std::uint64_t;  // cell-major, then slot
using PoolIndex = std::uint32_t;

enum class StepKind : std::uint8_t {
  kGenerate,  // the case's generator; its value is the Transcript
  kAsk,       // the row of a check asks judges, services or programs
  kEmbed,
  kGrade,  // the other checks, and the record of the attempt
};

enum class Gate : std::uint8_t {
  kAllDone,     // a failed input fails the step unrun
  kAllSettled,  // runs on whatever came of its inputs
};

enum class EmbeddedText : std::uint8_t { kAnswer, kIdeal };

struct StepTemplate {
  StepKind kind = StepKind::kGenerate;
  Gate gate = Gate::kAllDone;
  RequestRole asks = RequestRole::kCandidate;  // what for; meaningless of kGrade
  CheckIndex check = 0;                        // kAsk: of CasePlan::checks
  EmbeddedText embeds = EmbeddedText::kAnswer;
  std::vector<SlotIndex> inputs = {};  // lower slots of the same cell
  std::uint32_t max_requests = 0;      // bound over all rounds; 0: the generator knows it of each variant
};

struct StepAddress {
  CellAddress cell;
  SlotIndex slot = 0;
  friend bool operator==(const StepAddress&, const StepAddress&) = default;
};

// A check bound to its row.
struct BoundCheck {
  const CheckRow* row = nullptr;  // null: there is no such check (then `problem` says so)
  CheckArgs args = {};            // null where the row could not parse them
  std::shared_ptr<const Extraction> extraction = nullptr;  // of the answer before it is graded; null: none
  std::string problem = {};                                // why it cannot be graded; "" if it can
  std::uint32_t max_requests = 0;                          // of its step

  // Whether its row asks, in a step of its own.
  bool HasStep() const { return problem.empty() && (row->grade == nullptr || max_requests > 0); }
};

// Who answers, by variant; null where the case does not ask it. Cases that name the same generator share one.
using Answerers = std::vector<const GeneratorRow*>;

// A case after lowering: its slots and its checks bound to rows of the check table. Cases whose checks are
// the same share one.
struct CasePlan {
  std::vector<StepTemplate> slots;  // the last slot grades
  std::shared_ptr<const Answerers> answerers;
  bool reads_use = false;  // a check looks at what the answer took
  const GeneratorRow& AnswererOf(VariantIndex variant) const { return *(*answerers)[variant]; }
  // One per check of the case; or one that gives the scores of all that a case without checks is graded by.
  std::vector<BoundCheck> checks;
};

// A named limit. Requests of one provider (or of all judges, or embedders, of a provider, or of all services,
// or of all programs) share one.
struct Pool {
  std::string name;  // "openai", "judge:openai", "embed:openai", "service", "program"
  std::size_t max_in_flight = 0;
};
std::string PoolName(RequestRole role, std::string_view provider);

// Rows beside those of the tables; of generators also in the place of one of the same name. They outlive
// whatever is made with them.
struct MoreRows {
  std::span<const CheckRow> checks = {};
  std::span<const GeneratorRow> generators = {};
};

struct PlanOptions {
  std::optional<std::size_t> max_in_flight = {};  // -j; replaces the suite's own `concurrency`
  std::size_t programs = 1;                       // that run at once: one per core
  JudgingRules judging = {};                      // of all judges
  RunPart part = RunPart::kRun;
  MoreRows more = {};
  bool despite_errors = false;  // a plan comes back for whoever looks for further problems; nobody runs it
};

class Plan {
 public:
  // Lowers the suite: checks arguments (all problems go to `diagnostics`, at their places), makes templates
  // and pools. Nothing if an error was found (but see PlanOptions::despite_errors).
  static std::shared_ptr<const Plan> Build(Suite suite, const PlanOptions& options, Diagnostics& diagnostics);

  const Suite& suite() const { return *suite_; }
  const JudgingRules& judging() const { return judging_; }
  RunPart part() const { return part_; }  // which part of a run it is
  CaseIndex CaseCount() const { return static_cast<CaseIndex>(cases_.size()); }
  const Case& CaseOf(CaseIndex index) const;
  const Variant& VariantOf(VariantIndex index) const;
  const CasePlan& case_plan(CaseIndex index) const { return *cases_[index]; }
  std::span<const Pool> pools() const { return pools_; }
  PoolIndex PoolOf(RequestRole role, std::string_view provider) const;
  // Whether somebody answers whose row has this trait.
  bool HasAnswerer(bool GeneratorRow::*trait) const;

  const CellGrid& grid() const { return grid_; }
  CellIndex CellCount() const { return grid_.count(); }
  StepIndex StepCount() const { return step_count_; }
  CellAddress CellAt(CellIndex index) const { return grid_.At(index); }
  CellIndex IndexOf(const CellAddress& address) const { return grid_.IndexOf(address); }
  StepAddress StepAt(StepIndex index) const;
  StepIndex IndexOf(const StepAddress& address) const;
  // "capital-of-france / openai:gpt-4o / 1 / judge 2": made when printed, never stored.
  std::string StepName(StepIndex index) const;

 private:
  std::shared_ptr<const Suite> suite_;
  CellGrid grid_;  // of *suite_
  std::vector<std::shared_ptr<const CasePlan>> cases_;
  std::vector<StepIndex> first_steps_;  // by case
  std::vector<Pool> pools_;
  JudgingRules judging_;
  RunPart part_ = RunPart::kRun;
  StepIndex step_count_ = 0;
};

// The plan's own suite, which lives as long as somebody holds it.
inline std::shared_ptr<const Suite> SuiteOf(std::shared_ptr<const Plan> plan) {
  const Suite* suite = &plan->suite();
  return {std::move(plan), suite};
}

// What was said in an attempt whose generating step used these exchanges: its Transcript, or a Need if one is
// missing.
Action ReplayAnswer(const GeneratorRow& row, const StepContext& context, std::span<const Exchange> so_far);

// The step function of a template: what it does next, given what has been said in so many rounds (0: whoever
// replays does not count them). A step that asks for more than its bound, or for a round beyond
// limits::kStepRoundsMax, fails. A generating step is always done: its failure is its transcript's error.
// Pure; any thread.
Action NextOf(const Plan& plan, const StepTemplate& step, const StepContext& context,
              std::span<const Exchange> so_far, std::uint32_t rounds = 0);

}  // namespace assay
