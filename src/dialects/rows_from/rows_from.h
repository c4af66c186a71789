// Lists of {dataset, TREE}: a tree with templates, which each row of the table fills in. For formats whose
// files have no place for a table themselves, such as `cases_from` of InfiBench.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_reader.h"
#include "dataset/load.h"
#include "text/template/fill.h"
#include "text/value.h"

namespace assay {

struct RowsFromInput {
  std::string_view key;   // of the list: "cases_from"
  std::string_view tree;  // of the member with templates: "case"
  // Of the tree's member that examples stand before: "prompt". They may be turns of a conversation, or only
  // a text in the question.
  std::string_view question;
  bool takes_turns = false;
  std::string_view folder;
  FileReader& files;
  SourceFiles& sources;
  dataset::Problems& problems;
  dataset::Overrides overrides = {};
  TreeFiller::Keeps keeps = nullptr;  // code, which no row fills in
  // Complains of a list or mapping of a row that takes the place of a template.
  std::function<void(const Value& taken, Span place)> takes = nullptr;
};

// A tree that a row has filled in.
struct FilledTree {
  std::string id;  // of the tree, else of the row; both, where the tree's own is no template
  Value tree;
  Map kept = {};         // columns that exports show
  List shots = {};       // messages before the question: {role, content}
  bool is_shown = true;  // the examples, to judges
  Span where = {};
};

struct RowsFrom {
  std::vector<FilledTree> trees;
  std::vector<dataset::TableFile> files;
  List summaries;         // an item per table (table_summary.h)
  bool has_read = false;  // a table, so that there were rows to select
};

// What is wrong is in `problems`.
RowsFrom ExpandRowsFrom(const Value& list, const RowsFromInput& input);

}  // namespace assay
