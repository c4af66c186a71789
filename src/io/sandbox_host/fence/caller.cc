// Reads memory, descriptors and paths of a stopped thread through /proc, with the rights of the program's
// user.
#include "io/sandbox_host/fence/caller.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "io/sandbox_host/processes/processes.h"

namespace assay {

namespace {

constexpr std::uint64_t kPageBytes = 4096;

// The number behind "/proc/self/fd/" and its like, where a path ends with it; -1 for other paths.
int DescriptorOf(std::string_view path, pid_t thread) {
  const std::string own = "/proc/" + std::to_string(thread) + "/fd/";
  const std::string process = "/proc/" + std::to_string(StatusField(thread, "Tgid")) + "/fd/";
  for (const std::string_view begin :
       {std::string_view("/proc/self/fd/"), std::string_view("/proc/thread-self/fd/"),
        std::string_view("/dev/fd/"), std::string_view(own), std::string_view(process)}) {
    if (!path.starts_with(begin)) continue;
    path.remove_prefix(begin.size());
    const bool is_number = !path.empty() && path.size() < 7 &&
                           std::all_of(path.begin(), path.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? std::stoi(std::string(path)) : -1;
  }
  return -1;
}

}  // namespace

std::string Caller::OwnEntry(const std::string& name) const {
  return "/proc/" + std::to_string(thread_) + "/" + name;
}

bool Caller::StillWaits() const { return ioctl(listener_, SECCOMP_IOCTL_NOTIF_ID_VALID, &id_) == 0; }

std::string Caller::Program() const {
  std::array<char, kPageBytes> path;
  const ssize_t size = readlink(OwnEntry("exe").c_str(), path.data(), path.size());
  return size <= 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

bool Caller::Read(std::uint64_t address, void* bytes, std::size_t size) const {
  const int memory = open(OwnEntry("mem").c_str(), O_RDONLY | O_CLOEXEC);
  if (memory < 0) return false;
  const bool is_read =
      pread(memory, bytes, size, static_cast<off_t>(address)) == static_cast<ssize_t>(size) && StillWaits();
  close(memory);
  return is_read;
}

int Caller::ReadText(std::uint64_t address, std::size_t size_max, std::string& text) const {
  const int memory = open(OwnEntry("mem").c_str(), O_RDONLY | O_CLOEXEC);
  if (memory < 0) return -EPERM;
  int result = -ENAMETOOLONG;
  while (text.size() < size_max) {
    std::array<char, kPageBytes> page;
    const std::uint64_t from = address + text.size();
    const ssize_t count =
        pread(memory, page.data(), kPageBytes - from % kPageBytes, static_cast<off_t>(from));
    if (count <= 0) {
      result = -EFAULT;
      break;
    }
    const auto size = static_cast<std::size_t>(count);
    const void* end = std::memchr(page.data(), 0, size);
    text.append(page.data(), end == nullptr
                                 ? size
                                 : static_cast<std::size_t>(static_cast<const char*>(end) - page.data()));
    if (end == nullptr) continue;
    result = text.size() < size_max ? 0 : -ENAMETOOLONG;
    break;
  }
  close(memory);
  return StillWaits() ? result : -EINTR;
}

int Caller::OpenDescriptor(int number) const {
  const int file = open(OwnEntry("fd/" + std::to_string(number)).c_str(), O_PATH | O_CLOEXEC);
  return file >= 0 ? file : errno == ENOENT ? -EBADF : -EPERM;
}

int Caller::Open(int folder, const std::string& path, bool follows) const {
  if (path.empty() && folder != AT_FDCWD) return OpenDescriptor(folder);
  const int flags = O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW);
  if (path.starts_with('/')) {
    if (const int number = follows ? DescriptorOf(path, thread_) : -1; number >= 0)
      return OpenDescriptor(number);
    const int file = open(path.c_str(), flags);
    return file >= 0 ? file : -errno;
  }
  const int base =
      folder == AT_FDCWD ? open(OwnEntry("cwd").c_str(), O_PATH | O_CLOEXEC) : OpenDescriptor(folder);
  if (base < 0) return folder == AT_FDCWD ? -EPERM : base;
  const int file = openat(base, path.empty() ? "." : path.c_str(), flags);
  const int error = errno;
  close(base);
  return file >= 0 ? file : -error;
}

}  // namespace assay
