// How zones are written.
#include "engine/local_time.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("a zone is so many hours and minutes from UTC") {
  CHECK(ZoneText(0) == "UTC");
  CHECK(ZoneText(330) == "UTC+05:30");
  CHECK(ZoneText(-195) == "UTC-03:15");
  CHECK(ZoneText(840) == "UTC+14:00");
  const LocalTime time = LocalTimeOf(1'700'000'000'000);
  CHECK(time.zone == ZoneText(UtcOffsetMinutes(1'700'000'000'000)));
  CHECK(time.whole() == time.text + " " + time.zone);
}

}  // namespace assay
