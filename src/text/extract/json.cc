// The step `json`: a value of the JSON in the answer, by its path. Texts come bare, numbers as they are
// written, lists and mappings as JSON; null is nothing.
#include <fmt/core.h>

#include "text/extract/steps.h"
#include "text/json/find_json.h"
#include "text/json/json.h"
#include "text/template/path.h"
#include "text/template/written.h"

namespace assay {

namespace {

constexpr std::string_view kRoot = "root";

struct JsonStep {
  RowPath path;
};

}  // namespace

Result<ExtractArgument> ReadJsonStep(const Value& argument) {
  std::string path(kRoot);
  if (argument.is_string() && !argument.AsString().empty()) {
    std::string_view written = argument.AsString();
    if (written.starts_with('$')) written.remove_prefix(1);
    if (written.starts_with('.')) written.remove_prefix(1);
    if (!written.empty() && !written.starts_with('[')) path += '.';
    path += written;
  } else if (!(argument.is_bool() && argument.AsBool())) {
    return BadStep("true, or a path such as $.answer", argument);
  }
  std::size_t at = 0;
  std::optional<RowPath> read = ReadRowPath(path, at);
  if (!read || at != path.size()) return BadStep("a path such as $.answer or $.items[0].name", argument);
  return ExtractArgument{.value = std::make_shared<const JsonStep>(JsonStep{*std::move(read)})};
}

Result<std::vector<FoundPart>> FindJsonPart(std::string_view text, const void* argument) {
  std::vector<FoundPart> parts;
  std::optional<FoundJson> found = FindJsonAt(text);
  if (!found) return parts;
  Map row;
  row.Append(std::string(kRoot), std::move(found->value));
  const std::optional<const Value*> value = FindAt(row, static_cast<const JsonStep*>(argument)->path);
  if (!value || (*value)->is_nullish()) return parts;
  const Value& part = **value;
  TextRange where{found->where.from + part.span.offset, 0};
  where.to = where.from + part.span.length;
  if (where.to > text.size()) where = found->where;
  const std::string_view written = text.substr(where.from, where.to - where.from);
  if (part.is_string()) {
    parts.push_back({.where = where, .text = part.AsString()});
  } else if (part.is_number() && PlainNumber(written) == part.AsNumber()) {
    parts.push_back({.where = where});
  } else {
    parts.push_back({.where = where, .text = WriteJson(part, JsonStyle::kJavaScript)});
  }
  return parts;
}

}  // namespace assay
