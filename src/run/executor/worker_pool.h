// The worker pool: a fixed number of threads, each with its own WorkerState, running pure jobs. With no
// threads, jobs run inside Submit, which makes a simulation deterministic.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/bounded_queue.h"
#include "spec/run/worker_state.h"

namespace assay {

class WorkerPool {
 public:
  using Job = std::function<void(WorkerState&)>;

  explicit WorkerPool(std::size_t threads);
  ~WorkerPool();  // finishes the jobs that were submitted
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Submit(Job job);
  std::size_t width() const { return threads_.empty() ? 1 : threads_.size(); }

 private:
  BoundedQueue<Job> jobs_;
  WorkerState inline_state_;
  std::vector<std::jthread> threads_;
};

}  // namespace assay
