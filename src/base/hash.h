// SHA-256 (FIPS 180-4), for content addresses, prompt ids and config hashes. Not for secrets.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

using Digest = std::array<std::uint8_t, 32>;

class Sha256 {
 public:
  Sha256();
  void Update(std::string_view bytes);
  Digest Finish();  // once

 private:
  std::array<std::uint32_t, 8> state_;
  std::array<std::uint8_t, 64> buffer_{};
  std::uint64_t length_bytes_ = 0;
};

Digest Sha256Of(std::string_view bytes);
std::string Hex(const Digest& digest);                            // 64 lower-case digits
std::string HexPrefix(const Digest& digest, std::size_t digits);  // the first `digits` (<= 64)

}  // namespace assay
