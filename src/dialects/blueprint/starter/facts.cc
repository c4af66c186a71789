// Counts values, and keeps the places that messages name.
#include "dialects/blueprint/starter/facts.h"

#include <fmt/core.h>

#include "dataset/select/ids.h"
#include "dialects/blueprint/starter/answers.h"
#include "text/javascript/text.h"
#include "text/template/written.h"

namespace assay::blueprint {

namespace {

constexpr std::size_t kPlacesNamed = 5;

}  // namespace

dataset::Row PlaceAlone(const dataset::Row& row) {
  dataset::Row place;
  place.where = row.where;
  place.line = row.line;
  place.number = row.number;
  return place;
}

std::string_view CellText(const dataset::Row& row, std::string_view column, const SourceFiles& sources,
                          std::string& made) {
  const Value* value = row.cells.Find(column);
  if (value == nullptr || value->is_nullish()) return {};
  if (value->is_string()) return value->AsString();
  made = WrittenText(*value, sources).value_or(WrittenJson(*value, sources));
  return made;
}

bool IsBlankText(std::string_view text) { return JsTrim(text).empty(); }

void Places::Add(const dataset::Row& row) {
  if (++count_ <= kPlacesNamed) first_.push_back(PlaceAlone(row));
}

std::string Places::Words(const SourceFiles& sources) const {
  std::string words;
  for (const dataset::Row& row : first_)
    words += fmt::format("{}{}", words.empty() ? "" : ", ", dataset::PlaceOfRow(row, sources));
  return count_ <= kPlacesNamed ? words : fmt::format("{} and {} more", words, count_ - kPlacesNamed);
}

void TableFacts::Add(const std::vector<std::string>& names, const dataset::Row& row) {
  if (rows++ == 0) {
    for (const std::string& name : names) columns.push_back({.name = name, .named = RoleOfName(name)});
  }
  // Where a later row has a column more, all of them come again.
  if (names.size() != columns.size()) return;
  for (ColumnFacts& column : columns) AddCell(row, column);
}

void TableFacts::AddCell(const dataset::Row& row, ColumnFacts& column) {
  std::string made;
  const Value* value = row.cells.Find(column.name);
  const std::string_view text = CellText(row, column.name, *sources_, made);
  column.bytes += text.size();
  if (IsBlankText(text)) {
    column.blank.Add(row);
    column.has_blanks_of_text = column.has_blanks_of_text || (value != nullptr && value->is_string());
  } else {
    ++column.filled;
  }
  if (value != nullptr && !value->is_nullish()) column.lists.Add(*value);
  column.are_conversations = column.are_conversations && value != nullptr && value->is_list() &&
                             !value->AsList().empty() && value->AsList().front().is_map();
  const auto has_choices = [&](const std::string& list) {
    return ChoicesOf(row, {{}, list}, *sources_).size() >= 2;
  };
  switch (column.named.role) {
    case ColumnRole::kId:
      return AddId(row, text, column);
    case ColumnRole::kChoices:
      column.are_lists = column.are_lists && has_choices(column.name);
      column.are_lists_of_texts = column.are_lists_of_texts && has_choices(column.name + ".text");
      return;
    case ColumnRole::kStatus:
      if (column.values.size() <= kStatusValuesMax) ++column.values[std::string(text)];
      return;
    default:
      return;
  }
}

void TableFacts::AddId(const dataset::Row& row, std::string_view text, ColumnFacts& column) {
  if (!column.id_fault.empty()) return;
  column.has_slash = column.has_slash || text.find('/') != std::string_view::npos;
  if (IsBlankText(text)) {
    column.id_fault = {PlaceAlone(row)};
    column.ids = {};
    return;
  }
  dataset::Row named = PlaceAlone(row);
  named.id = text;
  const std::optional<std::size_t> first = column.ids.Find(named);
  if (!first) return;
  dataset::Row earlier;
  earlier.where = {column.ids.At(*first).file, column.ids.At(*first).offset, 0};
  column.id_fault = {std::move(earlier), std::move(named)};
  column.id_twice = text;
  column.ids = {};
}

}  // namespace assay::blueprint
