// ExecGuard: a small shell process that ends the programs of exec when assay itself is killed. It waits on a
// pipe whose other end only this process holds.
#pragma once

#include <sys/types.h>

#include <string>

#include "io/sandbox/file.h"

namespace assay {

class ExecGuard {
 public:
  ExecGuard() = default;
  ExecGuard(const ExecGuard&) = delete;
  ExecGuard& operator=(const ExecGuard&) = delete;
  ~ExecGuard();  // lets go of everything that was not removed: it is killed

  // `folder` is removed with everything in it when this process ends. Where no guard can be started, programs
  // run without one.
  void Start(const std::string& folder);
  // A process group to end with this process.
  void Add(pid_t group);
  void Remove(pid_t group);

 private:
  void Say(char sign, pid_t group);
  SandboxFd pipe_;
  pid_t pid_ = -1;
};

}  // namespace assay
