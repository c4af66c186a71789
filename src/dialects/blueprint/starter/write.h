// The text of a blueprint for a table.
#pragma once

#include <string>
#include <string_view>

#include "dataset/options.h"
#include "dialects/blueprint/starter/guess.h"

namespace assay::blueprint {

struct WrittenStarter {
  const dataset::Options& options;  // columns and types, as they were found
  const TableGuess& guess;
  std::string_view named;  // the table
  std::string_view title;
  std::string_view encoding;
  std::string_view model;
  bool has_key = false;
  std::size_t rows = 0;
  std::string_view doubt_of_names = {};  // whether the first line has them
};

// Whether a criterion is in words.
bool NeedsJudge(const TableGuess& guess);
// "Question is the question, Must 1 to Must 3 are criteria".
std::string ColumnWords(const TableGuess& guess);
std::string TextOfStarter(const WrittenStarter& starter);

}  // namespace assay::blueprint
