// Options: the value of a `dataset:` key, whatever format has it (docs/datasets.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dataset/problem.h"
#include "text/value.h"

namespace assay::dataset {

enum class Format : std::uint8_t { kByName, kCsv, kTsv, kJson, kJsonl };
enum class Encoding : std::uint8_t { kUtf8, kUtf16, kWindows1252, kLatin1 };

struct CellType {
  enum Kind : std::uint8_t { kText, kNumber, kInteger, kBoolean, kList, kJson } kind = kText;
  std::string separator = ";";  // of lists
};

// A name in the file, and where it stands.
struct Name {
  std::string text;
  Span where = {};
};

struct Sample {
  std::size_t count = 0;
  std::string seed = "0";
  std::optional<Name> per = {};
};

struct Options {
  Span where;
  std::vector<Name> paths;
  std::optional<List> rows;  // inline
  Format format = Format::kByName;
  Encoding encoding = Encoding::kUtf8;
  bool is_encoding_named = false;
  std::optional<char> delimiter;
  bool has_header = true;
  std::vector<std::string> header;                    // names instead of the first line
  std::vector<std::pair<std::string, Name>> renames;  // new, old
  std::vector<std::pair<Name, CellType>> types;
  std::vector<std::string> nulls;
  bool keeps_empty = false;  // an empty cell is an empty text
  std::optional<Name> at;
  std::string file_column;
  std::optional<Value> id;  // a template
  bool drops_duplicates = false;
  Value filter;  // `where`: undefined, or a map
  std::optional<Sample> sample;
  std::optional<std::string> shuffle;  // the seed
  std::optional<std::size_t> limit;
  std::vector<Name> keep;  // columns that exports show
};

// Nothing after an error. `key`: which key's value it is, for messages.
std::optional<Options> ReadOptions(const Value& value, Problems& problems, std::string_view key = "dataset");
// The names of all keys.
std::vector<std::string> OptionNames();
// A whole number that a double holds exactly, as text; nothing for others.
std::optional<std::string> SeedText(const Value& value);
// What the command line may say: "5", a number of rows; nothing for others.
std::optional<std::size_t> CountOf(const Value& value);

}  // namespace assay::dataset
