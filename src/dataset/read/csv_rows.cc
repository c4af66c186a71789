// Reads CSV: header, ragged and empty rows, nulls and types.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/text/ascii.h"
#include "dataset/limits.h"
#include "dataset/read/cell_types.h"
#include "dataset/read/decode.h"
#include "dataset/read/rows.h"
#include "text/csv/csv_stream.h"
#include "text/javascript/text.h"

namespace assay::dataset {

namespace {

constexpr std::string_view kSeparatorLine = "sep=";

class CsvRowReader {
 public:
  CsvRowReader(const SourceText& source, Format format, Table& table)
      : source_(source), format_(format), table_(table) {}

  void Read() {
    CsvStream stream = Opened();
    CsvRecord record;
    if (!source_.options.header.empty()) names_ = source_.options.header;
    CsvStep step = CsvStep::kEnd;
    const std::size_t rows_before = table_.read_rows;
    while ((step = stream.Next(record)) == CsvStep::kRecord) {
      offset_ = stream.offset();
      if (!IsProved(source_, offset_)) return;
      if (names_.empty() && !TakeHeader(record)) return;
      if (is_header_) {
        is_header_ = false;
        continue;
      }
      if (!TakeRow(record, offset_)) return;
    }
    if (!IsProved(source_, source_.text.size())) return;
    if (step != CsvStep::kEnd) return TellQuote(step, stream.problem_offset(), record);
    if (names_.empty() || (table_.read_rows == rows_before && !has_bad_rows_)) {
      source_.problems.Add(
          {.code = "dataset.empty",
           .message = names_.empty() ? "the file is empty" : "the file has a header and no rows",
           .hint = "write a line of names, and a line for each row",
           .where = source_.At(0)});
    }
  }

 private:
  CsvStream Opened() {
    const std::string_view text = source_.text;
    std::size_t at = 0;
    std::uint32_t line = 1;
    char delimiter = format_ == Format::kTsv ? '\t' : 0;
    if (format_ == Format::kCsv && text.starts_with(kSeparatorLine)) {
      const std::size_t end = text.find_first_of("\r\n");
      if (end == kSeparatorLine.size() + 1) {
        delimiter = text[kSeparatorLine.size()];
        at = text.substr(end).starts_with("\r\n") ? end + 2 : end + 1;
        line = 2;
      }
    }
    if (source_.options.delimiter) delimiter = *source_.options.delimiter;
    if (delimiter == 0) {
      const std::size_t first = text.find_first_not_of("\r\n");
      delimiter = GuessedDelimiter(text, first == std::string_view::npos ? 0 : first);
    }
    delimiter_ = delimiter;
    return {text, delimiter, at, line};
  }

  void TellQuote(CsvStep step, std::uint32_t offset, const CsvRecord& record) {
    constexpr std::string_view kDouble = "double the quotes inside a cell: \"say \"\"hello\"\" to me\"";
    const std::uint32_t opened_at = record.cells.back().offset;
    const std::size_t opened = record.line + LineEnds(record.offset, opened_at);
    Problem problem{.code = "dataset.quote",
                    .message = "found text behind the closing quote of a cell",
                    .hint = std::string(kDouble),
                    .where = source_.At(offset, 1)};
    const char behind = offset < source_.text.size() ? source_.text[offset] : ' ';
    if (step == CsvStep::kOpenQuote) {
      problem.message = "this cell's quote is never closed";
      problem.hint = opened == record.line ? fmt::format("close it on this line, or {}", kDouble)
                                           : fmt::format("the row begins on line {}; close the quote, or {}",
                                                         record.line, kDouble);
    } else if (LineEnds(opened_at, offset) > 0) {
      problem.message =
          fmt::format("found text behind the closing quote of a cell that opens on line {}", opened);
      problem.hint = fmt::format("close the quote on line {}, or {}", opened, kDouble);
    } else if (names_.size() == 1 && header_line_ != 0 && !source_.options.delimiter) {
      problem.hint = TitleHint();
    } else if (behind != delimiter_ && kCsvDelimiters.find(behind) != std::string_view::npos) {
      problem.hint = fmt::format("cells are separated by {} here; for another character, write delimiter: {}",
                                 DelimiterName(delimiter_), DelimiterName(behind));
    }
    source_.problems.Add(std::move(problem));
  }

  static std::string DelimiterName(char delimiter) {
    return delimiter == '\t' ? "\"\\t\"" : fmt::format("\"{}\"", delimiter);
  }

  // CRLF is one of them.
  std::size_t LineEnds(std::size_t from, std::size_t to) const {
    std::size_t count = 0;
    for (std::size_t i = from; i < to; ++i) {
      const bool is_half = source_.text[i] == '\r' && source_.text.substr(i + 1).starts_with('\n');
      if (!is_half && (source_.text[i] == '\n' || source_.text[i] == '\r')) ++count;
    }
    return count;
  }

  Span PlaceOf(const CsvCell& cell) const { return source_.At(cell.offset, cell.length); }

