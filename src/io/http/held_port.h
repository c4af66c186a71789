// Who still holds connections of a port of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

// Whether some process still holds a TCP connection at this port, other than one that only waits for its
// time to pass. A process that listened there before can keep them, and a browser sends its next request
// over one of them. Nothing: this system does not tell (proc_pid_net(5): /proc/net/tcp).
std::optional<bool> IsPortHeld(std::uint16_t port);
// The same of the lines of such a table.
bool HoldsPort(std::string_view table, std::uint16_t port);

}  // namespace assay
