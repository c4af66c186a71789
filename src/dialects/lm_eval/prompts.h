// What a task of lm-eval becomes: a prompt over its rows, with one point for each of its filters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/problem.h"
#include "dialects/foreign/said_data.h"
#include "dialects/lm_eval/tasks.h"
#include "text/value.h"

namespace assay::lm_eval {

// How often a task wants each question to be answered, and at most how long.
struct TaskNeeds {
  std::size_t repeats = 1;
  std::optional<double> max_tokens;
};

// The entry of the prompts list, with its `dataset`; nothing after an error. `is_one_of_several`: its cases
// are called TASK.ROW.
std::optional<Value> PromptOf(const Task& task, const std::vector<foreign::RowsFile>& said,
                              bool is_one_of_several, TaskNeeds& needs, dataset::Problems& problems);

}  // namespace assay::lm_eval
