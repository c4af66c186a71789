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

Result<double> ParseSeconds(std::string_view text, double least, double most) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit kUnits[] = {{"ms", 0.001}, {"s", 1},    {"sec", 1},   {"m", 60},
                             {"min", 60},   {"h", 3600}, {"d", 86'400}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto known = std::find_if(std::begin(kUnits), std::end(kUnits),
                                  [unit](const Unit& each) { return each.name == unit; });
  const bool is_known = unit.empty() || known != std::end(kUnits);
  const double seconds = number * (unit.empty() || !is_known ? 1 : known->seconds);
  if (error != std::errc() || !is_known || !(seconds >= least && seconds <= most)) {
    return BadValue(fmt::format("seconds from {} to {}, or a time such as 90s, 10m or 2h", least, most),
                    text);
  }
  return seconds;
}

std::string PlainSeconds(std::string_view text) {
  const Result<double> seconds = ParseSeconds(text, 0, 1e9);
  return seconds ? fmt::format("{}", *seconds) : std::string(text);
}

}  // namespace assay
