// The names of the sandbox levels.
#include "io/sandbox/sandbox.h"

#include <array>

namespace assay {

namespace {

constexpr std::array<std::string_view, 3> kNames = {"ns", "landlock", "none"};

}  // namespace

std::string_view SandboxLevelName(SandboxLevel level) { return kNames[static_cast<std::size_t>(level)]; }

std::optional<SandboxLevel> FindSandboxLevel(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<SandboxLevel>(i);
  }
  return std::nullopt;
}

}  // namespace assay
