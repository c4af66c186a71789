// The step `line`: lines that are not blank.
#include <algorithm>

#include "text/extract/steps.h"
#include "text/javascript/text.h"

namespace assay {

Result<ExtractArgument> ReadLineStep(const Value& argument) {
  const std::optional<std::size_t> pick = PickOf(argument);
  if (!pick) return BadStep("last, first, or a number from 1", argument);
  return ExtractArgument{.pick = pick};
}

Result<std::vector<FoundPart>> FindLines(std::string_view text, const void*) {
  std::vector<FoundPart> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (!JsTrim(text.substr(at, end - at)).empty()) parts.push_back({.where = {at, end}});
    at = end + 1;
  }
  return parts;
}

}  // namespace assay
