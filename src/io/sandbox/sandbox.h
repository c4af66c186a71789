// SandboxLevel: how strongly foreign programs are isolated from the machine. docs/sandbox.md says what each
// level stops.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

enum class SandboxLevel : std::uint8_t {
  kNamespaces,  // own processes, files, network, names; nothing of the machine but the toolchain
  kLandlock,    // where namespaces are forbidden: the kernel checks paths and system calls
  kNone,        // limits only
};

std::string_view SandboxLevelName(SandboxLevel level);  // "ns", "landlock", "none"
std::optional<SandboxLevel> FindSandboxLevel(std::string_view name);

}  // namespace assay
