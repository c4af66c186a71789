// ColumnFacts: what the starter has to know of each column, found while the rows pass by once. A table may be
// larger than memory; of its rows a few places stay, and of a column of ids 24 bytes each.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/select/stream_ids.h"
#include "dataset/table.h"
#include "dialects/blueprint/starter/columns.h"
#include "dialects/blueprint/starter/lists.h"

namespace assay::blueprint {

// Rows that have something in common: their number, and where the first few of them are.
class Places {
 public:
  void Add(const dataset::Row& row);
  std::size_t count() const { return count_; }
  // "t.csv:2, t.csv:5 and 7 more".
  std::string Words(const SourceFiles& sources) const;

 private:
  std::vector<dataset::Row> first_;  // without their cells
  std::size_t count_ = 0;
};

struct ColumnFacts {
  std::string name;
  NamedRole named = {};
  std::size_t filled = 0;
  std::size_t bytes = 0;
  Places blank = {};
  bool has_blanks_of_text = false;
  bool is_used = false;

  // Set only where the name of the column says that it has ids.
  dataset::SeenIds ids = {};
  std::vector<dataset::Row> id_fault = {};  // a row without an id, or two with one
  std::string id_twice = {};
  bool has_slash = false;
  // For choices: whether each row has a list of them, or a list of mappings with a text.
  bool are_lists = true;
  bool are_lists_of_texts = true;
  // For a status: how many rows have each value. Above kStatusValuesMax values, the rest is not counted.
  std::map<std::string, std::size_t> values = {};
  bool are_conversations = true;
  ListFacts lists = {};
};

inline constexpr std::size_t kStatusValuesMax = 8;

// A row without its cells, for messages.
dataset::Row PlaceAlone(const dataset::Row& row);
// The value of a column as text; `made` keeps one that is made.
std::string_view CellText(const dataset::Row& row, std::string_view column, const SourceFiles& sources,
                          std::string& made);
bool IsBlankText(std::string_view text);

class TableFacts {
 public:
  explicit TableFacts(const SourceFiles& sources) : sources_(&sources) {}

  void Add(const std::vector<std::string>& columns, const dataset::Row& row);

  std::vector<ColumnFacts> columns;
  std::size_t rows = 0;

 private:
  void AddCell(const dataset::Row& row, ColumnFacts& column);
  void AddId(const dataset::Row& row, std::string_view text, ColumnFacts& column);

  const SourceFiles* sources_;
};

}  // namespace assay::blueprint
