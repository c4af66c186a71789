// is-xml and contains-xml: whether the output is XML, or holds some, with the elements that are wanted.
//   value   nothing, or paths of elements: "a.b,c.d", a list, or {requiredElements: a list}
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "checks/promptfoo/families.h"
#include "checks/promptfoo/markup/tree.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

constexpr std::string_view kHasAll = "XML is valid and contains all required elements";

std::vector<std::string> PathsOfList(const List& list) {
  std::vector<std::string> paths;
  for (const Value& item : list) paths.push_back(JsString(item));
  return paths;
}

Result<std::vector<std::string>> WantedPaths(const AssertionCall& call) {
  const Value& value = call.value;
  if (value.is_nullish()) return std::vector<std::string>();
  if (value.is_list()) return PathsOfList(value.AsList());
  if (value.is_map() && value.AsMap().empty()) return std::vector<std::string>();
  if (const List* listed = FindList(value, "requiredElements")) return PathsOfList(*listed);
  if (!value.is_string()) return BadValue(call, "paths of elements, or {requiredElements: a list of them}");
  std::vector<std::string> paths;
  const std::string_view text = value.AsString();
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    paths.emplace_back(JsTrim(text.substr(start, end - start)));
    start = end + 1;
  }
  return paths;
}

std::vector<std::string> MissingPaths(std::string_view xml, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return {};
  std::vector<std::string> missing;
  const XmlElement root = ReadElements(xml);
  for (const std::string& path : wanted) {
    if (!HasPath(root, path)) missing.push_back(path);
  }
  return missing;
}

}  // namespace

Result<AssertionResult> RunIsXml(const AssertionCall& call) {
  ASSAY_TRY(const std::vector<std::string> wanted, WantedPaths(call));
  if (const std::optional<std::string> fault = XmlFault(call.text))
    return Verdict(call, false, "XML parsing failed: " + *fault);
  const std::vector<std::string> missing = MissingPaths(call.text, wanted);
  if (call.negated()) return Verdict(call, missing.empty(), kHasAll);
  return Verdict(call, missing.empty(),
                 fmt::format("XML is missing required elements: {}", fmt::join(missing, ", ")));
}

Result<AssertionResult> RunContainsXml(const AssertionCall& call) {
  ASSAY_TRY(const std::vector<std::string> wanted, WantedPaths(call));
  const std::vector<std::string_view> parts = BalancedParts(call.text);
  bool holds = false;
  for (const std::string_view part : parts) holds = holds || MissingPaths(part, wanted).empty();
  return Verdict(call, holds,
                 call.negated()  ? kHasAll
                 : parts.empty() ? "No XML content found in the output"
                                 : "No valid XML content found matching the requirements");
}

}  // namespace assay::promptfoo
