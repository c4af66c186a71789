// Parses switches, and words the error about a bad value.
#include "base/text/option_text.h"

#include <algorithm>
#include <iterator>

#include "base/errors/diagnostics.h"

namespace assay {

Error BadValue(std::string_view expected, std::string_view text) {
  return Error{ErrorCode::kInvalidInput, fmt::format("expected {}, found {}", expected, Quoted(text))};
}

Result<bool> ParseSwitch(std::string_view text) {
  constexpr std::string_view kOn[] = {"true", "1", "on", "yes"};
  constexpr std::string_view kOff[] = {"false", "0", "off", "no"};
  const auto is_text = [text](std::string_view each) { return each == text; };
  if (std::any_of(std::begin(kOn), std::end(kOn), is_text)) return true;
  if (std::any_of(std::begin(kOff), std::end(kOff), is_text)) return false;
  return BadValue("true or false", text);
}

}  // namespace assay
