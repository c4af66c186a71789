// Duplicates descriptors to numbers from 10 on, so that the small numbers of a new process stay free for it.
#include "io/sandbox/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace assay {

namespace {

constexpr int kFirstNumber = 10;

SandboxFd Raise(int fd) {
  if (fd < 0 || fd >= kFirstNumber) return SandboxFd(fd);
  const int raised = fcntl(fd, F_DUPFD_CLOEXEC, kFirstNumber);
  close(fd);
  return SandboxFd(raised);
}

}  // namespace

SandboxFd& SandboxFd::operator=(SandboxFd&& other) noexcept {
  if (this != &other) {
    Close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void SandboxFd::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

SandboxPipe OpenPipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  SandboxPipe pipe{Raise(ends[0]), Raise(ends[1])};
  fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

SandboxPipe OpenSocketPair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return {};
  return {Raise(ends[0]), Raise(ends[1])};
}

SandboxFd OpenMemoryFile(const char* name, std::string_view bytes) {
  SandboxFd file = Raise(memfd_create(name, MFD_CLOEXEC));
  while (file.is_open() && !bytes.empty()) {
    const ssize_t count = write(file.get(), bytes.data(), bytes.size());
    if (count <= 0) file.Close();
    bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return file;
}

}  // namespace assay
