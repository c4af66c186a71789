// Rows stand in the details of their cases, so that exports need no table.
#include "report/export/kept_columns.h"

#include <algorithm>

#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kRow = "row";
constexpr std::string_view kColumnPrefix = "row.";

}  // namespace

std::vector<std::string> KeptColumns(const Suite& suite) {
  std::vector<std::string> columns;
  for (const Case& the_case : suite.cases) {
    for (const Member& member : the_case.details.MapAt(kRow)) {
      if (std::find(columns.begin(), columns.end(), member.key) == columns.end())
        columns.push_back(member.key);
    }
  }
  return columns;
}

void AppendKept(const std::vector<std::string>& columns, const Case& the_case, Map& line) {
  const Map& row = the_case.details.MapAt(kRow);
  for (const std::string& column : columns) {
    const Value* value = row.Find(column);
    line.Append(std::string(kColumnPrefix) + column, value == nullptr ? Value(Null{}) : *value);
  }
}

std::string KeptText(const std::string& column, const Case& the_case) {
  const Map& row = the_case.details.MapAt(kRow);
  if (const std::string* text = FindText(row, column)) return *text;
  const Value* value = row.Find(column);
  return value == nullptr ? std::string() : WriteJson(*value, JsonStyle::kJavaScript);
}

}  // namespace assay
