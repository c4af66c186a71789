// `dataset:` of a blueprint: makes a prompt for each row, before anything else is made of prompts. What
// follows reads a plain blueprint.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_reader.h"
#include "dataset/load.h"
#include "dialects/blueprint/read/parse.h"

namespace assay::blueprint {

// A table that became cases.
struct ReadDataset {
  dataset::Table table;
  std::size_t cases = 0;
};

// What datasets may read, and what came of them.
struct DatasetReading {
  std::string_view folder;  // of the blueprint, "" or ending in "/"
  FileReader& files;
  SourceFiles& sources;
  dataset::Overrides overrides = {};
  dataset::Problems problems = {};
  std::vector<ReadDataset> read = {};
  std::map<std::string, Map, std::less<>> kept = {};  // by id of the case: columns that exports show
};

// An entry of the prompts list.
struct PromptEntry {
  Value value;
  std::shared_ptr<const FilledPrompt> filled = nullptr;  // null: no row did
};

// Takes `dataset` out of the header and the entries, and puts an entry for each row in place of each entry
// with templates. Problems go to `reading.problems`.
std::vector<PromptEntry> ExpandDatasets(Map& header, List entries, DatasetReading& reading);

// Whether a header or an entry has the key.
bool NamesDataset(const Map& header, const List& entries);

}  // namespace assay::blueprint
