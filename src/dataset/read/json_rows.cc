// Reads JSON documents, JSON Lines and rows that a dataset itself contains.
#include <fmt/core.h>

#include <algorithm>

#include "dataset/read/places.h"
#include "dataset/read/rows.h"
#include "text/json/json.h"

namespace assay::dataset {

namespace {

void TellJson(const SourceText& source, const Error& error, std::size_t base) {
  Span where = error.where.value_or(Span{});
  where.file = source.file;
  where.offset += static_cast<std::uint32_t>(base);
  // The place is that of the file; the reader counts from the start of its text.
  std::string message = error.message;
  if (const std::size_t colon = message.find(": ");
      message.starts_with("JSON, line") && colon != std::string::npos)
    message = message.substr(colon + 2);
  source.problems.Add({.code = "dataset.json",
                       .message = std::move(message),
                       .hint = "each row is one mapping of JSON",
                       .where = where});
}

void TellNoRow(const Value& value, Span where, Problems& problems) {
  problems.Add({.code = "dataset.not-a-row",
                .message = fmt::format("expected a mapping as row, found {}", KindName(value)),
                .hint = "write {\"column\": value, …}",
                .where = where});
}

bool AppendRow(const SourceText& source, Value value, std::uint32_t line, Table& table) {
  Row row;
  row.where = value.span;
  row.line = line;
  row.cells = std::move(value.AsMap());
  AddColumns(row.cells, table);
  return HandOver(source, std::move(row), table);
}

void TellEmpty(Span where, Problems& problems) {
  problems.Add({.code = "dataset.empty",
                .message = "there are no rows",
                .hint = "a dataset needs at least one row",
                .where = where});
}

// The text as JSON, with places in the file; nothing after an error. A key that stands twice is warned of.
std::optional<Value> Parsed(const SourceText& source, std::string_view text, std::size_t base) {
  Result<Value> value = ParseJson(text, RepeatedKeys::kRefuse);
  if (!value) {
    const Error error = value.error();
    value = ParseJson(text);
    if (!value) {
      TellJson(source, value.error(), base);
      return std::nullopt;
    }
    Span where = error.where.value_or(Span{});
    where.file = source.file;
    where.offset += static_cast<std::uint32_t>(base);
    source.problems.Add({.code = "dataset.key-twice",
                         .message = "a mapping contains a key twice; the last one counts",
                         .hint = "remove one of the two",
                         .where = where,
                         .severity = Severity::kWarning});
  }
  MovePlaces(*value, source.file,
             [base](std::uint32_t offset) { return static_cast<std::uint32_t>(base + offset); });
  return *std::move(value);
}

bool IsListOfMaps(const Value& value) {
  return value.is_list() && !value.AsList().empty() &&
         std::all_of(value.AsList().begin(), value.AsList().end(),
                     [](const Value& item) { return item.is_map(); });
}

Problem AtProblem(std::string message, const Options& options, Span where) {
  return {.code = "dataset.at",
          .message = std::move(message),
          .hint = "name the member that contains the list of rows: at: NAME",
          .where = options.at ? options.at->where : where};
}

// The list of rows of a document; null after an error.
const Value* ListNamed(const Value& document, const SourceText& source) {
  const std::string& path = source.options.at->text;
  const Value* value = &document;
  for (std::size_t start = 0; start <= path.size() && value != nullptr;) {
    const std::size_t end = std::min(path.find('.', start), path.size());
    value = value->Find(std::string_view(path).substr(start, end - start));
    start = end + 1;
  }
  if (value == nullptr) {
    Problem problem =
        AtProblem(fmt::format("the document has no member {}", Quoted(path)), source.options, document.span);
    problem.name = path;
    source.problems.Add(std::move(problem));
    return nullptr;
  }
  if (value->is_list()) return value;
  source.problems.Add(
      {.code = "dataset.not-a-list",
       .message = fmt::format("at {}: expected a list of rows, found {}", path, KindName(*value)),
       .hint = "a mapping of columns is no list: write rows",
       .where = value->span});
  return nullptr;
}

// "data.rows", where the first list of mappings is below members; "" if there is none.
std::string PathOfList(const Value& value, int depth) {
  constexpr int kDepthMax = 4;
  if (!value.is_map() || depth > kDepthMax) return {};
  for (const Member& member : value.AsMap()) {
    if (IsListOfMaps(member.value)) return member.key;
    const std::string below = PathOfList(member.value, depth + 1);
    if (!below.empty()) return member.key + "." + below;
  }
  return {};
}

const Value* OnlyList(const Value& document, const SourceText& source) {
  std::vector<const Member*> lists;
  for (const Member& member : document.AsMap()) {
    if (IsListOfMaps(member.value)) lists.push_back(&member);
  }
  if (lists.size() == 1) return &lists.front()->value;
  Problem problem = AtProblem(lists.empty() ? "the document has no list of rows"
                                            : fmt::format("the document has {} lists of rows", lists.size()),
                              source.options, document.span);
  const std::string path = lists.empty() ? PathOfList(document, 0) : std::string();
  if (!path.empty()) problem.hint = fmt::format("write at: {}", path);
  if (lists.empty() && path.empty())
    problem.hint = "a mapping of columns is no list: write rows, [{\"column\": value}, …]";
  for (const Member* member : lists) problem.names.push_back(member->key);
  source.problems.Add(std::move(problem));
  return nullptr;
}

const Value* ListOf(const Value& document, const SourceText& source) {
  if (source.options.at) return ListNamed(document, source);
  if (document.is_list()) return &document;
  if (document.is_map()) return OnlyList(document, source);
  source.problems.Add({.code = "dataset.not-a-list",
                       .message = fmt::format("expected a list of rows, found {}", KindName(document)),
                       .hint = "write [{\"column\": value}, …]",
                       .where = document.span});
  return nullptr;
}

// Whether a file of lines is one document instead: its first line opens a list and does not close it.
bool TellDocument(const SourceText& source) {
  const std::size_t first = source.text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || source.text[first] != '[') return false;
  const std::size_t end = std::min(source.text.find('\n', first), source.text.size());
  if (ParseJson(source.text.substr(first, end - first))) return false;
  source.problems.Add({.code = "dataset.json",
                       .message = "expected a mapping on each line, found a list over several lines",
                       .hint = "write format: json, or name the file .json",
                       .where = source.At(first, 1)});
  return true;
}

}  // namespace

