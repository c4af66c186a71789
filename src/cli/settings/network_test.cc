// Deadlines of the network as the command line has them.
#include "cli/settings/network.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("who gives a try more time gives its first byte as much") {
  Options options;
  CHECK(NetworkOptions(options).first_byte == std::chrono::minutes(10));
  CHECK(NetworkOptions(options).idle == std::chrono::minutes(2));
  options.timeout_s = 1800;
  options.idle_timeout_s = 0.5;
  CHECK(NetworkOptions(options).first_byte == std::chrono::minutes(30));
  CHECK(NetworkOptions(options).idle == std::chrono::milliseconds(500));
}

}  // namespace assay
