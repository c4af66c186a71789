// Listener: answers system calls of a program that neither the filter nor Landlock can judge: the program
// waits, and the supervisor makes the call in its place if that stays inside the run.
#pragma once

#include <cstdint>
#include <string>

#include "io/sandbox/wire.h"
#include "io/sandbox_host/fence/caller.h"

namespace assay {

// What a call may reach.
struct Bounds {
  std::string root;  // of the files, with no link in it
  std::uint64_t file_bytes = 0;
};

// How a call ends: a value, a negative errno, or that the kernel goes on with it.
inline constexpr std::int64_t kGoOn = INT64_MIN;

// Modes, owners, times and attributes of files, and their sizes by name.
bool IsFileCall(int number);
std::int64_t DoFileCall(const Caller& caller, const Bounds& bounds);

// Signals, limits and priorities of processes other than the caller's thread.
std::int64_t DoProcessCall(const Caller& caller);

class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { Close(); }

  void Open(int file, Bounds bounds, std::uint32_t uid);  // takes `file`; -1: there is none
  void Close();
  int file() const { return file_; }
  // What was asked for that is not to be had here, if anything was.
  SandboxLack lack() const { return lack_; }
  // Answers one call that waits, or sees that nobody is left who could call.
  void Serve(bool has_ended);

 private:
  std::int64_t Judge(const Caller& caller);

  int file_ = -1;
  Bounds bounds_;
  std::uint32_t uid_ = 0;
  SandboxLack lack_ = SandboxLack::kNothing;
};

// For the program's own process: the filter, with a listener. -1: none is to be had here.
int FilterWithListener(const std::string& filter);

// Whether one is to be had; tries it in a process of its own.
bool CanListen();

}  // namespace assay
