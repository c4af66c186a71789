// The progress of a run as a status line, as plain lines or as JSON, and how often each of them is shown.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cli/settings/shown.h"
#include "cli/terminal/ui.h"
#include "engine/words.h"
#include "run/executor/executor.h"

namespace assay {

// From where on the pace of each kind of work counts: from what was done when the first of it was seen to be.
// What comes before, the start of programs among it, says nothing of the rest.
struct PaceStart {
  struct Mark {
    std::chrono::milliseconds at{0};
    std::uint64_t done = 0;
  };
  std::optional<Mark> cells = {};
  std::array<std::optional<Mark>, kWorkKinds> work = {};
  void See(const Progress& progress, std::chrono::milliseconds elapsed);
};

// "1,204/2,000 cells · 0:28 left · 40/50 in flight · 31.0/s · 3 errors (2 timeout, 1 network) · ..."
std::string ProgressLine(const Progress& progress, std::chrono::milliseconds elapsed,
                         const PaceStart& start = {});
// The same as one object of JSON, for programs. docs/cli.md lists its members.
std::string ProgressJson(const Progress& progress, std::chrono::milliseconds elapsed, std::string_view event,
                         const PaceStart& start = {});

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
  PaceStart pace_;
  std::string elsewhere_;  // as it was told last
  TimePoint next_wait_{};  // when what a stalled run waits for may be told again
};

}  // namespace assay
