// Finds the separator and the columns of a table, then takes the wanted fields of each row.
#include "text/csv_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "base/text/byte_order_mark.h"
#include "text/csv.h"

namespace assay {

namespace {

constexpr std::string_view kBlanks = " \t";
constexpr char kSeparators[] = {',', ';', '\t'};

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

bool IsName(std::string_view written, std::string_view name) {
  written = Trimmed(written);
  return std::equal(written.begin(), written.end(), name.begin(), name.end(),
                    [](char a, char b) { return AsciiLower(a) == AsciiLower(b); });
}

// The places of the wanted columns, -1 of those that are missing.
std::vector<int> PlacesOf(const CsvRow& header, std::span<const std::string_view> wanted) {
  std::vector<int> places;
  for (const std::string_view name : wanted) {
    const auto found = std::find_if(header.fields.begin(), header.fields.end(),
                                    [&](const std::string& field) { return IsName(field, name); });
    places.push_back(found == header.fields.end() ? -1 : static_cast<int>(found - header.fields.begin()));
  }
  return places;
}

bool AreThere(const std::vector<int>& places) {
  return std::none_of(places.begin(), places.end(), [](int place) { return place < 0; });
}

CsvProblem MissingColumns(const CsvRow& header, std::span<const std::string_view> wanted,
                          const std::vector<int>& places) {
  std::string names;
  std::string found;
  for (const std::string_view name : wanted)
    names += fmt::format("{}`{}`", names.empty() ? "" : " and ", name);
  for (const std::string& field : header.fields)
    found += fmt::format("{}{}", found.empty() ? "" : ", ", Quoted(Trimmed(field)));
  std::string hint = "the first line names the columns, with commas, semicolons or tabs between them";
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (places[i] >= 0) continue;
    const std::vector<std::string_view> fields(header.fields.begin(), header.fields.end());
    if (const std::string_view near = DidYouMean(wanted[i], fields); !near.empty())
      hint = fmt::format("rename {} to {}", Quoted(Trimmed(near)), wanted[i]);
  }
  return {.message = fmt::format("expected the columns {}, found {}", names, found),
          .hint = std::move(hint),
          .offset = header.offset,
          .length = header.length};
}

void TakeRow(CsvRow& row, std::size_t columns, const std::vector<int>& places, bool fills_short_rows,
             CsvTable& table) {
  const std::size_t found = row.fields.size();
  const bool is_short = found < columns;
  if (found > columns || (is_short && !fills_short_rows)) {
    table.problems.push_back(
        {.message = fmt::format("expected {} fields as in the first line, found {}", columns, found),
         .hint = is_short ? "the row is cut short: complete it, or remove it"
                          : "put a text that holds the separator in double quotes",
         .offset = row.offset,
         .length = row.length});
    return;
  }
  row.fields.resize(columns);
  std::vector<std::string>& kept = table.rows.emplace_back();
  for (const int place : places) kept.push_back(std::move(row.fields[static_cast<std::size_t>(place)]));
}

}  // namespace

CsvTable ReadCsvTable(std::string_view text, std::span<const std::string_view> wanted,
                      bool fills_short_rows) {
  CsvTable table;
  const std::string_view body = WithoutByteOrderMark(text);
  const std::size_t skipped = text.size() - body.size();
  const std::string_view first_line = body.substr(0, body.find('\n'));
  // The separator that makes the first line what it has to be; else a comma.
  char separator = ',';
  for (const char each : kSeparators) {
    const CsvRows rows = ParseCsvRows(first_line, each);
    if (rows.rows.empty() || !AreThere(PlacesOf(rows.rows.front(), wanted))) continue;
    separator = each;
    break;
  }
  CsvRows rows = ParseCsvRows(body, separator);
  for (CsvRow& row : rows.rows) row.offset += static_cast<std::uint32_t>(skipped);
  if (rows.rows.empty()) {
    table.problems.push_back(
        {.message = "expected a first line that names the columns, found an empty file",
         .hint = fmt::format("begin with {}", fmt::format("{},{}", wanted.front(), wanted.back()))});
    return table;
  }
  const std::vector<int> places = PlacesOf(rows.rows.front(), wanted);
  if (!AreThere(places)) {
    table.problems.push_back(MissingColumns(rows.rows.front(), wanted, places));
    return table;
  }
  const std::size_t columns = rows.rows.front().fields.size();
  for (std::size_t i = 1; i < rows.rows.size(); ++i)
    TakeRow(rows.rows[i], columns, places, fills_short_rows, table);
  if (rows.problem) {
    rows.problem->offset += static_cast<std::uint32_t>(skipped);
    table.problems.push_back(*std::move(rows.problem));
  }
  return table;
}

}  // namespace assay
