// Reads each file of a dataset and puts their rows together.
#include "dataset/read/read.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/files/path_names.h"
#include "base/hash.h"
#include "dataset/limits.h"
#include "dataset/read/decode.h"
#include "dataset/read/paths.h"
#include "dataset/read/rows.h"
#include "text/template/engine.h"

namespace assay::dataset {

namespace {

// "x.csv" of "x.csv.gz".
std::string_view NameUnpacked(std::string_view path) {
  for (const std::string_view ending : {".gz", ".zst"}) {
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

Format FormatOfName(std::string_view path) {
  struct Ending {
    std::string_view text;
    Format format;
  };
  constexpr Ending kEndings[] = {{".csv", Format::kCsv},     {".tsv", Format::kTsv},
                                 {".txt", Format::kTsv},     {".json", Format::kJson},
                                 {".jsonl", Format::kJsonl}, {".ndjson", Format::kJsonl}};
  for (const Ending& ending : kEndings) {
    if (NameUnpacked(path).ends_with(ending.text)) return ending.format;
  }
  return Format::kByName;
}

std::string StemOfTable(std::string_view path) {
  std::string_view stem = StemOf(NameUnpacked(path));
  for (const std::string_view split : {"_test", "_dev", "_val", "_train"}) {
    if (stem.ends_with(split)) return std::string(stem.substr(0, stem.size() - split.size()));
  }
  return std::string(stem);
}

void ReadOne(const NamedFile& named, const Options& options, const Surroundings& around, Table& table,
             std::size_t& bytes_read) {
  Result<std::string> bytes = around.files.Read(named.path);
  if (!bytes) {
    around.problems.Add(
        {.code = "dataset.file",
         .message = bytes.error().message,
         .hint = "a path counts from the folder of this file; --allow-path grants others",
         .where = named.where,
         .name = named.path.substr(named.path.starts_with(around.folder) ? around.folder.size() : 0)});
    return;
  }
  const Format format = options.format == Format::kByName ? FormatOfName(named.path) : options.format;
  if (Problem other = OtherKind(named.path, *bytes); !other.code.empty()) {
    other.where = named.where;
    around.problems.Add(std::move(other));
    return;
  }
  if (format == Format::kByName) {
    around.problems.Add(
        {.code = "dataset.file",
         .message = fmt::format("the name {} does not say what the file is", Quoted(named.path)),
         .hint = "write format: csv, tsv, json or jsonl, or give the file such an ending",
         .where = named.where,
         .name = named.path});
    return;
  }
  const std::string digest = Hex(Sha256Of(*bytes));
  const std::optional<FileId> file =
      Decode(named.path, *std::move(bytes), options, named.where, around.sources, around.problems);
  if (!file) return;
  table.files.push_back({named.path, *file, digest});
  const std::string_view text = around.sources.Text(*file);
  bytes_read += text.size();
  if (bytes_read > limits::kDatasetBytesMax) {
    around.problems.Add(
        {.code = "dataset.limit",
         .message = fmt::format("expected files of at most {} bytes, found more", limits::kDatasetBytesMax),
         .hint = "share the files out among several suites",
         .where = named.where});
    return;
  }
  const SourceText source{*file, text, named.where, options, around.problems};
  const std::size_t first = table.rows.size();
  if (format == Format::kJson) {
    ReadJsonDocument(source, table);
  } else if (format == Format::kJsonl) {
    ReadJsonLines(source, table);
  } else {
    ReadCsvRows(source, format, table);
  }
  if (options.file_column.empty()) return;
  for (std::size_t i = first; i < table.rows.size(); ++i)
    table.rows[i].cells.Set(options.file_column, Value(StemOfTable(named.path)));
}

void TellTwice(const std::string& name, Span where, Problems& problems) {
  problems.Add({.code = "dataset.header-twice",
                .message = fmt::format("two columns have the name {}", Quoted(name)),
                .hint = "give each column a name of its own",
                .where = where,
                .name = name});
}

// All at once, so that two columns may change names.
void Rename(const Options& options, Table& table, Problems& problems) {
  if (options.renames.empty()) return;
  for (const auto& [name, old] : options.renames) {
    if (!HasColumn(table, old, problems)) return;
  }
  const auto renamed = [&](const std::string& column) -> const std::string& {
    const auto found = std::find_if(options.renames.begin(), options.renames.end(),
                                    [&](const auto& rename) { return rename.second.text == column; });
    return found == options.renames.end() ? column : found->first;
  };
  for (std::string& column : table.columns) column = renamed(column);
  std::vector<std::string> sorted = table.columns;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) return TellTwice(*twice, options.where, problems);
  for (Row& row : table.rows) {
    for (Member& member : row.cells) member.key = renamed(member.key);
  }
}

}  // namespace

bool HasColumn(const Table& table, const Name& name, Problems& problems) {
  if (std::find(table.columns.begin(), table.columns.end(), name.text) != table.columns.end()) return true;
  const std::string_view near = NearName(name.text, table.columns);
  problems.Add({.code = "dataset.column",
                .message = fmt::format("the dataset has no column {}", Quoted(name.text)),
                .hint = near.empty() ? std::string() : fmt::format("did you mean {}?", Quoted(near)),
                .where = name.where,
                .name = name.text});
  return false;
}

Table ReadTable(const Options& options, const Surroundings& around) {
  Table table;
  if (options.rows) {
    ReadInlineRows(options, table, around.problems);
  } else {
    std::size_t bytes_read = 0;
    for (const NamedFile& named : FilesOf(options.paths, around.folder, around.files, around.problems))
      ReadOne(named, options, around, table, bytes_read);
  }
  if (!options.file_column.empty()) {
    if (std::find(table.columns.begin(), table.columns.end(), options.file_column) != table.columns.end())
      TellTwice(options.file_column, options.where, around.problems);
    table.columns.push_back(options.file_column);
  }
  if (around.problems.HasErrors()) return table;
  std::uint32_t number = 0;
  for (Row& row : table.rows) row.number = ++number;
  table.read_rows = table.rows.size();
  Rename(options, table, around.problems);
  for (const auto& [column, type] : options.types) {
    const bool is_old = std::any_of(options.renames.begin(), options.renames.end(),
                                    [&](const auto& rename) { return rename.second.text == column.text; });
    if (!is_old) HasColumn(table, column, around.problems);
  }
  return table;
}

}  // namespace assay::dataset
