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

#include "base/diagnostics.h"
#include "base/hash.h"
#include "checks/check.h"
#include "checks/judge/judge.h"
#include "spec/cell_grid.h"
#include "spec/step.h"
#include "spec/suite.h"

namespace assay {

using StepIndex = std::uint64_t;  // cell-major, then slot
using PoolIndex = std::uint32_t;

enum class StepKind : std::uint8_t {
  kGenerate,
  kJudge,
  kBackup,
  kKeyPoints,
  kEmbedAnswer,
  kEmbedIdeal,
  kAsk,
  kGrade
};
std::string_view StepKindName(StepKind kind);  // "generate", "judge", "key points", ...

enum class Gate : std::uint8_t {
  kAllDone,     // a failed input fails the step unrun
  kAllSettled,  // runs on whatever came of its inputs
};

struct StepTemplate {
  StepKind kind = StepKind::kGenerate;
  Gate gate = Gate::kAllDone;
  CheckIndex check = 0;            // kJudge, kBackup, kAsk
  std::uint32_t judge = 0;         // kJudge: index into Suite::judges
  std::vector<SlotIndex> inputs;   // lower slots of the same cell
  std::uint32_t max_requests = 0;  // bound over all rounds
};

struct StepAddress {
  CellAddress cell;
  SlotIndex slot = 0;
  friend bool operator==(const StepAddress&, const StepAddress&) = default;
};

// A case after lowering: its slots and its checks bound to rows of the check table.
struct CasePlan {
  std::vector<StepTemplate> slots;    // slot 0 generates, the last slot grades
  std::vector<const CheckRow*> rows;  // per check; null: judged, or no such check (then `problems` says so)
  std::vector<CheckArgs> args;        // per check; null where the row could not parse them
  std::vector<std::string> problems;  // per check: why it cannot be graded; "" if it can
  StepIndex first_step = 0;
};

// A named limit. Requests of one provider (or of all judges, or embedders, of a provider, or of all services,
// or of all programs) share one.
struct Pool {
  std::string name;  // "openai", "judge:openai", "embed:openai", "service", "program"
  std::size_t max_in_flight = 0;
};
std::string PoolName(RequestRole role, std::string_view provider);

struct PlanOptions {
  std::optional<std::size_t> max_in_flight;       // -j; replaces the suite's own `concurrency`
  std::size_t programs = 1;                       // that run at once: one per core
  VerdictForm verdict_form = VerdictForm::kTags;  // of all judges
};

class Plan {
 public:
  // Lowers the suite: checks arguments (all problems go to `diagnostics`, at their places), makes templates,
  // pools and the digest. Nothing if an error was found.
  static std::shared_ptr<const Plan> Build(Suite suite, const PlanOptions& options, Diagnostics& diagnostics);

  const Suite& suite() const { return suite_; }
  VerdictForm verdict_form() const { return verdict_form_; }
  const CasePlan& case_plan(CaseIndex index) const { return cases_[index]; }
  std::span<const Pool> pools() const { return pools_; }
  PoolIndex PoolOf(RequestRole role, std::string_view provider) const;
  // Addresses the content of the suite and of everything that decides its steps: the same digest, the same
  // plan; what this machine has is no part of it. Hashed anew at each call: `check` never asks, a run asks
  // once.
  Digest digest() const;

  const CellGrid& grid() const { return grid_; }
  CellIndex CellCount() const { return grid_.count(); }
  StepIndex StepCount() const { return step_count_; }
  CellAddress CellAt(CellIndex index) const { return grid_.At(index); }
  CellIndex IndexOf(const CellAddress& address) const { return grid_.IndexOf(address); }
  StepAddress StepAt(StepIndex index) const;
  StepIndex IndexOf(const StepAddress& address) const;
  // "capital-of-france / openai:gpt-4o / 1 / judge 0.2": made when printed, never stored.
  std::string StepName(StepIndex index) const;

 private:
  Suite suite_;
  CellGrid grid_;  // of suite_
  std::vector<CasePlan> cases_;
  std::vector<Pool> pools_;
  VerdictForm verdict_form_ = VerdictForm::kTags;
  StepIndex step_count_ = 0;
};

// The plan's own suite, which lives as long as somebody holds it.
inline std::shared_ptr<const Suite> SuiteOf(std::shared_ptr<const Plan> plan) {
  const Suite* suite = &plan->suite();
  return {std::move(plan), suite};
}

// The slots of one case, as a plan of the suite has them.
std::vector<StepTemplate> SlotsOf(const Suite& suite, CaseIndex case_index);

// What was said in an attempt whose generating step used these exchanges: its Transcript, or a Need if one is
// missing.
Action ReplayAnswer(const StepContext& context, std::span<const Exchange> so_far);

// The step function of a template: what it does next, given what has been said. Pure; any thread.
Action NextOf(const Plan& plan, const StepTemplate& step, const StepContext& context,
              std::span<const Exchange> so_far);

}  // namespace assay
