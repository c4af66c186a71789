// LauncherHost: the launcher's side of a sandbox host process; starts it, sends it runs, and ends it.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "base/errors/result.h"
#include "io/sandbox/file.h"
#include "io/sandbox/filter.h"
#include "io/sandbox/sandbox.h"
#include "io/sandbox/wire.h"

namespace assay {

// What hosts of one level have in common.
struct HostKind {
  SandboxLevel level = SandboxLevel::kNamespaces;
  SandboxFilters filters;
  std::string folder;  // for work folders, without namespaces
  int landlock_most = 0;
  std::chrono::milliseconds end_most{0};
  SandboxFd program;  // the host's executable
};

Result<HostKind> MakeHostKind(SandboxLevel level);  // without a folder

class LauncherHost {
 public:
  static Result<LauncherHost> Start(const HostKind& kind, SandboxSetup setup);
  LauncherHost(SandboxFd control, int pid, const HostKind& kind)
      : control_(std::move(control)), pid_(pid), level_(kind.level), end_most_(kind.end_most) {}
  LauncherHost(LauncherHost&& other) noexcept;
  LauncherHost& operator=(LauncherHost&&) = delete;
  ~LauncherHost();  // ends it and everything below it

  int control() const { return control_.get(); }
  // Reads the host's hello, once there is something to read; kUnsupported if it says that it cannot work, kIo
  // if it is gone.
  Status ReadHello();
  // Whether it is asked about calls that only it can judge. After the hello.
  bool has_listener() const { return has_listener_; }
  // `files` as wire.h orders them, and which of its optional ones are there. False: it is gone.
  bool Send(std::span<const int> files, std::uint8_t optional);

 private:
  SandboxFd control_;
  int pid_ = -1;
  SandboxLevel level_;
  std::chrono::milliseconds end_most_;
  bool is_ready_ = false;  // it has said hello, and may have started programs
  bool has_listener_ = false;
};

}  // namespace assay
