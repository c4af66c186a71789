// Reads array indices.
#include "text/javascript/own_keys.h"

namespace assay {

std::optional<std::uint32_t> ArrayIndex(std::string_view key) {
  if (key.empty() || key.size() > 10 || (key[0] == '0' && key.size() > 1)) return std::nullopt;
  std::uint64_t index = 0;
  for (const char c : key) {
    if (c < '0' || c > '9') return std::nullopt;
    index = index * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (index >= 0xffffffffu) return std::nullopt;
  return static_cast<std::uint32_t>(index);
}

}  // namespace assay
