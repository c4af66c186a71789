// StoreThread: runs look-ups and commits in the order they were submitted, so that the loop never waits for
// the disk. Inline (no thread) for simulations.
#pragma once

#include <functional>
#include <thread>

#include "base/bounded_queue.h"
#include "store/store.h"

namespace assay {

enum class Threading { kInline, kThread };
// Of simulations without a thread: does each job at once or, while a server cannot be reached, later, in
// their order.
using JobLink = std::function<void(std::function<void()> job)>;

class StoreThread {
 public:
  using Job = std::function<void(Store&)>;
  StoreThread(Store& store, Threading threading, JobLink link = {});
  ~StoreThread();  // finishes the jobs that were submitted
  StoreThread(const StoreThread&) = delete;
  StoreThread& operator=(const StoreThread&) = delete;
  void Submit(Job job);

 private:
  Store& store_;
  const JobLink link_;
  BoundedQueue<Job> jobs_;
  std::jthread thread_;
};

}  // namespace assay
