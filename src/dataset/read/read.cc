// Reads each file of a dataset and puts their rows together.
#include "dataset/read/read.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/files/near_file.h"
#include "base/files/path_names.h"
#include "dataset/limits.h"
#include "dataset/read/decode.h"
#include "dataset/read/mistaken_letters.h"
#include "dataset/read/paths.h"
#include "dataset/read/rows.h"
#include "text/template/engine.h"

namespace assay::dataset {

namespace {

constexpr std::string_view kPathHint =
    "a path counts from the folder of this file; --allow-path grants others";

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

void TellTwice(const std::string& name, Span where, Problems& problems) {
  problems.Add({.code = "dataset.header-twice",
                .message = fmt::format("two columns have the name {}", Quoted(name)),
                .hint = "give each column a name of its own",
                .where = where,
                .name = name});
}

// The name that a column gets.
const std::string& Renamed(const Options& options, const std::string& column) {
  const auto found = std::find_if(options.renames.begin(), options.renames.end(),
                                  [&](const auto& rename) { return rename.second.text == column; });
  return found == options.renames.end() ? column : found->first;
}

// All at once, so that two columns may change names. The rows have the new ones.
void Rename(const Options& options, Table& table, Problems& problems) {
  if (options.renames.empty()) return;
  for (const auto& [name, old] : options.renames) {
    if (!HasColumn(table, old, problems)) return;
  }
  for (std::string& column : table.columns) column = Renamed(options, column);
  std::vector<std::string> sorted = table.columns;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) TellTwice(*twice, options.where, problems);
}

class TableReader {
 public:
  TableReader(const Options& options, const Surroundings& around, const RowTaking& taking)
      : options_(options), around_(around), taking_(taking) {}

  Table Read() {
    if (options_.rows) {
      ReadInlineRows(SourceOf(FileId::kNone, options_.where, nullptr), table_);
    } else {
      for (const NamedFile& named :
           FilesOf(options_.paths, around_.folder, around_.files, around_.problems)) {
        if (has_ended_) table_.is_part = true;
        if (!has_ended_) ReadOne(named);
      }
    }
    if (!options_.file_column.empty()) {
      if (std::find(table_.columns.begin(), table_.columns.end(), options_.file_column) !=
          table_.columns.end())
        TellTwice(options_.file_column, options_.where, around_.problems);
      table_.columns.push_back(options_.file_column);
    }
    return std::move(table_);
  }

 private:
  SourceText SourceOf(FileId file, Span named_at, TextFeed* feed) {
    return {.file = file,
            .text = around_.sources.Text(file),
            .named_at = named_at,
            .options = options_,
            .problems = around_.problems,
            .feed = feed,
            .take = [this](Row row) { return Take(std::move(row)); }};
  }

  bool Take(Row row) {
    if (!options_.file_column.empty()) row.cells.Set(options_.file_column, Value(stem_));
    if (!options_.renames.empty()) {
      for (Member& member : row.cells) member.key = Renamed(options_, member.key);
    }
    if (taking_.take) {
      NameColumns();
      if (!taking_.take(columns_, std::move(row))) has_ended_ = true;
    } else {
      table_.rows.push_back(std::move(row));
    }
    if (table_.read_rows >= taking_.rows_max) has_ended_ = true;
    return !has_ended_;
  }

  // The columns known so far, with the names that they get.
  void NameColumns() {
    const std::size_t count = table_.columns.size() + (options_.file_column.empty() ? 0 : 1);
    if (columns_.size() == count) return;
    columns_ = table_.columns;
    if (!options_.file_column.empty()) columns_.push_back(options_.file_column);
    for (std::string& column : columns_) column = Renamed(options_, column);
  }

  void TellFile(const NamedFile& named, std::string message, std::string hint, std::string name) {
    around_.problems.Add({.code = "dataset.file",
                          .message = std::move(message),
                          .hint = std::move(hint),
                          .where = named.where,
                          .name = std::move(name)});
  }

