// Unit tests of held_port.h.
#include "io/http/held_port.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace assay {
namespace {

TEST_CASE("a port is held by the connections of processes, not by those that wait for their end") {
  struct Row {
    std::string_view what;
    std::string_view local;
    std::string_view state;
    std::string_view inode;
    bool is_held;
  };
  const Row rows[] = {
      {"established", "0100007F:1F90", "01", "4711", true},
      {"the other side has closed", "0100007F:1F90", "08", "4711", true},
      {"of an IPv6 socket", "0000000000000000FFFF00000100007F:1F90", "01", "4711", true},
      {"at another port", "0100007F:1F91", "01", "4711", false},
      {"a client's connection to the port", "0100007F:C001", "01", "4711", false},
      {"waits for its time to pass", "0100007F:1F90", "06", "0", false},
      {"left by a process that ended", "0100007F:1F90", "05", "0", false},
      {"a listener", "0100007F:1F90", "0A", "4711", false},
      {"no address", "1F90", "01", "4711", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const std::string table = fmt::format(
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        "   0: {} 0100007F:1F90 {} 00000000:00000000 00:00000000 00000000  1000        0 {} 1 0 20 4 30 10 "
        "-1\n",
        row.local, row.state, row.inode);
    CHECK(HoldsPort(table, 0x1F90) == row.is_held);
  }
  CHECK_FALSE(HoldsPort("", 1));
}

}  // namespace
}  // namespace assay
