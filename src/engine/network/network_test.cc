// Tests of the network deadlines that options set.
#include "engine/network/network.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("who gives a try more time gives its first byte as much") {
  Granted granted;
  CHECK(NetworkOptions(granted).first_byte == std::chrono::minutes(10));
  CHECK(NetworkOptions(granted).idle == std::chrono::minutes(2));
  granted.calls.timeout_s = 1800;
  granted.calls.idle_timeout_s = 0.5;
  CHECK(NetworkOptions(granted).first_byte == std::chrono::minutes(30));
  CHECK(NetworkOptions(granted).idle == std::chrono::milliseconds(500));
}

}  // namespace assay
