// Samples of OpenAI Evals: rows {input, ideal} become prompts of a blueprint.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dataset/table.h"
#include "dialects/blueprint/rows/datasets.h"
#include "text/value.h"

namespace assay::evals {

enum class Grading { kMatch, kIncludes, kFuzzyMatch, kJsonMatch };

// One entry of a registry, as far as its samples need it.
struct Eval {
  std::string name;
  Grading grading = Grading::kMatch;
  bool ignores_case = false;
  List shots = {};                 // messages that stand before the last one of each sample
  bool is_one_of_several = false;  // its cases are called NAME.ROW
};

// The messages of a `sample` of few-shot examples, or of an `input`; empty after an error. `key` names the
// column.
List MessagesOf(const Value& given, std::string_view key, Span where, dataset::Problems& problems);

// A prompt for each row. What is wrong with a row is in `reading.problems`.
void AddPrompts(const Eval& eval, const dataset::Table& table, blueprint::DatasetReading& reading,
                std::vector<blueprint::PromptEntry>& out);

}  // namespace assay::evals
