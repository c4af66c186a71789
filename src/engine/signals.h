// StopSignals: SIGINT, SIGTERM and SIGHUP turn into a call on another thread; the first asks a run to stop, a
// second SIGINT or SIGTERM ends the program as usual. A SIGHUP that is ignored (nohup) stays so.
#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace assay {

class StopSignals {
 public:
  // Blocks the signals in the calling thread and in those that it starts; call it before any is started.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  // From now on the first signal calls `stop`, from another thread. Once.
  void Watch(std::function<void()> stop);
  // No call of `stop` comes after this returns.
  void EndWatch();
  // Whether a signal came during a watch that has ended; what was to stop may have been done already.
  bool came() const { return came_; }

 private:
  bool came_ = false;
  std::jthread watcher_;
};

// While it lives, the signals end the program as usual, whoever else waits for them.
class UsualSignals {
 public:
  UsualSignals();
  ~UsualSignals();
  UsualSignals(const UsualSignals&) = delete;
  UsualSignals& operator=(const UsualSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace assay
