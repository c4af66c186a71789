// WriterLock: the lock that one writer of a store holds: an advisory lock on the file `<store>.lock`, which
// contains the writer's pid.
#pragma once

#include <string>
#include <utility>

#include "base/errors/result.h"

namespace assay {

class WriterLock {
 public:
  // Makes the folder of the store where it is missing, and follows no link there. kTimeout: another process
  // writes to it.
  static Result<WriterLock> TakePlaceAt(const std::string& store_path);
  // Whether a writer holds it, on this machine or, where the file system tells, on another. Asked by taking
  // it as a reader would, for an instant: numbers of processes mean nothing elsewhere, and are used again.
  static bool IsTaken(const std::string& store_path);
  WriterLock() = default;
  WriterLock(WriterLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  WriterLock& operator=(WriterLock&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~WriterLock();
  bool IsHeld() const { return file_ >= 0; }

 private:
  static Result<WriterLock> Take(const std::string& store_path);

  int file_ = -1;
};

}  // namespace assay
