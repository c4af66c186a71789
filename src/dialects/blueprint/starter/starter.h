// Writes a blueprint for a table: names its columns, and says in comments what was guessed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "dialects/blueprint/starter/guess.h"

namespace assay::blueprint {

struct StarterInput {
  std::string_view path;      // of the table
  std::string_view named;     // the same, from the folder of the blueprint
  std::string_view title;     // the stem of the blueprint
  std::string_view encoding;  // "" for UTF-8, or what its first bytes say
  std::string_view model;     // whom it asks
  bool has_key = false;       // the model can judge, too
  FileReader& files;
  SourceFiles& sources;
  const AskUser& ask;
};

struct TableStarter {
  std::string text = {};
  std::vector<std::string> guesses = {};  // what is not certain, a line each
  std::vector<std::string> faults = {};   // rows that become no cases, and the like
  std::string columns = {};               // what each is for, in a line
  std::size_t rows = 0;
  bool needs_judge = false;
};

// Nothing after an error.
std::optional<TableStarter> StarterOfTable(const StarterInput& input, Diagnostics& diagnostics);

}  // namespace assay::blueprint
