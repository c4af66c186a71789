// SIGINT and SIGTERM as a message: the first asks a run to stop, the second ends the program as usual.
#pragma once

#include <functional>
#include <thread>

namespace assay {

class StopSignals {
 public:
  // Blocks both signals in the calling thread and in those that it starts; call it before any is started.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  // From now on the first signal calls `stop`, from another thread. Once.
  void Watch(std::function<void()> stop);
  // No call of `stop` comes after this returns.
  void EndWatch();

 private:
  std::jthread watcher_;
};

}  // namespace assay
