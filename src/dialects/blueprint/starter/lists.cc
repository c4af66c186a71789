// Looks at the cells of columns that may be lists.
#include "dialects/blueprint/starter/lists.h"

#include <algorithm>

#include "dialects/blueprint/starter/columns.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay::blueprint {

namespace {

// Filled cells of a column whose values are texts; empty of others.
std::vector<std::string_view> TextsOfColumn(const dataset::Table& table, const std::string& column) {
  std::vector<std::string_view> texts;
  for (const dataset::Row& row : table.rows) {
    const Value* value = row.cells.Find(column);
    if (value == nullptr || value->is_nullish()) continue;
    if (!value->is_string()) return {};
    texts.push_back(value->AsString());
  }
  return texts;
}

bool AreJsonLists(const std::vector<std::string_view>& texts) {
  return std::all_of(texts.begin(), texts.end(), [](std::string_view text) {
    if (!JsTrim(text).starts_with('[')) return false;
    const Result<Value> value = ParseJson(JsTrim(text));
    return value && value->is_list();
  });
}

// Choices stand in every row; a criterion may be the only one of its row.
std::string SeparatorOf(const std::vector<std::string_view>& texts, bool in_all) {
  for (const std::string_view separator : {"\n", ";", "|"}) {
    const auto with =
        static_cast<std::size_t>(std::count_if(texts.begin(), texts.end(), [&](std::string_view text) {
          return text.find(separator) != std::string_view::npos;
        }));
    if (in_all ? with == texts.size() : with * 2 >= texts.size()) return std::string(separator);
  }
  return {};
}

}  // namespace

std::vector<ListColumn> ListsInCells(const dataset::Table& table) {
  std::vector<ListColumn> lists;
  for (const std::string& column : table.columns) {
    const ColumnRole role = RoleOfName(column).role;
    const bool is_criterion = role == ColumnRole::kShould || role == ColumnRole::kShouldNot;
    if (role != ColumnRole::kChoices && !is_criterion) continue;
    const std::vector<std::string_view> texts = TextsOfColumn(table, column);
    if (texts.empty()) continue;
    if (AreJsonLists(texts)) {
      lists.push_back({column, ""});
    } else if (std::string separator = SeparatorOf(texts, !is_criterion); !separator.empty()) {
      lists.push_back({column, std::move(separator)});
    }
  }
  return lists;
}

std::vector<std::pair<std::string, std::string>> RenamedColumns(const dataset::Table& table) {
  std::vector<std::pair<std::string, std::string>> renamed;
  for (const std::string& column : table.columns) {
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
    while (name.empty() || std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end())
      name += name.empty() ? "column" : "_";
    renamed.emplace_back(std::move(name), column);
  }
  return renamed;
}

}  // namespace assay::blueprint