  // The names of the first record, or made-up ones; false after an error.
  bool TakeHeader(CsvRecord& record) {
    if (!source_.options.has_header) {
      for (std::size_t i = 1; i <= record.cells.size(); ++i) names_.push_back(fmt::format("c{}", i));
      return true;
    }
    is_header_ = true;
    header_line_ = record.line;
    std::vector<CsvCell>& cells = record.cells;
    for (CsvCell& cell : cells) cell.text = std::string(JsTrim(cell.text));
    while (!cells.empty() && cells.back().text.empty()) cells.pop_back();
    std::unordered_set<std::string> seen;
    if (cells.empty()) return TellHeader("dataset.header-empty", source_.At(record.offset), "");
    if (cells.size() > limits::kDatasetColumnsMax)
      return TellHeader("dataset.limit", PlaceOf(cells.front()), "");
    WarnOfDelimiter(record);
    for (const CsvCell& cell : cells) {
      if (cell.text.empty()) return TellHeader("dataset.header-empty", PlaceOf(cell), "");
      if (!seen.insert(cell.text).second) return TellHeader("dataset.header-twice", PlaceOf(cell), cell.text);
      names_.push_back(cell.text);
    }
    return true;
  }

  // One column whose name has another delimiter in it.
  void WarnOfDelimiter(const CsvRecord& record) {
    if (record.cells.size() != 1 || !source_.options.delimiter) return;
    const CsvCell& only = record.cells.front();
    const std::size_t other = only.is_quoted ? std::string::npos : only.text.find_first_of(kCsvDelimiters);
    if (other == std::string::npos || only.text[other] == delimiter_) return;
    source_.problems.Add(
        {.code = "dataset.delimiter",
         .message = fmt::format("the only column is {}: nothing is separated by {}", Quoted(only.text),
                                DelimiterName(delimiter_)),
         .hint = fmt::format("write delimiter: {}, or leave delimiter out", DelimiterName(only.text[other])),
         .where = PlaceOf(only),
         .severity = Severity::kWarning});
  }

  bool TellHeader(std::string code, Span at, const std::string& name) {
    std::string message = "a column has no name";
    if (code == "dataset.header-twice") message = fmt::format("two columns have the name {}", Quoted(name));
    if (code == "dataset.limit")
      message = fmt::format("expected at most {} columns, found more", limits::kDatasetColumnsMax);
    source_.problems.Add(
        {.code = std::move(code),
         .message = std::move(message),
         .hint = "give each column a name of its own in the first line, or write header: [...]",
         .where = at,
         .name = name});
    return false;
  }

  bool IsRagged(CsvRecord& record) {
    std::vector<CsvCell>& cells = record.cells;
    const std::size_t expected = names_.size();
    while (cells.size() > expected && cells.back().text.empty()) cells.pop_back();
    const std::size_t found = cells.size();
    if (found == expected) return false;
    const CsvCell& at = found > expected ? cells[expected] : cells.back();
    has_bad_rows_ = true;
    source_.problems.Add(
        {.code = "dataset.ragged",
         .message = fmt::format("{} {}, the header has {}", found, found == 1 ? "cell" : "cells", expected),
         .hint = RaggedHint(record, expected, found),
         .where = PlaceOf(at),
         .expected = expected,
         .found = found});
    return true;
  }

  std::string TitleHint() const {
    return fmt::format("is line {} a title? the line of names has to be the first", header_line_);
  }

  // A delimiter that stands as often in this row as in the line of names; 0: none.
  char OtherDelimiter(const CsvRecord& record) const {
    const std::string_view line = source_.text.substr(record.offset, offset_ - record.offset);
    for (const char other : kCsvDelimiters) {
      std::ptrdiff_t in_names = 0;
      for (const std::string& name : names_) in_names += std::count(name.begin(), name.end(), other);
      if (other != delimiter_ && in_names > 0 && in_names == std::count(line.begin(), line.end(), other))
        return other;
    }
    return 0;
  }

  // A quote of a cell before the last line end of the row; "": there is none.
  std::string OpenQuoteHint(const CsvRecord& record) const {
    for (const CsvCell& cell : record.cells) {
      const std::size_t lines = cell.is_quoted ? LineEnds(cell.offset, cell.offset + cell.length) : 0;
      if (lines == 0) continue;
      const std::size_t opened = record.line + LineEnds(record.offset, cell.offset);
      return fmt::format("a quote opens on line {} and closes on line {}: close it on line {}", opened,
                         opened + lines, opened);
    }
    return {};
  }

  std::string RaggedHint(const CsvRecord& record, std::size_t expected, std::size_t found) const {
    if (std::string open = OpenQuoteHint(record); !open.empty()) return open;
    if (const char other = OtherDelimiter(record); other != 0)
      return fmt::format("cells are separated by {} here; for another character, write delimiter: {}",
                         DelimiterName(delimiter_), DelimiterName(other));
    if (!source_.options.header.empty())
      return fmt::format("header: has {} names; write one for each of the {} cells", expected, found);
    if (found < expected) return "the row is cut short: complete it, or remove it";
    if (expected == 1 && header_line_ != 0) return TitleHint();
    return "a text that contains the delimiter needs quotes";
  }

