// Formats counts, durations, money and foreign text for people, the same way in all commands.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "run/progress.h"

namespace assay {

// "0:42", "1:02:03"
std::string DurationText(std::chrono::milliseconds duration);
// "1,204"
std::string CountText(std::uint64_t count);
// "1 case", "1,204 cases", "2 retries"
std::string Counted(std::uint64_t count, std::string_view noun);
// "3 errors (2 timeout, 1 network)"
std::string CountedByClass(std::uint64_t count, std::string_view noun, const CountByError& classes);
// "$0", "$0.0012", "$3.40"
std::string UsdText(double usd);

// Control characters, invisible and reordering ones escaped; line ends too.
std::string Printable(std::string_view text);
// The same, but line ends stay, for answers of several lines.
std::string PrintableLines(std::string_view text);
// Columns that a terminal gives the text: wide characters take two, combining ones none.
std::size_t DisplayWidth(std::string_view text);
// At most `columns` wide, ending in "…" if something was cut.
std::string CutToWidth(std::string_view text, std::size_t columns);

}  // namespace assay
