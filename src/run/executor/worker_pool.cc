// Threads that take jobs from a queue until it is closed.
#include "run/executor/worker_pool.h"

#include "base/limits.h"
#include "base/thread_name.h"

namespace assay {

WorkerPool::WorkerPool(std::size_t threads) : jobs_(limits::kQueueDepthMax) {
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] {
      NameThread("worker");
      WorkerState state;
      while (std::optional<Job> job = jobs_.Pop()) (*job)(state);
    });
  }
}

WorkerPool::~WorkerPool() { jobs_.Close(); }

void WorkerPool::Submit(Job job) {
  if (threads_.empty()) {
    job(inline_state_);
  } else {
    jobs_.Push(std::move(job));
  }
}

}  // namespace assay
