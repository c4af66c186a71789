// The tasks that a file of lm-eval describes: its own, with what it includes, or those of a group.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"
#include "text/value.h"

namespace assay::lm_eval {

struct Task {
  std::string name;
  Map config;              // with the members of files that it includes
  std::string folder;      // of its file, "" or ending in "/"
  std::string own_folder;  // of the file that the user named
  Span whole;
};

// The names of the splits that the task has files of, or asks.
std::vector<std::string> SplitsOf(const Task& task);

// In the order of the group; empty after an error. `file` is the one that the user named.
std::vector<Task> ReadTasks(const ReadInput& input, FileId file, std::string_view text);

}  // namespace assay::lm_eval
