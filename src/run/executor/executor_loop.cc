// Handles one message at a time, hands work to workers, store and network, and commits results in groups.
#include "run/executor/executor_loop.h"

#include <algorithm>

#include "base/limits.h"
#include "run/executor/cells/window.h"

namespace assay {

namespace {

constexpr std::size_t kStepsPerJob = 32;
constexpr std::size_t kRowsPerCommit = 256;  // fewer wait for more
constexpr std::chrono::milliseconds kAnswersWait{5};
constexpr std::chrono::milliseconds kCellsWait{200};  // for answers: whoever looks at the run sees them
constexpr std::size_t kExchangesPerCommitMax = 4096;
constexpr std::chrono::milliseconds kProgressEvery{100};
constexpr std::chrono::seconds kStalledAfter{10};
constexpr std::chrono::seconds kSourceEvery{1};  // a source that says "later" is asked again

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
      versions_(DecodeGeneratorVersions(run_.generators).value_or(GeneratorVersions())),
      deps_(std::move(deps)),
      options_(options),
      window_cells_(WindowFor(plan, options)),
      progress_(deps_.before),
      inbox_(limits::kQueueDepthMax),
      board_(plan,
             {.max_errors = RowOf(plan.part()).counts_errors ? options.limits.max_errors : std::nullopt,
              .keeps_records = deps_.on_event != nullptr},
             progress_),
      last_event_(deps_.clock.Now()),
      workers_(options.workers),
      store_(deps_.store, options.store_threading, options.store_link),
      dispatcher_({.plan = plan_,
                   .run = run_,
                   .deps = deps_,
                   .options = options_,
                   .inbox = inbox_,
                   .sink = *this,
                   .workers = workers_,
                   .store = store_,
                   .progress = progress_,
                   .listener = *this}) {
  progress_.cells_total = plan.CellCount();
  CountWork(plan, progress_.work);
  progress_.in_flight_asked = MaxInFlight(plan, options_.limits);
  if (options_.limits.max_time) ends_at_ = last_event_ + *options_.limits.max_time;
}

bool Executor::Loop::Finished() const {
  if (commit_open_ || board_.steps_running() > 0 || dispatcher_.look_ups_open() > 0 ||
      dispatcher_.decoding() > 0)
    return false;
  if (failure_) return true;
  if (waits_for_wire_ && dispatcher_.HasOnWire()) return false;
  if (stopping_) return dispatcher_.answered() == 0 && board_.graded().empty();
  return source_state_ == SourcedCells::State::kEnd && board_.live() == 0 && board_.graded().empty() &&
         !dispatcher_.HasToDiscard();
}

Result<RunEnding> Executor::Loop::Run() {
  ASSAY_TRY(sitting_, deps_.store.BeginSitting(run_.context.run_id, plan_.part(), deps_.clock.WallMs(),
                                               run_.context.assay_version));
  while (true) {
    if (!stopping_ && !failure_) {
      if (deps_.clock.Now() >= ends_at_) Stop(RunEnding::kOutOfTime);
      if (dispatcher_.HasLeft()) {
        has_left_ = stopping_ = true;
        continue;
      }
      AdmitCells();
      dispatcher_.Send();
      SubmitReady();
      dispatcher_.Gather(board_.steps_running() == 0 && !commit_open_);
      SubmitReady();
    }
    SubmitCommit();
    if (Finished()) break;
    deps_.clock.Wait(inbox_, WakeAt());
    for (LoopMessage& message : inbox_.Drain()) Handle(std::move(message));
    dispatcher_.Decode();
    if (std::optional<Error> failed = dispatcher_.TakeFailure()) failure_ = std::move(failed);
    ReportProgress(false);
  }
  deps_.transport.CancelAll();
  deps_.launcher.CancelAll();
  ReportProgress(true);
  if (failure_) return *failure_;
  if (displaced_) return *displaced_;
  if (has_left_) return RunEnding::kServiceDown;
  if (stopping_ && progress_.cells_done < progress_.cells_total) return RunEnding::kInterrupted;
  return dispatcher_.ending();
}

void Executor::Loop::Handle(LoopMessage message) {
  bool is_event = false;
  std::visit(Overload{[&](StepsRun& m) { OnStepsRun(std::move(m)); },
                      [&](LookedUp& m) { is_event = dispatcher_.OnLookedUp(std::move(m)); },
                      [&](Arrived& m) { is_event = dispatcher_.OnArrived(std::move(m)); },
                      [&](RepliesDecoded& m) { is_event = true, dispatcher_.OnDecoded(std::move(m)); },
                      [&](EventLine& m) { is_event = dispatcher_.OnTold(m); },
                      [&](Committed& m) { OnCommitted(std::move(m)); },
                      [&](BatchSaved& m) { dispatcher_.OnBatchSaved(std::move(m)); },
                      [&](StopRequested& m) { Stop(m.why); }},
             message);
  if (is_event) last_event_ = deps_.clock.Now();
}

void Executor::Loop::Stop(RunEnding why) {
  if (why == RunEnding::kInterrupted) {
    stopping_ = true;
    waits_for_wire_ = false;
  } else if (why == RunEnding::kDisplaced) {
    if (!std::exchange(stopping_, true)) waits_for_wire_ = true;
  } else {
    dispatcher_.Close(why);
  }
}

TimePoint Executor::Loop::WakeAt() const {
  TimePoint deadline = deps_.on_progress ? next_progress_ : kNever;
  if (stopping_ || failure_) return deadline;
  const TimePoint now = deps_.clock.Now();
  deadline = std::min({deadline, dispatcher_.NextAt(), gather_until_});
  if (ends_at_ > now) deadline = std::min(deadline, ends_at_);
  if (source_state_ == SourcedCells::State::kLater) deadline = std::min(deadline, now + kSourceEvery);
  return deadline;
}

void Executor::Loop::AdmitCells() {
  while (board_.live() < window_cells_ && source_state_ != SourcedCells::State::kEnd) {
    const SourcedCells next = deps_.source.Next(window_cells_ - board_.live());
    source_state_ = next.state;
    for (const CellIndex cell : next.cells) board_.Admit(cell);
    if (next.state == SourcedCells::State::kLater) return;
  }
}

void Executor::Loop::SubmitReady() {
  const std::vector<ReadyStep> ready = board_.TakeReady();
  for (std::size_t start = 0; start < ready.size(); start += kStepsPerJob) {
    const auto first = ready.begin() + static_cast<std::ptrdiff_t>(start);
    const auto size = static_cast<std::ptrdiff_t>(std::min(kStepsPerJob, ready.size() - start));
    workers_.Submit([this, batch = std::vector<ReadyStep>(first, first + size)](WorkerState& worker) {
      const StepWorld world{.plan = plan_,
                            .run = run_.context,
                            .documents = deps_.documents,
                            .router = deps_.router,
                            .versions = versions_,
                            .columns_of = deps_.columns_of,
                            .models = deps_.models,
                            .keeps_records = deps_.on_event != nullptr};
      StepsRun message;
      message.results.reserve(batch.size());
      for (const auto& [cell, slot] : batch) message.results.push_back(RunStep(world, *cell, slot, worker));
      inbox_.PushUnbounded(std::move(message));
    });
  }
}

void Executor::Loop::OnStepsRun(StepsRun message) {
  for (StepResult& result : message.results) {
    TellOfStep(result);
    for (Question& question : board_.OnStepRun(std::move(result))) dispatcher_.Ask(std::move(question));
  }
  deps_.source.Retired(board_.TakeRetired());
  if (board_.HasTooManyErrors()) Stop(RunEnding::kTooManyErrors);
}

// Whether what there is to commit waits for more, since a transaction costs as much as many rows in it:
// answers a moment, as a kill would lose them; cells longer, since they are graded again for nothing.
bool Executor::Loop::MayGather() {
  const bool idle =
      board_.steps_running() == 0 && dispatcher_.look_ups_open() == 0 && !dispatcher_.HasOnWire();
  if (idle || stopping_) return false;
  if (dispatcher_.answered() + board_.graded().results.size() >= kRowsPerCommit) return false;
  // Whoever listens wants to hear of a cell at once.
  if (deps_.on_event && !board_.graded().empty()) return false;
  const TimePoint now = deps_.clock.Now();
  gather_until_ = std::min(gather_until_, now + (dispatcher_.answered() == 0 ? kCellsWait : kAnswersWait));
  return now < gather_until_;
}

// An exchange is in the store before any step sees it.
void Executor::Loop::SubmitCommit() {
  if (commit_open_ || failure_ || (dispatcher_.answered() == 0 && board_.graded().empty())) return;
  if (MayGather()) return;
  commit_open_ = true;
  gather_until_ = kNever;
  auto graded = std::make_shared<Graded>(board_.TakeGraded());
  store_.Submit([this, exchanges = dispatcher_.TakeAnswered(kExchangesPerCommitMax), graded,
                 sent = dispatcher_.TakeSent(), number = ++commits_,
                 at_ms = deps_.clock.WallMs()](Store& store) mutable {
    Committed message{
        .exchanges = store.Commit(
            sitting_, number,
            {.exchanges = std::move(exchanges), .cells = graded->results, .sent = sent, .at_ms = at_ms})};
    message.cells.reserve(graded->results.size());
    for (const CellResult& cell : graded->results) message.cells.push_back(cell.cell);
    message.told = std::move(graded->told);
    inbox_.PushUnbounded(std::move(message));
  });
}

void Executor::Loop::OnCommitted(Committed message) {
  commit_open_ = false;
  if (!message.exchanges) {
    // Of a seat that was given away the store has kept the answers.
    const bool is_displaced = message.exchanges.error().code == ErrorCode::kRefused;
    if (is_displaced) Stop(RunEnding::kDisplaced);
    (is_displaced && waits_for_wire_ ? displaced_ : failure_) = std::move(message.exchanges).error();
    return;
  }
  deps_.source.Done(message.cells);
  for (const GradedCell& cell : message.told) {
    deps_.on_event({.kind = RunEvent::Kind::kGraded, .cell = cell.address, .record = cell.record.get()});
  }
  dispatcher_.OnCommitted(*std::move(message.exchanges));
}

void Executor::Loop::Deliver(Completion completion) {
  std::visit(
      [&](auto& reply) {
        inbox_.PushUnbounded(Arrived{.ticket = completion.ticket, .reply = std::move(reply)});
      },
      completion.reply);
}

void Executor::Loop::Tell(Ticket ticket, std::string_view line) {
  if (deps_.on_event) inbox_.PushUnbounded(EventLine{.ticket = ticket, .line = std::string(line)});
}

// Of a cell is told once that it was asked, before whatever happened in it so far. A cell that is found again
// is told of once it is graded.
void Executor::Loop::OnCall(const Call& call, RunEvent::Kind kind, std::string_view line) {
  if (!deps_.on_event) return;
  LiveCell& cell = *call.waiters.front().cell;
  if (kind == RunEvent::Kind::kAsked && std::exchange(cell.was_asked, true)) return;
  const RequestTag& tag = call.prepared.tag;
  deps_.on_event({.kind = kind,
                  .cell = {.case_index = tag.case_index, .variant = tag.variant, .attempt = tag.attempt},
                  .role = tag.role,
                  .line = line});
  if (kind != RunEvent::Kind::kAsked) return;
  for (const std::string& told : std::exchange(cell.to_tell, {}))
    deps_.on_event({.kind = RunEvent::Kind::kTold, .cell = cell.address, .line = told});
}

void Executor::Loop::TellOfStep(StepResult& result) {
  if (!deps_.on_event) return;
  LiveCell& cell = *result.cell;
  for (std::string& line : result.told) {
    if (cell.was_asked) {
      deps_.on_event({.kind = RunEvent::Kind::kTold, .cell = cell.address, .line = line});
    } else {
      cell.to_tell.push_back(std::move(line));
    }
  }
}

void Executor::Loop::ReportProgress(bool now) {
  if (!deps_.on_progress) return;
  const TimePoint time = deps_.clock.Now();
  if (!now && time < next_progress_) return;
  next_progress_ = time + kProgressEvery;
  progress_.waits_for.clear();
  if (time - last_event_ >= kStalledAfter && !now) {
    progress_.waits_for = dispatcher_.WaitsFor(time);
    if (commit_open_) progress_.waits_for += progress_.waits_for.empty() ? "the store" : "; the store";
  }
  deps_.on_progress(progress_);
}

}  // namespace assay
