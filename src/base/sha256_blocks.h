// The inner loop of SHA-256 in the forms that processors are good at; all give the same state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

inline constexpr std::size_t kSha256BlockBytes = 64;
using Sha256State = std::array<std::uint32_t, 8>;

struct Sha256Form {
  const char* name;
  bool runs_here;  // on this processor
  // Takes `count` blocks of 64 bytes into the state.
  void (*take)(Sha256State& state, const std::uint8_t* blocks, std::size_t count);
};

// The fastest first; the last one is portable and runs everywhere.
std::span<const Sha256Form> Sha256Forms();

}  // namespace assay
