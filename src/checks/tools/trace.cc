// Reads TOOL_CALL lines out of an answer; a line that is no valid call is skipped.
#include "checks/tools/trace.h"
#include "text/found.h"

#include <algorithm>
#include <optional>

#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay {
namespace {

constexpr std::string_view kMarker = "TOOL_CALL ";

std::optional<TracedCall> ParseLine(std::string_view line) {
  line = JsTrim(line);
  if (!line.starts_with(kMarker)) return std::nullopt;
  const Result<Value> call = ParseJson(JsTrim(line.substr(kMarker.size())));
  if (!call.has_value()) return std::nullopt;
  const std::string* name = FindText(*call, "name");
  if (name == nullptr) return std::nullopt;
  const Value* arguments = call->Find("arguments");
  return TracedCall{*name, arguments == nullptr ? Value() : *arguments};
}

}  // namespace

std::vector<TracedCall> ParseToolTrace(std::string_view text) {
  std::vector<TracedCall> calls;
  if (text.find(kMarker) == std::string_view::npos) return calls;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (std::optional<TracedCall> call = ParseLine(text.substr(start, end - start)))
      calls.push_back(std::move(*call));
    start = end + 1;
  }
  return calls;
}

}  // namespace assay
