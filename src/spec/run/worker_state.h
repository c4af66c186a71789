// WorkerState: what a worker thread owns and lends to the pure functions that it runs, in place of
// thread-local variables: engines that are costly to make, made at first use.
#pragma once

#include <memory>

#include "text/nunjucks/nunjucks.h"
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
  // Of templates that are filled in while answers are graded; the environment is not theirs to read.
  Nunjucks& Templates() {
    if (!templates_) templates_ = std::make_unique<Nunjucks>(Map());
    return *templates_;
  }

 private:
  std::unique_ptr<ScriptEngine> script_;
  std::unique_ptr<Nunjucks> templates_;
};

}  // namespace assay
