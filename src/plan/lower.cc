// Suite -> Plan: binds checks to rows, lays out the slots of each case and names the pools.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/limits.h"
#include "plan/models_of.h"
#include "plan/steps.h"
#include "providers/provider.h"
#include "spec/limits.h"
#include "spec/stored_suite.h"

namespace assay {

namespace {

constexpr std::size_t kServiceWidth = 10;  // calls of services at once, where -j says nothing

// Names of checks that are near those that no check has: each is looked for once, and no more of them than
// problems are kept.
class NearNames {
 public:
  explicit NearNames(const Suite& suite) : suite_(suite) {}

  std::string_view Of(const std::string& written) {
    const auto known = near_.find(written);
    if (known != near_.end()) return known->second;
    if (near_.size() >= limits::kDiagnosticsMax) return {};
    return near_[written] = DidYouMean(written, CheckNames(suite_.dialect));
  }

 private:
  const Suite& suite_;
  std::map<std::string, std::string_view> near_;
};

// Binds one check to its row. What cannot be graded stays in the plan as an error that the reports show.
void BindCheck(const Suite& suite, const Check& check, CasePlan& plan, NearNames& near_names,
               Diagnostics& diagnostics) {
  const CheckRow* row = check.kind == kJudgeKind ? nullptr : FindCheck(check.kind, suite.dialect);
  plan.rows.push_back(row);
  plan.args.emplace_back();
  plan.problems.emplace_back();
  if (check.kind == kJudgeKind) return;
  if (row == nullptr) {
    const std::string& written = check.written.empty() ? check.kind : check.written;
    plan.problems.back() = fmt::format("Unknown point function: '{}'", check.kind);
    if (check.is_told) return;
    const std::string_view near = near_names.Of(written);
    diagnostics.Warning("check.unknown", fmt::format("there is no check named {}", Quoted(written)),
                        check.span,
                        near.empty() ? "`assay list checks` names them all; this point will be an error"
                                     : fmt::format("did you mean \"{}\"? This point will be an error", near));
    return;
  }
  const std::size_t errors_before = diagnostics.ErrorCount();
  plan.args.back() = row->parse({.check = check,
                                 .grading = suite.grading,
                                 .services = suite.services,
                                 .toolchains = suite.toolchains,
                                 .programs = suite.programs,
                                 .refuses_broken = suite.refuses_unusable},
                                diagnostics);
  if (plan.args.back() == nullptr && diagnostics.ErrorCount() == errors_before) {
    plan.problems.back() = "the check's argument could not be used";
  }
}

// A case whose every check is known to fail has no score whatever the answer says.
void WarnOfUnscorable(const Case& the_case, const CasePlan& plan, Diagnostics& diagnostics) {
  const auto is_hopeless = [](const std::string& problem) { return !problem.empty(); };
  // Of one point its own problem says enough.
  if (plan.problems.size() < 2 || !std::all_of(plan.problems.begin(), plan.problems.end(), is_hopeless))
    return;
  diagnostics.Warning("plan.never-scores",
                      fmt::format("case {}: none of its points can be scored", Quoted(the_case.id)),
                      the_case.span, "mend one of them, or remove the case");
}

std::uint32_t GeneratedTurns(const Case& the_case) {
  return static_cast<std::uint32_t>(
      std::count_if(the_case.turns.begin(), the_case.turns.end(),
                    [](const Turn& turn) { return turn.kind == TurnKind::kGenerate; }));
}

std::uint32_t KeyPointRequestsMax(const Suite& suite) {
  const std::size_t per_point =
      suite.judges.size() * (1 + suite.judge_repairs) + (suite.backup_judge ? 1 : 0);
  return static_cast<std::uint32_t>(suite.extractors.size() + limits::kKeyPointsMax * per_point);
}

// How many requests the check's own row makes for one answer at most.
std::uint32_t RequestsOf(const CasePlan& plan, CheckIndex check) {
  return Asks(plan, check) ? plan.rows[check]->max_requests(plan.args[check]) : 0;
}

// generate -> for each check its judges and their backup, or what its row asks -> key points -> embeddings ->
// grade.
void LayOutSlots(const Suite& suite, const Case& the_case, CasePlan& plan) {
  plan.slots.push_back({.kind = StepKind::kGenerate, .inputs = {}, .max_requests = GeneratedTurns(the_case)});
  StepTemplate grade{.kind = StepKind::kGrade, .gate = Gate::kAllSettled, .inputs = {0}};
  for (CheckIndex check = 0; check < the_case.checks.size(); ++check) {
    if (const std::uint32_t requests = RequestsOf(plan, check); requests > 0) {
      grade.inputs.push_back(static_cast<SlotIndex>(plan.slots.size()));
      plan.slots.push_back({.kind = StepKind::kAsk, .check = check, .inputs = {0}, .max_requests = requests});
    }
    if (the_case.checks[check].kind != kJudgeKind) continue;
    StepTemplate backup{.kind = StepKind::kBackup,
                        .gate = Gate::kAllSettled,
                        .check = check,
                        .inputs = {0},
                        .max_requests = 1};
    for (std::uint32_t judge = 0; judge < suite.judges.size(); ++judge) {
      backup.inputs.push_back(static_cast<SlotIndex>(plan.slots.size()));
      grade.inputs.push_back(static_cast<SlotIndex>(plan.slots.size()));
      plan.slots.push_back({.kind = StepKind::kJudge,
                            .check = check,
                            .judge = judge,
                            .inputs = {0},
                            .max_requests = 1 + suite.judge_repairs});
    }
    if (!suite.backup_judge) continue;
    grade.inputs.push_back(static_cast<SlotIndex>(plan.slots.size()));
    plan.slots.push_back(std::move(backup));
  }
  if (the_case.extracts_key_points) {
    grade.inputs.push_back(static_cast<SlotIndex>(plan.slots.size()));
    plan.slots.push_back(
        {.kind = StepKind::kKeyPoints, .inputs = {0}, .max_requests = KeyPointRequestsMax(suite)});
  }
  if (suite.embedder) {
    const auto add = [&](StepKind kind) {
      grade.inputs.push_back(static_cast<SlotIndex>(plan.slots.size()));
      plan.slots.push_back({.kind = kind, .inputs = {0}, .max_requests = 1});
    };
    add(StepKind::kEmbedAnswer);
    if (the_case.ideal && !the_case.ideal->empty()) add(StepKind::kEmbedIdeal);
  }
  plan.slots.push_back(std::move(grade));
}

// The pools of what checks ask for: services, and programs.
void AddCheckPools(const Plan& plan, const PlanOptions& options, std::vector<Pool>& pools) {
  bool asks_services = false;
  bool runs_programs = false;
  for (CaseIndex i = 0; i < plan.suite().cases.size(); ++i) {
    const CasePlan& case_plan = plan.case_plan(i);
    for (const StepTemplate& slot : case_plan.slots) {
      if (slot.kind != StepKind::kAsk) continue;
      (case_plan.rows[slot.check]->asks == RequestRole::kProgram ? runs_programs : asks_services) = true;
    }
  }
  const auto add = [&](RequestRole role, std::size_t width) {
    pools.push_back({.name = PoolName(role, {}), .max_in_flight = std::max<std::size_t>(width, 1)});
  };
  if (asks_services) add(RequestRole::kService, options.max_in_flight.value_or(kServiceWidth));
  if (runs_programs) add(RequestRole::kProgram, options.programs);
}

std::vector<Pool> MakePools(const Plan& plan, const PlanOptions& options) {
  const Suite& suite = plan.suite();
  std::map<std::string, std::string> providers;  // by pool
  for (const PlannedModel& model : ModelsOf(plan))
    providers.emplace(PoolName(model.role, model.ref->provider), model.ref->provider);
  std::vector<Pool> pools;
  for (const auto& [name, provider_name] : providers) {
    const ProviderRow* provider = FindProvider(provider_name);
    std::size_t width = provider == nullptr ? 10 : provider->max_in_flight;
    if (suite.concurrency) width = *suite.concurrency;
    if (options.max_in_flight) width = *options.max_in_flight;
    pools.push_back(
        {.name = name, .max_in_flight = std::clamp<std::size_t>(width, 1, limits::kMaxInFlightMax)});
  }
  AddCheckPools(plan, options, pools);
  return pools;
}

}  // namespace

namespace {

// What makes a suite too big for a plan; "" if nothing does.
std::string SizeProblem(const Suite& suite) {
  // Beside those of its checks a case has: its answers, key points, two embeddings and the grade.
  constexpr std::size_t kOwnSlots = 5;
  const std::size_t slots_of_check = suite.judges.size() + (suite.backup_judge ? 1 : 0);
  std::size_t checks = 0;
  std::size_t slots = 0;
  for (const Case& the_case : suite.cases) {
    checks += the_case.checks.size();
    slots += kOwnSlots;
    for (const Check& check : the_case.checks) slots += check.kind == kJudgeKind ? slots_of_check : 1;
  }
  if (checks > limits::kSuiteChecksMax)
    return fmt::format("the suite has more than {} points", limits::kSuiteChecksMax);
  if (slots > limits::kSuiteSlotsMax)
    return fmt::format("points and judges make more than {} steps", limits::kSuiteSlotsMax);
  return {};
}

}  // namespace

std::shared_ptr<const Plan> Plan::Build(Suite suite, const PlanOptions& options, Diagnostics& diagnostics) {
  auto plan = std::make_shared<Plan>();
  plan->suite_ = std::move(suite);
  plan->verdict_form_ = options.verdict_form;
  const Suite& s = plan->suite_;
  ASSAY_ASSERT(s.attempts >= 1);
  if (const std::string problem = SizeProblem(s); !problem.empty()) {
    diagnostics.Error("plan.limit", problem, s.span, "use fewer cases, points or judges (--limit, --filter)");
    return nullptr;
  }
  NearNames near_names(s);
  plan->cases_.reserve(s.cases.size());
  std::optional<CellGrid> grid = CellGrid::Of(s);
  if (!grid) {
    diagnostics.Error("plan.limit", fmt::format("the run would have more than {} cells", limits::kCellsMax),
                      s.span, "use fewer cases, variants or attempts (--limit, --filter, --attempts)");
    return nullptr;
  }
  plan->grid_ = *std::move(grid);
  for (CaseIndex i = 0; i < s.cases.size(); ++i) {
    const Case& the_case = s.cases[i];
    CasePlan case_plan;
    case_plan.first_step = plan->step_count_;
    for (const Check& check : the_case.checks) BindCheck(s, check, case_plan, near_names, diagnostics);
    WarnOfUnscorable(the_case, case_plan, diagnostics);
    LayOutSlots(s, the_case, case_plan);
    plan->step_count_ += plan->grid_.OfCase(i).size() * case_plan.slots.size();
    plan->cases_.push_back(std::move(case_plan));
  }
  if (diagnostics.HasErrors()) return nullptr;
  plan->pools_ = MakePools(*plan, options);
  return plan;
}

std::vector<StepTemplate> SlotsOf(const Suite& suite, CaseIndex case_index) {
  const Case& the_case = suite.cases[case_index];
  Diagnostics said_when_planned;
  CasePlan plan;
  NearNames near_names(suite);
  for (const Check& check : the_case.checks) BindCheck(suite, check, plan, near_names, said_when_planned);
  LayOutSlots(suite, the_case, plan);
  return std::move(plan.slots);
}

Digest Plan::digest() const { return DigestOf(suite_); }

}  // namespace assay
