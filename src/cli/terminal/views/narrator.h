// Tells on the terminal how the sittings of a run go.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/settings/options.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/ui.h"
#include "dialects/dialect.h"
#include "engine/plan/planned.h"
#include "engine/run/ran.h"
#include "engine/run/row_stream.h"
#include "report/decide/until/stop_gate.h"

namespace assay {

// One file, read and planned.
struct RunInput {
  Options options;
  Planned planned;
  std::vector<StopGate> stop_gates = {};                 // of a run that is begun
  std::shared_ptr<const SourceFiles> sources = nullptr;  // what the plan was read from
};

class Narrator {
 public:
  Narrator(Ui& ui, const Clock& clock, const RunInput& input, const RunRecord& record);

  Onlooker AsOnlooker();
  // What failed and what to do about it, for the end of all that is printed; "" if nothing did.
  const std::string& problems() const { return problems_; }
  Status FinishRows() { return rows_ ? rows_->Finish() : Ok(); }

 private:
  void Tell(const RunEvent& event);
  void Say(const std::string& lines);
  void TellProgress(const Progress& progress);
  void TellEnd(const Executor& executor, std::optional<SandboxLevel> sandbox);

  Ui& ui_;
  const Clock& clock_;
  const RunInput& input_;
  std::unique_ptr<RunNarrator> lines_;  // null: the status line tells
  std::optional<RowStream> rows_;
  std::optional<ProgressDisplay> display_;
  std::string problems_;
};

}  // namespace assay
