// Starts a program of the user's own, such as sbatch, and reads what it says until it ends. Its thread waits.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/errors/result.h"

namespace assay {

struct StartedEnd {
  int code = 0;        // its exit code; 128 and the signal's number if it was killed
  std::string output;  // the first megabyte of each
  std::string errors;
  bool is_left = false;  // it was told to end before it did
};

// Who is told while it runs; any of them may be null.
struct StartedWatch {
  std::function<void(const std::string& output)> on_first_line = {};
  std::function<bool()> is_over = {};  // asked several times a second; true: the program is told to end
  std::function<void()> on_tick = {};  // every few seconds
};

// kNotFound: there is no such program; kIo: it cannot be started.
Result<StartedEnd> RunToItsEnd(std::vector<std::string> words, std::vector<std::string> environment,
                               const StartedWatch& watch);

}  // namespace assay
