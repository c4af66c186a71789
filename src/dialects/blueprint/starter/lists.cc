// Looks at the cells of columns that may be lists.
#include "dialects/blueprint/starter/lists.h"

#include <algorithm>

#include "dialects/blueprint/starter/facts.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay::blueprint {

namespace {

bool IsJsonList(std::string_view text) {
  if (!JsTrim(text).starts_with('[')) return false;
  const Result<Value> value = ParseJson(JsTrim(text));
  return value && value->is_list();
}

// Choices stand in every row; a criterion may be the only one of its row.
std::string SeparatorOf(const ListFacts& facts, bool in_all) {
  for (std::size_t i = 0; i < facts.with.size(); ++i) {
    if (in_all ? facts.with[i] == facts.texts : facts.with[i] * 2 >= facts.texts)
      return std::string(ListFacts::kSeparators[i]);
  }
  return {};
}

}  // namespace

void ListFacts::Add(const Value& value) {
  are_texts = are_texts && value.is_string();
  if (!are_texts) return;
  const std::string_view text = value.AsString();
  ++texts;
  are_json = are_json && IsJsonList(text);
  for (std::size_t i = 0; i < with.size(); ++i)
    with[i] += text.find(kSeparators[i]) == std::string_view::npos ? 0 : 1;
}

std::vector<ListColumn> ListsInCells(const std::vector<ColumnFacts>& columns) {
  std::vector<ListColumn> lists;
  for (const ColumnFacts& column : columns) {
    const ColumnRole role = column.named.role;
    const bool is_criterion = role == ColumnRole::kShould || role == ColumnRole::kShouldNot;
    if (role != ColumnRole::kChoices && !is_criterion) continue;
    if (!column.lists.are_texts || column.lists.texts == 0) continue;
    if (column.lists.are_json) {
      lists.push_back({column.name, ""});
    } else if (std::string separator = SeparatorOf(column.lists, !is_criterion); !separator.empty()) {
      lists.push_back({column.name, std::move(separator)});
    }
  }
  return lists;
}

std::vector<std::pair<std::string, std::string>> RenamedColumns(const std::vector<std::string>& columns) {
  std::vector<std::pair<std::string, std::string>> renamed;
  for (const std::string& column : columns) {
    std::string name;
    for (const char c : column) {
      const bool is_control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
      if (!is_control) {
        name += c;
      } else if (!name.empty() && !name.ends_with(' ')) {
        name += ' ';
      }
    }
    if (name == column) continue;
    while (name.empty() || std::find(columns.begin(), columns.end(), name) != columns.end())
      name += name.empty() ? "column" : "_";
    renamed.emplace_back(std::move(name), column);
  }
  return renamed;
}

}  // namespace assay::blueprint
