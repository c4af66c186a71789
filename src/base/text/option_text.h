// Parses the values of command-line options: numbers within a range, and switches (on/off); an Error says
// what was expected.
#pragma once

#include <fmt/core.h>

#include <charconv>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

// "expected a number from 1 to 25, found \"x\""
Error BadValue(std::string_view expected, std::string_view text);

// Of a switch: true, 1, on and yes, or false, 0, off and no.
Result<bool> ParseSwitch(std::string_view text);

// A time in seconds, or with its unit: "90", "90s", "500ms", "10m", "2h", "1d".
Result<double> ParseSeconds(std::string_view text, double least, double most);
// The same as a plain number of seconds; the text as it is where it is no time.
std::string PlainSeconds(std::string_view text);

template <class Number>
Result<Number> ParseNumber(std::string_view text, Number least, Number most) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= least && number <= most)) {
    return BadValue(fmt::format("a number from {} to {}", least, most), text);
  }
  return number;
}

}  // namespace assay
