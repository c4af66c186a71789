// `dataset:` of a blueprint: makes a prompt for each row, before anything else is made of prompts. What
// follows reads a plain blueprint.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_reader.h"
#include "dataset/load.h"
#include "dialects/blueprint/read/parse.h"
#include "text/template/engine.h"

namespace assay {

struct ReadInput;

}  // namespace assay

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
  // Files that the command line names in place of a dataset's: their paths start from the current folder.
  std::vector<std::string> said_paths = {};
  // Changes a table before its rows become cases; null: nothing does.
  void (*reshape)(dataset::Table& table) = nullptr;
  // So many rows of each are enough; nothing: all are read.
  std::optional<std::size_t> rows_max = {};
  // Where rows that are like others (AlikeRows), and that nobody wants as cases (WantedRows), are counted;
  // null: each row becomes a case.
  const ReadInput* counting = nullptr;
  dataset::Problems problems = {};
  std::vector<ReadDataset> read = {};
  std::size_t alike_checks = 0;                       // of the rows that were counted alone
  bool has_missed = false;                            // WantedRows::HasMissed
  std::map<std::string, Map, std::less<>> kept = {};  // by id of the case: columns that exports show
};

// One of several ways to ask a prompt, between which variants choose.
struct PromptAsking {
  std::string name;
  Value messages;
};

// An entry of the prompts list.
struct PromptEntry {
  Value value;
  std::shared_ptr<const FilledPrompt> filled = nullptr;  // null: no row did
  std::vector<PromptAsking> askings = {};                // the first one's messages are the value's, too
  const Map* row = nullptr;                              // of DatasetReading::read, that filled it in
  std::size_t unshown = 0;  // messages of examples, behind system prompts, that judges do not see
};

// Takes `dataset` and `shots` out of the header and the entries, and puts an entry for each row in place of
// each entry with templates. Problems go to `reading.problems`.
std::vector<PromptEntry> ExpandDatasets(Map& header, List entries, DatasetReading& reading);

// The first key of datasets in a header or an entry, with its place; null: there is none.
const Member* DatasetKeyIn(const Map& header, const List& entries);

}  // namespace assay::blueprint
