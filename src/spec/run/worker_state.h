// WorkerState: what a worker thread owns and lends to the pure functions that it runs, in place of
// thread-local variables: engines that are costly to make, made at first use.
#pragma once

#include <memory>

#include "text/script/script.h"

namespace assay {

class WorkerState {
 public:
  WorkerState() = default;
  WorkerState(const WorkerState&) = delete;
  WorkerState& operator=(const WorkerState&) = delete;

  ScriptEngine& Script() {
    if (!script_) script_ = std::make_unique<ScriptEngine>();
    return *script_;
  }

 private:
  std::unique_ptr<ScriptEngine> script_;
};

}  // namespace assay
