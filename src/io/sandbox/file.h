// SandboxFd: a file descriptor that closes itself.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace assay {

class SandboxFd {
 public:
  SandboxFd() = default;
  explicit SandboxFd(int fd) : fd_(fd) {}
  SandboxFd(SandboxFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  SandboxFd& operator=(SandboxFd&& other) noexcept;
  ~SandboxFd() { Close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void Close();

 private:
  int fd_ = -1;
};

struct SandboxPipe {
  SandboxFd read;
  SandboxFd write;
};
// Both ends closed where the system has no more.
SandboxPipe OpenPipe();
SandboxPipe OpenSocketPair();  // of packets; either end does either

// A file in memory that holds `bytes`.
SandboxFd OpenMemoryFile(const char* name, std::string_view bytes);

}  // namespace assay
