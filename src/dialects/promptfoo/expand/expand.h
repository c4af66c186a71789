// Expands a config: tests with their repetitions and combinations of variables are rows, prompts with
// providers are columns.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/options.h"
#include "dialects/promptfoo/read/configs.h"

namespace assay::promptfoo {

struct Column {
  std::size_t prompt = 0;
  std::size_t provider = 0;
};

struct Row {
  std::size_t test = 0;   // of Expansion::tests
  std::size_t round = 0;  // of the test's repetitions
  Map variables;          // of this combination; files are not read yet
};

struct Expansion {
  std::vector<Column> columns;  // a provider with all of its prompts, then the next one
  std::vector<Test> tests;      // with what defaultTest gives them; rows have the variables
  std::vector<Row> rows;
};

// Nothing after an error: a file that is not there, a transform that gives no variables.
std::optional<Expansion> Expand(const Config& config, const EvalOptions& options, const ReadAccess& access);

// Whether the row is asked in the column: tests may name prompts and providers.
bool IsAsked(const Config& config, const Expansion& expansion, const Row& row, const Column& column);
// Whether a filter names the prompt or provider: by its name, or by "group:" or "group:*" before it.
bool IsMeant(const NameFilter& filter, const std::string& label, const std::string& id);

}  // namespace assay::promptfoo