  // False: nothing more is read.
  bool TakeRow(CsvRecord& record, std::size_t end) {
    if (!FitsRow(source_, record.offset, end)) {
      has_bad_rows_ = true;
      return true;
    }
    const bool is_blank = std::all_of(record.cells.begin(), record.cells.end(),
                                      [](const CsvCell& cell) { return cell.text.empty(); });
    if (is_blank) {
      ++table_.blank_rows;
      return true;
    }
    if (IsRagged(record)) return true;
    Row row;
    row.line = record.line;
    row.where = source_.At(record.offset);
    row.cells.Reserve(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i) {
      Value value = ValueOf(record.cells[i], names_[i]);
      row.cells.Append(names_[i], std::move(value));
    }
    if (!std::exchange(has_columns_, true)) AddColumns(row.cells, table_);
    return HandOver(source_, std::move(row), table_);
  }

  Value ValueOf(CsvCell& cell, const std::string& name) {
    const std::uint32_t quote = cell.is_quoted ? 1 : 0;
    const Span inside = source_.At(cell.offset + quote, cell.length - 2 * quote);
    const std::vector<std::string>& nulls = source_.options.nulls;
    const bool is_null = (cell.text.empty() && !source_.options.keeps_empty) ||
                         std::find(nulls.begin(), nulls.end(), cell.text) != nulls.end();
    if (cell.text.size() > limits::kDatasetCellBytesMax) {
      source_.problems.Add({.code = "dataset.limit",
                            .message = fmt::format("expected a cell of at most {} bytes, found {}",
                                                   limits::kDatasetCellBytesMax, cell.text.size()),
                            .hint = "a quote that stays open takes the rest of the file",
                            .where = PlaceOf(cell)});
    }
    const CellType* type = is_null ? nullptr : TypeOfColumn(source_.options, name);
    const bool is_text = type == nullptr || type->kind == CellType::kText;
    Value value = is_null ? Value(Null{}) : is_text ? Value(std::move(cell.text)) : Value(cell.text);
    value.span = inside;
    if (is_text) return value;
    if (ConvertCell(*type, cell.text, value)) return value;
    has_bad_rows_ = true;
    source_.problems.Add({.code = "dataset.type",
                          .message = fmt::format("column {}: expected {}, found {}", Quoted(name),
                                                 TypeName(*type), Quoted(cell.text)),
                          .hint = "correct the cell, or remove the column from types",
                          .where = PlaceOf(cell),
                          .name = name});
    return value;
  }

  const SourceText& source_;
  Format format_;
  Table& table_;
  std::vector<std::string> names_;
  char delimiter_ = 0;
  std::size_t offset_ = 0;         // behind the record
  std::uint32_t header_line_ = 0;  // 0: the file has none
  bool is_header_ = false;
  bool has_bad_rows_ = false;
  bool has_columns_ = false;  // the table has those of this file
};

}  // namespace

void ReadCsvRows(const SourceText& source, Format format, Table& table) {
  CsvRowReader(source, format, table).Read();
}

void AddColumns(const Map& row, Table& table) {
  std::size_t expected = 0;
  for (const Member& member : row) {
    // Most rows have the columns of the row before, in their order.
    if (expected < table.columns.size() && table.columns[expected] == member.key) {
      ++expected;
      continue;
    }
    if (std::find(table.columns.begin(), table.columns.end(), member.key) == table.columns.end())
      table.columns.push_back(member.key);
  }
}

bool IsProved(const SourceText& source, std::size_t offset) {
  if (source.feed == nullptr || source.feed->ReadTo(offset)) return true;
  source.problems.Add(NotUtf8(source.file, source.text, source.feed->bad_at()));
  return false;
}

bool FitsRow(const SourceText& source, std::size_t begin, std::size_t end) {
  if (end - begin <= limits::kDatasetRowBytesMax) return true;
  source.problems.Add({.code = "dataset.limit",
                       .message = fmt::format("expected a row of at most {} bytes, found {}",
                                              limits::kDatasetRowBytesMax, end - begin),
                       .hint = "a quote that stays open takes the rest of the file",
                       .where = source.At(begin, 1)});
  return false;
}

bool HandOver(const SourceText& source, Row row, Table& table) {
  row.number = static_cast<std::uint32_t>(++table.read_rows);
  if (table.read_rows > limits::kDatasetRowsMax) {
    source.problems.Add(
        {.code = "dataset.limit",
         .message = fmt::format("expected at most {} rows, found more", limits::kDatasetRowsMax),
         .hint = "share the rows out among several files and suites",
         .where = source.named_at});
    return false;
  }
  if (source.take) return source.take(std::move(row));
  table.rows.push_back(std::move(row));
  return true;
}

}  // namespace assay::dataset
