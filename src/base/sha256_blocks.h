// The inner loop of SHA-256 in two forms, portable and with the processor's SHA instructions; both give the
// same state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace assay {

inline constexpr std::size_t kSha256BlockBytes = 64;
using Sha256State = std::array<std::uint32_t, 8>;

// Take `count` blocks of 64 bytes into the state.
void Sha256BlocksPortable(Sha256State& state, const std::uint8_t* blocks, std::size_t count);
// Only where HasShaInstructions().
void Sha256BlocksAccelerated(Sha256State& state, const std::uint8_t* blocks, std::size_t count);
bool HasShaInstructions();

}  // namespace assay
