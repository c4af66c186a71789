// The progress of a run as a status line, as plain lines or as JSON, and how often each of them is shown.
#pragma once

#include <string>

#include "base/clock.h"
#include "cli/settings/shown.h"
#include "cli/terminal/ui.h"
#include "cli/words.h"
#include "run/executor/executor.h"

namespace assay {

// "1,204/2,000 cells · 0:28 left · 40/50 in flight · 31.0/s · 3 errors (2 timeout, 1 network) · ..."
std::string ProgressLine(const Progress& progress, std::chrono::milliseconds elapsed);
// The same as one object of JSON, for programs. docs/cli.md lists its members.
std::string ProgressJson(const Progress& progress, std::chrono::milliseconds elapsed, std::string_view event);

class ProgressDisplay {
 public:
  ProgressDisplay(Ui& ui, const Clock& clock, ProgressMode mode);
  // As often as one likes; shown ten times a second, as a line every few seconds, or as JSON every second.
  void Update(const Progress& progress);
  // What another process keeps the run from, once a minute. As often as one likes; not as JSON, where it is
  // part of `waits_for`.
  void UpdateElsewhere(const Progress& progress);
  // The last word of a run.
  void End(const Progress& progress);

 private:
  std::chrono::milliseconds Elapsed() const;

  Ui& ui_;
  const Clock& clock_;
  ProgressMode mode_;
  TimePoint started_;
  TimePoint next_;
  std::string elsewhere_;  // as it was told last
  TimePoint next_wait_{};  // when what a stalled run waits for may be told again
};

}  // namespace assay
