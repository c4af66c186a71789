// Asks the system for the zone at each time, since summer changes it.
#include "engine/local_time.h"

#include <fmt/core.h>

#include <cstdlib>
#include <ctime>

namespace assay {

namespace {

constexpr std::int64_t kMsPerSecond = 1000;
constexpr int kSecondsPerMinute = 60;
constexpr int kMinutesPerHour = 60;

std::tm PartsOf(std::int64_t ms) {
  const auto seconds = static_cast<std::time_t>(ms / kMsPerSecond);
  std::tm local{};
  localtime_r(&seconds, &local);
  return local;
}

}  // namespace

std::int32_t UtcOffsetMinutes(std::int64_t ms) {
  return static_cast<std::int32_t>(PartsOf(ms).tm_gmtoff / kSecondsPerMinute);
}

std::string ZoneText(std::int32_t offset_min) {
  if (offset_min == 0) return "UTC";
  const int size = std::abs(offset_min);
  return fmt::format("UTC{}{:02}:{:02}", offset_min < 0 ? '-' : '+', size / kMinutesPerHour,
                     size % kMinutesPerHour);
}

LocalTime LocalTimeOf(std::int64_t ms) {
  const std::tm parts = PartsOf(ms);
  return {.text = fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                              parts.tm_mday, parts.tm_hour, parts.tm_min),
          .zone = ZoneText(static_cast<std::int32_t>(parts.tm_gmtoff / kSecondsPerMinute))};
}

}  // namespace assay
