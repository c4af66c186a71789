// The public functions of Executor, which call its loop.
#include "run/executor/executor.h"

#include "run/executor/executor_loop.h"

namespace assay {

Executor::Executor(const Plan& plan, RunRecord run, ExecutorDeps deps, const ExecutorOptions& options)
    : loop_(std::make_unique<Loop>(plan, std::move(run), std::move(deps), options)) {}

Executor::~Executor() = default;

Result<RunEnding> Executor::Run() { return loop_->Run(); }
void Executor::RequestStop(RunEnding why) { loop_->RequestStop(why); }
void Executor::Break(std::span<const BrokenModel> models) { loop_->Break(models); }
std::vector<Exchange> Executor::TakeHeld() { return loop_->TakeHeld(); }
const Progress& Executor::progress() const { return loop_->progress(); }
const Findings& Executor::findings() const { return loop_->findings(); }
const Breakers& Executor::breakers() const { return loop_->breakers(); }

}  // namespace assay
