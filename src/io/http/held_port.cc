// Reads the system's table of TCP connections: "sl local_address rem_address st tx:rx tr:tm retrnsmt uid
// timeout inode …", numbers in hex, inode decimal.
#include "io/http/held_port.h"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

namespace assay {

namespace {

constexpr int kHex = 16;
constexpr unsigned kListens = 0x0A;

// The port of "0100007F:1F90"; nothing: it is no address.
std::optional<std::uint16_t> PortOf(std::string_view address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::uint16_t port = 0;
  const char* const end = address.data() + address.size();
  const auto read = std::from_chars(address.data() + colon + 1, end, port, kHex);
  return read.ec == std::errc() && read.ptr == end ? std::optional(port) : std::nullopt;
}

}  // namespace

bool HoldsPort(std::string_view table, std::uint16_t port) {
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string place, local, remote, queues, timer, retries, user, timeout, inode;
    unsigned state = 0;
    words >> place >> local >> remote >> std::hex >> state >> std::dec >> queues >> timer >> retries >>
        user >> timeout >> inode;
    // A connection without an inode belongs to no process any more.
    if (words && PortOf(local) == port && state != kListens && inode != "0") return true;
  }
  return false;
}

std::optional<bool> IsPortHeld(std::uint16_t port) {
  std::optional<bool> is_held;
  for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(path);
    if (!file) continue;
    std::ostringstream table;
    table << file.rdbuf();
    is_held = is_held.value_or(false) || HoldsPort(table.str(), port);
  }
  return is_held;
}

}  // namespace assay
