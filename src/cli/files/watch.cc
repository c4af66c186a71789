// Compares the states of files every 200 ms.
#include "cli/files/watch.h"

#include <map>

namespace assay {

namespace {

constexpr std::chrono::milliseconds kLookEvery{200};

}  // namespace

std::optional<std::string> WaitForChange(const WatchedFiles& files, Clock& clock, Inbox& stop) {
  std::map<std::string, FileState> before;  // of the last look, once something has changed
  while (!stop.HasMessages()) {
    if (const std::optional<std::string> changed = files.FindChanged()) {
      std::map<std::string, FileState> now = files.StatesNow();
      if (now == before) return changed;
      before = std::move(now);
    }
    clock.Wait(stop, clock.Now() + kLookEvery);
  }
  return std::nullopt;
}

}  // namespace assay