  void ReadOne(const NamedFile& named) {
    Result<std::shared_ptr<const FileBytes>> bytes =
        around_.files.Open(named.path, limits::kDatasetFileBytesMax);
    if (!bytes) {
      const std::size_t folder = named.path.starts_with(around_.folder) ? around_.folder.size() : 0;
      const std::string near = NearFile(around_.files, named.path);
      return TellFile(named, bytes.error().message,
                      near.empty()
                          ? std::string(kPathHint)
                          : fmt::format("did you mean {}? {}", Quoted(near.substr(folder)), kPathHint),
                      named.path.substr(folder));
    }
    const Format format = options_.format == Format::kByName ? FormatOfName(named.path) : options_.format;
    if (Problem other = OtherKind(named.path, (*bytes)->view()); !other.code.empty()) {
      other.where = named.where;
      around_.problems.Add(std::move(other));
      return;
    }
    if (format == Format::kByName) {
      return TellFile(named, fmt::format("the name {} does not say what the file is", Quoted(named.path)),
                      "write format: csv, tsv, json or jsonl, or give the file such an ending", named.path);
    }
    std::optional<DecodedFile> decoded = DecodeFile(named.path, *std::move(bytes), options_, named.where,
                                                    around_.files, around_.sources, around_.problems);
    if (decoded) ReadText(named, format, *decoded);
  }

  void ReadText(const NamedFile& named, Format format, DecodedFile& decoded) {
    if (!options_.file_column.empty()) stem_ = StemOfTable(named.path);
    const SourceText source = SourceOf(decoded.file, named.where, &decoded.feed);
    if (format == Format::kJson) {
      ReadJsonDocument(source, table_);
    } else if (format == Format::kJsonl) {
      ReadJsonLines(source, table_);
    } else {
      ReadCsvRows(source, format, table_);
    }
    WarnOfMistakenLetters(source.file, source.text.substr(0, decoded.feed.proved()), options_,
                          around_.problems);
    if (decoded.feed.HasChanged())
      TellFile(named, "the file changed while it was read", "run it again when it is complete", named.path);
    const bool is_part = has_ended_ && !decoded.feed.HasReadAll();
    table_.is_part = table_.is_part || is_part;
    table_.files.push_back({named.path, decoded.file, decoded.feed.TakeDigest(), is_part});
  }

  const Options& options_;
  const Surroundings& around_;
  const RowTaking& taking_;
  Table table_;
  std::string stem_;  // of the file that is read
  std::vector<std::string> columns_;
  bool has_ended_ = false;
};

}  // namespace

std::string HintOfColumns(std::string_view name, std::span<const std::string> columns) {
  constexpr std::size_t kNamed = 12;
  if (const std::string_view near = NearName(name, columns); !near.empty())
    return fmt::format("did you mean {}?", Quoted(near));
  if (columns.empty()) return {};
  std::string hint = "the columns are";
  for (std::size_t i = 0; i < std::min(columns.size(), kNamed); ++i)
    hint += fmt::format("{} {}", i == 0 ? "" : ",", Quoted(columns[i]));
  return columns.size() > kNamed ? fmt::format("{} and {} more", hint, columns.size() - kNamed) : hint;
}

bool HasColumn(const Table& table, const Name& name, Problems& problems) {
  if (std::find(table.columns.begin(), table.columns.end(), name.text) != table.columns.end()) return true;
  problems.Add({.code = "dataset.column",
                .message = fmt::format("the dataset has no column {}", Quoted(name.text)),
                .hint = HintOfColumns(name.text, table.columns),
                .where = name.where,
                .name = name.text});
  return false;
}

Table ReadTable(const Options& options, const Surroundings& around, const RowTaking& taking) {
  Table table = TableReader(options, around, taking).Read();
  if (around.problems.HasErrors()) return table;
  Rename(options, table, around.problems);
  for (const auto& [column, type] : options.types) {
    const bool is_old = std::any_of(options.renames.begin(), options.renames.end(),
                                    [&](const auto& rename) { return rename.second.text == column.text; });
    if (!is_old) HasColumn(table, column, around.problems);
  }
  return table;
}

}  // namespace assay::dataset
