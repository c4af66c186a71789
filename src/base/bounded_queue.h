// BoundedQueue: bounded queues between threads, with the only mutex of the program. Inbox is its base without
// a type, on which a Clock waits. A queue outlives whoever pushes into it: the reader is woken after the
// lock.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace assay {

class Inbox {
 public:
  virtual ~Inbox() = default;
  bool HasMessages() const {
    std::lock_guard lock(mutex_);
    return count_ > 0 || closed_;
  }
  void WaitUntil(TimePoint deadline) {
    std::unique_lock lock(mutex_);
    const auto ready = [this] { return count_ > 0 || closed_; };
    if (deadline == kNever) {
      readable_.wait(lock, ready);
    } else {
      readable_.wait_until(lock, deadline, ready);
    }
  }

 protected:
  mutable std::mutex mutex_;
  std::condition_variable readable_;
  std::condition_variable writable_;
  std::size_t count_ = 0;
  bool closed_ = false;
};

template <class T>
class BoundedQueue final : public Inbox {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  // Blocks while the queue is full; false once closed (the message is dropped).
  bool Push(T message) {
    {
      std::unique_lock lock(mutex_);
      writable_.wait(lock, [this] { return count_ < capacity_ || closed_; });
      if (closed_) return false;
      messages_.push_back(std::move(message));
      ++count_;
    }
    readable_.notify_one();
    return true;
  }

  // Never blocks and ignores the capacity: for the thread that also drains this queue, which would wait for
  // itself.
  void PushUnbounded(T message) {
    {
      std::lock_guard lock(mutex_);
      messages_.push_back(std::move(message));
      ++count_;
    }
    readable_.notify_one();
  }

  // Blocks for the next message; nothing once closed and empty.
  std::optional<T> Pop() {
    std::optional<T> message;
    {
      std::unique_lock lock(mutex_);
      readable_.wait(lock, [this] { return count_ > 0 || closed_; });
      if (count_ == 0) return message;
      message.emplace(std::move(messages_.front()));
      messages_.pop_front();
      --count_;
    }
    writable_.notify_one();
    return message;
  }

  // Everything that is there, without blocking.
  std::vector<T> Drain() {
    std::vector<T> all;
    {
      std::lock_guard lock(mutex_);
      all.reserve(count_);
      for (T& message : messages_) all.push_back(std::move(message));
      messages_.clear();
      count_ = 0;
    }
    writable_.notify_all();
    return all;
  }

  void Close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    readable_.notify_all();
    writable_.notify_all();
  }

 private:
  std::size_t capacity_;
  std::deque<T> messages_;
};

}  // namespace assay
