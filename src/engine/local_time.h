// Times in the zone of whoever reads them, wherever and by whom they were stored.
#pragma once

#include <cstdint>
#include <string>

namespace assay {

// How far the reader's zone is ahead of UTC at this time.
std::int32_t UtcOffsetMinutes(std::int64_t ms);

// "UTC", "UTC+05:30"
std::string ZoneText(std::int32_t offset_min);

struct LocalTime {
  std::string text;  // "2026-11-21 22:05"
  std::string zone;  // "UTC+01:00"

  std::string whole() const { return text + " " + zone; }
};
// `ms`: wall clock, since 1970.
LocalTime LocalTimeOf(std::int64_t ms);

}  // namespace assay
