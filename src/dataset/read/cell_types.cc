// Converts the texts of cells.
#include "dataset/read/cell_types.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "dataset/read/places.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/template/written.h"

namespace assay::dataset {

namespace {

bool IsWhole(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return IsAsciiDigit(c); });
}

bool ToBool(std::string_view text, Value& value) {
  const std::string word = AsciiLower(text);
  const bool is_true = word == "true" || word == "yes" || word == "1";
  const bool is_false = word == "false" || word == "no" || word == "0";
  if (is_true || is_false) value = Value(is_true);
  return is_true || is_false;
}

List Parts(std::string_view text, std::string_view separator) {
  List parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    const std::string_view part = JsTrim(text.substr(start, end - start));
    if (!part.empty()) parts.push_back(Value(part));
    start = end + separator.size();
  }
  return parts;
}

// The places of the values inside a cell; a quote of the text takes two bytes of the file.
bool ToJson(const std::string& text, Span inside, Value& value) {
  Result<Value> json = ParseJson(text);
  if (!json) return false;
  std::vector<std::uint32_t> quotes;
  for (std::size_t at = text.find('"'); at != std::string::npos && inside.length != text.size();
       at = text.find('"', at + 1))
    quotes.push_back(static_cast<std::uint32_t>(at));
  value = *std::move(json);
  MovePlaces(value, inside.file, [&](std::uint32_t offset) {
    const auto before = std::lower_bound(quotes.begin(), quotes.end(), offset) - quotes.begin();
    return inside.offset + offset + static_cast<std::uint32_t>(before);
  });
  return true;
}

}  // namespace

const CellType* TypeOfColumn(const Options& options, std::string_view name) {
  if (options.types.empty()) return nullptr;
  const auto renamed = std::find_if(options.renames.begin(), options.renames.end(),
                                    [name](const auto& rename) { return rename.second.text == name; });
  for (const auto& [column, type] : options.types) {
    if (column.text == name || (renamed != options.renames.end() && column.text == renamed->first))
      return &type;
  }
  return nullptr;
}

std::string_view TypeName(const CellType& type) {
  switch (type.kind) {
    case CellType::kText:
      return "a text";
    case CellType::kNumber:
      return "a number such as 0.5";
    case CellType::kInteger:
      return "a whole number";
    case CellType::kBoolean:
      return "true, yes, 1, false, no or 0";
    case CellType::kList:
      return "a list";
    case CellType::kJson:
      return "JSON";
  }
  return "";
}

bool ConvertCell(const CellType& type, const std::string& text, Value& value) {
  const Span inside = value.span;
  bool is_done = true;
  switch (type.kind) {
    case CellType::kText:
      break;
    case CellType::kNumber:
    case CellType::kInteger:
      is_done = type.kind == CellType::kNumber ? IsPlainNumber(text) : IsWhole(text);
      if (is_done) value = Value(*PlainNumber(text));
      break;
    case CellType::kBoolean:
      is_done = ToBool(text, value);
      break;
    case CellType::kList:
      value = Value(Parts(text, type.separator));
      break;
    case CellType::kJson:
      return ToJson(text, inside, value);
  }
  value.span = inside;
  return is_done;
}

}  // namespace assay::dataset
