// The loop: cells and steps.
#include "run/executor/executor_loop.h"

#include <algorithm>

#include "base/limits.h"

namespace assay {

namespace {

constexpr std::size_t kStepsPerJob = 32;
constexpr std::size_t kWindowCellsMin = 256;
constexpr std::size_t kWindowCellsMax = 20'000;
constexpr std::size_t kWindowSpareShare = 4;  // beyond those in flight, this part of them is made ready
constexpr std::chrono::milliseconds kProgressEvery{100};
constexpr std::chrono::seconds kStalledAfter{10};

std::size_t MaxInFlight(const Plan& plan, const RunLimits& limits) {
  std::size_t in_flight = 0;
  for (const Pool& pool : plan.pools()) in_flight += WidthOf(pool, limits);
  return in_flight;
}

// A turn asks one thing after the other: as many are under way as models may be asked at once, so that those
// which have begun come to their end first.
std::size_t WindowOfTurns(const Plan& plan, const RunLimits& limits) {
  std::size_t widest = 1;
  for (const Variant& variant : plan.suite().variants) {
    const PoolIndex pool = plan.PoolOf(RequestRole::kCandidate, variant.provider);
    widest = std::max(widest, WidthOf(plan.pools()[pool], limits));
  }
  return widest + widest / kWindowSpareShare;
}

std::size_t WindowFor(const Plan& plan, const ExecutorOptions& options) {
  if (options.window_cells > 0) return options.window_cells;
  if (options.batches) return kWindowCellsMax;
  if (UsesAgent(plan.suite())) return WindowOfTurns(plan, options.limits);
  const std::size_t in_flight = MaxInFlight(plan, options.limits);
  const std::size_t spare = std::max(in_flight / kWindowSpareShare, kWindowCellsMin);
  return std::min(in_flight + spare, kWindowCellsMax);
}

std::array<Tally, kWorkKinds> WorkOf(const Plan& plan) {
  std::array<Tally, kWorkKinds> work;
  for (CaseIndex i = 0; i < plan.suite().cases.size(); ++i) {
    const CasePlan& case_plan = plan.case_plan(i);
    for (const StepTemplate& step : case_plan.slots) {
      if (const auto kind = WorkKindOf(step))
        work[static_cast<std::size_t>(*kind)].total += plan.grid().OfCase(i).size();
    }
  }
  return work;
}

bool HasAnswer(const LiveCell& cell) {
  const auto* done = std::get_if<Done>(&cell.steps[kAnswerSlot].outcome);
  const auto* transcript = done == nullptr ? nullptr : std::get_if<Transcript>(&done->value);
  return transcript != nullptr && transcript->error.empty();
}

template <class... Handlers>
struct Overload : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overload(Handlers...) -> Overload<Handlers...>;

}  // namespace

Executor::Loop::Loop(const Plan& plan, RunRecord run, ExecutorDeps deps, const ExecutorOptions& options)
    : plan_(plan),
      run_(std::move(run)),
      deps_(std::move(deps)),
      endpoints_(deps_.endpoints == nullptr ? no_endpoints_ : *deps_.endpoints),
      models_(deps_.models == nullptr ? no_models_ : *deps_.models),
      options_(options),
      random_(run_.context.seed),
      to_admit_(plan.grid(), plan.suite()),
      window_cells_(WindowFor(plan, options)),
      acceptance_(models_),
      prompt_cache_(models_),
      inbox_(limits::kQueueDepthMax),
      workers_(options.workers),
      store_(deps_.store, options.store_threading) {
  progress_.cells_total = plan.CellCount();
  progress_.work = WorkOf(plan);
  progress_.in_flight_asked = MaxInFlight(plan, options_.limits);
  for (const Pool& pool : plan.pools()) pools_.emplace_back(WidthOf(pool, options_.limits));
  MakeLimiters();
  if (options_.batches) MakeBatchPools();
  last_event_ = deps_.clock.Now();
  if (options_.limits.max_time) ends_at_ = last_event_ + *options_.limits.max_time;
}

bool Executor::Loop::Finished() const {
  if (commit_open_ || steps_running_ > 0 || look_ups_open_ > 0) return false;
  if (failure_) return true;
  if (stopping_) return answered_.empty() && graded_.empty();
  return admitted_ == plan_.CellCount() && live_.empty() && graded_.empty();
}

Result<RunEnd> Executor::Loop::Run() {
  while (!Finished()) {
    if (!stopping_ && !failure_) {
      AdmitCells();
      OnRetryTimers();
      ReleaseKept();
      SendWaiting();
      SubmitReady();
      SubmitLookUps();
      if (batches_) RunBatches();
    }
    SubmitCommit();
    if (Finished()) break;
    Wait();
    for (LoopMessage& message : inbox_.Drain()) Handle(std::move(message));
    ReportProgress(false);
  }
  deps_.transport.CancelAll();
  if (deps_.launcher != nullptr) deps_.launcher->CancelAll();
  ReportProgress(true);
  if (failure_) return *failure_;
  if (stopping_ && progress_.cells_done < progress_.cells_total) return RunEnd::kInterrupted;
  if (too_many_errors_) return RunEnd::kTooManyErrors;
  if (out_of_time_) return RunEnd::kOutOfTime;
  return budget_spent_ ? RunEnd::kBudgetSpent : RunEnd::kFinished;
}

void Executor::Loop::Handle(LoopMessage message) {
  std::visit(Overload{[this](StepsRun& m) { OnStepsRun(std::move(m)); },
                      [this](LookedUp& m) { OnLookedUp(std::move(m)); },
                      [this](Completion& m) { OnCompletion(std::move(m)); },
                      [this](ToldLine& m) { OnTold(m); }, [this](Committed& m) { OnCommitted(std::move(m)); },
                      [this](BatchSaved& m) { OnBatchSaved(std::move(m)); },
                      [this](StopRequested&) { stopping_ = true; }},
             message);
}

void Executor::Loop::Wait() {
  TimePoint deadline = kNever;
  if (!retries_.empty() && !stopping_) deadline = retries_.begin()->first;
  if (!stopping_) deadline = std::min({deadline, acceptance_.NextRelease(), prompt_cache_.NextRelease()});
  if (!stopping_) {
    for (const LivePool& pool : pools_) {
      if (pool.waiting.empty() || pool.in_flight >= pool.width()) continue;
      const TimePoint ready = std::max(pool.paused_until, pool.ready_at);
      if (ready > deps_.clock.Now()) deadline = std::min(deadline, ready);
    }
  }
  if (batches_ && !stopping_) deadline = std::min(deadline, batches_->NextAt());
  if (ends_at_ > deps_.clock.Now()) deadline = std::min(deadline, ends_at_);
  if (deps_.on_progress) deadline = std::min(deadline, next_progress_);
  deps_.clock.Wait(inbox_, deadline);
}

void Executor::Loop::ReportProgress(bool now) {
  if (!deps_.on_progress) return;
  const TimePoint time = deps_.clock.Now();
  if (!now && time < next_progress_) return;
  next_progress_ = time + kProgressEvery;
  progress_.waits_for = time - last_event_ >= kStalledAfter && !now ? WaitsFor(time) : std::string();
  deps_.on_progress(progress_);
}

void Executor::Loop::AdmitCells() {
  while (live_.size() < window_cells_ && admitted_ < plan_.CellCount()) {
    Admit(*to_admit_.Next());
    ++admitted_;
  }
}

void Executor::Loop::Admit(CellIndex index) {
  auto owned = std::make_unique<LiveCell>();
  LiveCell& cell = *owned;
  cell.index = index;
  cell.address = plan_.CellAt(index);
  cell.plan = &plan_.case_plan(cell.address.case_index);
  cell.steps.resize(cell.plan->slots.size());
  cell.steps_open = cell.steps.size();
  live_.emplace(index, std::move(owned));
  for (SlotIndex slot = 0; slot < cell.steps.size(); ++slot) {
    cell.steps[slot].inputs_open = static_cast<std::uint32_t>(cell.plan->slots[slot].inputs.size());
    if (cell.steps[slot].inputs_open == 0) MakeReady(cell, slot);
  }
}

void Executor::Loop::MakeReady(LiveCell& cell, SlotIndex slot) {
  cell.steps[slot].state = StepState::kReady;
  ready_.emplace_back(&cell, slot);
}

void Executor::Loop::SubmitReady() {
  for (std::size_t start = 0; start < ready_.size(); start += kStepsPerJob) {
    const std::size_t end = std::min(start + kStepsPerJob, ready_.size());
    std::vector<std::pair<LiveCell*, SlotIndex>> batch(ready_.begin() + static_cast<std::ptrdiff_t>(start),
                                                       ready_.begin() + static_cast<std::ptrdiff_t>(end));
    steps_running_ += batch.size();
    for (const auto& [cell, slot] : batch) cell->steps[slot].state = StepState::kRunning;
    workers_.Submit([this, batch = std::move(batch)](WorkerState& worker) {
      const StepWorld world{.plan = plan_,
                            .run = run_.context,
                            .corpus = deps_.corpus,
                            .router = deps_.router,
                            .columns_of = deps_.columns_of,
                            .keeps_records = deps_.on_event != nullptr};
      StepsRun message;
      message.results.reserve(batch.size());
      for (const auto& [cell, slot] : batch) {
        message.results.push_back(RunStep(world, *cell, slot, worker));
      }
      inbox_.PushUnbounded(std::move(message));
    });
  }
  ready_.clear();
}

void Executor::Loop::OnStepsRun(StepsRun message) {
  steps_running_ -= message.results.size();
  for (StepResult& result : message.results) OnStepRun(std::move(result));
}

void Executor::Loop::OnStepRun(StepResult result) {
  LiveCell& cell = *result.cell;
  if (deps_.on_event) {
    for (std::string& line : result.told) {
      if (cell.was_asked) {
        deps_.on_event({.kind = RunEvent::Kind::kTold, .cell = cell.address, .line = line});
      } else {
        cell.to_tell.push_back(std::move(line));
      }
    }
  }
  if (std::holds_alternative<Need>(result.action)) {
    Ask(cell, result.slot, std::move(result.requests));
    return;
  }
  const bool is_last = result.slot + 1 == cell.steps.size();
  if (auto* failed = std::get_if<Failed>(&result.action)) {
    Settle(cell, result.slot, std::move(*failed));
  } else {
    Settle(cell, result.slot, std::move(std::get<Done>(result.action)));
  }
  if (is_last) Retire(cell, std::move(result));
}

void Executor::Loop::Settle(LiveCell& cell, SlotIndex slot, StepOutcome outcome) {
  LiveStep& step = cell.steps[slot];
  ASSAY_ASSERT(step.state != StepState::kSettled);
  step.outcome = std::move(outcome);
  step.state = StepState::kSettled;
  --cell.steps_open;
  if (const auto kind = WorkKindOf(cell.plan->slots[slot]))
    ++progress_.work[static_cast<std::size_t>(*kind)].done;
  SettleDependants(cell, slot);
}

void Executor::Loop::SettleDependants(LiveCell& cell, SlotIndex slot) {
  const bool failed = std::holds_alternative<Failed>(cell.steps[slot].outcome);
  for (SlotIndex next = slot + 1; next < cell.steps.size(); ++next) {
    const StepTemplate& step = cell.plan->slots[next];
    if (cell.steps[next].state != StepState::kWaiting) continue;
    if (std::find(step.inputs.begin(), step.inputs.end(), slot) == step.inputs.end()) continue;
    --cell.steps[next].inputs_open;
    if (failed && step.gate == Gate::kAllDone) {
      Settle(cell, next, Failed{{ErrorCode::kCancelled, "not asked: what it builds on failed"}});
    } else if (cell.steps[next].inputs_open == 0) {
      MakeReady(cell, next);
    }
  }
}

// A cell whose answer was not asked for stays without scores: it counts as skipped. What was asked of it is
// kept.
void Executor::Loop::Retire(LiveCell& cell, StepResult result) {
  ASSAY_ASSERT(cell.steps_open == 0);
  ++progress_.cells_done;
  if (cell.was_paid) ++progress_.cells_paid;
  CellResult graded{.cell = options_.first_cell + cell.index, .scores = {}, .steps = {}};
  if (!cell.answer_cut) {
    graded.scores = std::move(result.scores);
    graded.columns = result.columns;
  }
  for (SlotIndex slot = 0; slot < cell.steps.size(); ++slot) {
    if (cell.steps[slot].so_far.empty()) continue;
    StepExchanges& step = graded.steps.emplace_back();
    step.slot = slot;
    for (const Exchange& exchange : cell.steps[slot].so_far) {
      if (exchange.id != 0) step.exchanges.push_back(exchange.id);
    }
  }
  if (deps_.on_event) {
    told_.push_back(
        {.address = cell.address, .record = cell.answer_cut ? nullptr : std::move(result.record)});
  }
  if (cell.answer_cut) {
    ++progress_.cells_skipped;
    if (!graded.steps.empty()) graded_.push_back(std::move(graded));
    live_.erase(cell.index);
    return;
  }
  graded_.push_back(std::move(graded));
  if (!HasAnswer(cell)) ++progress_.cells_failed;
  if (result.is_error && !cell.was_cut) ++progress_.cells_errors;
  const std::optional<ErrorLimit>& limit = options_.limits.max_errors;
  if (limit && limit->IsExceeded(progress_.cells_errors, plan_.CellCount())) too_many_errors_ = true;
  live_.erase(cell.index);
}

}  // namespace assay
