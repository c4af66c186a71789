// The loop: cells and steps.
#include "run/executor_loop.h"

#include <algorithm>

#include "base/limits.h"

namespace assay {

namespace {

constexpr std::size_t kStepsPerJob = 32;
constexpr std::size_t kWindowCellsMin = 256;
constexpr std::size_t kWindowCellsMax = 20'000;
constexpr std::chrono::milliseconds kProgressEvery{100};

std::size_t WindowFor(const Plan& plan, const ExecutorOptions& options) {
  if (options.window_cells > 0) return options.window_cells;
  std::size_t in_flight = 0;
  for (const Pool& pool : plan.pools()) in_flight += pool.max_in_flight;
  return std::clamp(2 * in_flight, kWindowCellsMin, kWindowCellsMax);
}

bool HasAnswer(const LiveCell& cell) {
  const auto* done = std::get_if<Done>(&cell.steps.front().outcome);
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
      options_(options),
      random_(run_.context.seed),
      window_cells_(WindowFor(plan, options)),
      inbox_(limits::kQueueDepthMax),
      workers_(options.workers),
      store_(deps_.store, options.store_threading) {
  progress_.cells_total = plan.CellCount();
  for (const Pool& pool : plan.pools()) pools_.emplace_back(pool.max_in_flight);
}

bool Executor::Loop::Finished() const {
  if (commit_open_ || steps_running_ > 0 || look_ups_open_ > 0) return false;
  if (failure_) return true;
  if (stopping_) return answered_.empty() && graded_.empty();
  return next_cell_ == plan_.CellCount() && live_.empty() && graded_.empty();
}

Result<RunEnd> Executor::Loop::Run() {
  while (!Finished()) {
    if (!stopping_ && !failure_) {
      AdmitCells();
      OnRetryTimers();
      SubmitReady();
      SubmitLookUps();
      SendWaiting();
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
  return stopping_ && progress_.cells_done < progress_.cells_total ? RunEnd::kInterrupted : RunEnd::kFinished;
}

void Executor::Loop::Handle(LoopMessage message) {
  std::visit(Overload{[this](StepsRun& m) { OnStepsRun(std::move(m)); },
                      [this](LookedUp& m) { OnLookedUp(std::move(m)); },
                      [this](Completion& m) { OnCompletion(std::move(m)); },
                      [this](Committed& m) { OnCommitted(std::move(m)); },
                      [this](StopRequested&) { stopping_ = true; }},
             message);
}

void Executor::Loop::Wait() {
  TimePoint deadline = kNever;
  if (!retries_.empty() && !stopping_) deadline = retries_.begin()->first;
  if (!stopping_) {
    for (const LivePool& pool : pools_) {
      const bool is_paused = !pool.waiting.empty() && pool.paused_until > deps_.clock.Now();
      if (is_paused) deadline = std::min(deadline, pool.paused_until);
    }
  }
  if (deps_.on_progress) deadline = std::min(deadline, next_progress_);
  deps_.clock.Wait(inbox_, deadline);
}

void Executor::Loop::ReportProgress(bool now) {
  if (!deps_.on_progress) return;
  const TimePoint time = deps_.clock.Now();
  if (!now && time < next_progress_) return;
  next_progress_ = time + kProgressEvery;
  deps_.on_progress(progress_);
}

void Executor::Loop::AdmitCells() {
  while (live_.size() < window_cells_ && next_cell_ < plan_.CellCount()) Admit(next_cell_++);
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
      StepsRun message;
      message.results.reserve(batch.size());
      for (const auto& [cell, slot] : batch) {
        message.results.push_back(
            RunStep(plan_, run_.context, deps_.corpus, deps_.router, *cell, slot, worker));
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
  if (is_last) Retire(cell, std::move(result.scores));
}

void Executor::Loop::Settle(LiveCell& cell, SlotIndex slot, StepOutcome outcome) {
  LiveStep& step = cell.steps[slot];
  ASSAY_ASSERT(step.state != StepState::kSettled);
  step.outcome = std::move(outcome);
  step.state = StepState::kSettled;
  --cell.steps_open;
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

void Executor::Loop::Retire(LiveCell& cell, std::string scores) {
  ASSAY_ASSERT(cell.steps_open == 0);
  CellResult graded{.cell = options_.first_cell + cell.index, .scores = std::move(scores), .steps = {}};
  for (SlotIndex slot = 0; slot < cell.steps.size(); ++slot) {
    if (cell.steps[slot].so_far.empty()) continue;
    StepExchanges& step = graded.steps.emplace_back();
    step.slot = slot;
    for (const Exchange& exchange : cell.steps[slot].so_far) {
      if (exchange.id != 0) step.exchanges.push_back(exchange.id);
    }
  }
  graded_.push_back(std::move(graded));
  ++progress_.cells_done;
  if (!HasAnswer(cell)) ++progress_.cells_failed;
  live_.erase(cell.index);
}

}  // namespace assay
