// Caller: a thread of a sandboxed program that is stopped in a system call until we answer; reads its
// arguments, memory and paths.
#pragma once

#include <linux/seccomp.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>

namespace assay {

class Caller {
 public:
  Caller(int listener, const seccomp_notif& call)
      : listener_(listener), id_(call.id), thread_(static_cast<pid_t>(call.pid)), data_(call.data) {}

  pid_t thread() const { return thread_; }
  int number() const { return data_.nr; }
  std::uint64_t argument(int index) const { return data_.args[index]; }
  int integer(int index) const { return static_cast<int>(data_.args[index]); }

  // True: the thread still waits in this call, so that what was read of it was its own.
  bool StillWaits() const;
  // Its memory; false if that cannot be read.
  bool Read(std::uint64_t address, void* bytes, std::size_t size) const;
  // A text that ends with a NUL; 0, or a negative errno.
  int ReadText(std::uint64_t address, std::size_t size_max, std::string& text) const;
  // The path of the program that it runs; "" if that is not to be had.
  std::string Program() const;
  // What a path of the thread means, or for an empty one a descriptor of it, opened with O_PATH; or a
  // negative errno. Links of /proc that mean the thread itself mean it here too.
  int Open(int folder, const std::string& path, bool follows) const;

 private:
  int OpenDescriptor(int number) const;
  std::string OwnEntry(const std::string& name) const;

  int listener_;
  std::uint64_t id_;
  pid_t thread_;
  seccomp_data data_;
};

}  // namespace assay
