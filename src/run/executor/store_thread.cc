// Runs submitted jobs on one thread, or at once where there is none.
#include "run/executor/store_thread.h"

#include "base/limits.h"
#include "base/thread_name.h"

namespace assay {

StoreThread::StoreThread(Store& store, Threading threading, JobLink link)
    : store_(store), link_(std::move(link)), jobs_(limits::kQueueDepthMax) {
  if (threading == Threading::kInline) return;
  thread_ = std::jthread([this] {
    NameThread("store");
    while (std::optional<Job> job = jobs_.Pop()) (*job)(store_);
  });
}

StoreThread::~StoreThread() { jobs_.Close(); }

void StoreThread::Submit(Job job) {
  if (thread_.joinable()) {
    jobs_.Push(std::move(job));
  } else if (link_) {
    link_([this, job = std::move(job)] { job(store_); });
  } else {
    job(store_);
  }
}

}  // namespace assay