void ReadJsonLines(const SourceText& source, Table& table) {
  if (TellDocument(source)) return;
  const std::size_t errors_before = source.problems.ErrorCount();
  const std::size_t rows_before = table.read_rows;
  std::uint32_t line = 0;
  for (std::size_t start = 0; start < source.text.size();) {
    const std::size_t end = std::min(source.text.find('\n', start), source.text.size());
    const std::string_view text = source.text.substr(start, end - start);
    const std::size_t base = start;
    start = end + 1;
    ++line;
    if (!IsProved(source, std::min(start, source.text.size()))) return;
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (!FitsRow(source, base, end)) continue;
    std::optional<Value> value = Parsed(source, text.substr(0, text.find_last_not_of('\r') + 1), base);
    if (!value) continue;
    if (!value->is_map()) {
      TellNoRow(*value, value->span, source.problems);
      continue;
    }
    if (!AppendRow(source, *std::move(value), line, table)) return;
  }
  if (table.read_rows == rows_before && source.problems.ErrorCount() == errors_before)
    TellEmpty(source.At(0), source.problems);
}

void ReadJsonDocument(const SourceText& source, Table& table) {
  if (!IsProved(source, source.text.size())) return;
  std::optional<Value> document = Parsed(source, source.text, 0);
  if (!document) return;
  const Value* list = ListOf(*document, source);
  if (list == nullptr) return;
  if (list->AsList().empty()) TellEmpty(list->span, source.problems);
  std::uint32_t number = 0;
  for (const Value& row : list->AsList()) {
    ++number;
    if (!row.is_map()) {
      TellNoRow(row, row.span, source.problems);
      continue;
    }
    if (!AppendRow(source, row, number, table)) return;
  }
}

void ReadInlineRows(const SourceText& source, Table& table) {
  const List& rows = *source.options.rows;
  if (rows.empty()) TellEmpty(source.options.where, source.problems);
  std::uint32_t number = 0;
  for (const Value& row : rows) {
    ++number;
    if (!row.is_map()) {
      TellNoRow(row, row.span, source.problems);
    } else if (!AppendRow(source, row, number, table)) {
      return;
    }
  }
}

}  // namespace assay::dataset
