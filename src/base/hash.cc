// SHA-256 over input in pieces: buffering, padding, and the digest in hex.
#include "base/hash.h"

#include <algorithm>
#include <cstring>

#include "base/errors/assert.h"
#include "base/sha256_blocks.h"

namespace assay {

namespace {

void TakeBlocks(Sha256State& state, const std::uint8_t* blocks, std::size_t count) {
  static const Sha256Form& form = *std::ranges::find(Sha256Forms(), true, &Sha256Form::runs_here);
  form.take(state, blocks, count);
}

}  // namespace

Sha256::Sha256()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {
}

void Sha256::Update(std::string_view bytes) {
  if (bytes.empty()) return;  // its pointer may be null, which memcpy must not see
  std::size_t held = length_bytes_ % kSha256BlockBytes;
  length_bytes_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(bytes.size(), kSha256BlockBytes - held);
    std::memcpy(buffer_.data() + held, bytes.data(), taken);
    bytes.remove_prefix(taken);
    held += taken;
    if (held < kSha256BlockBytes) return;
    TakeBlocks(state_, buffer_.data(), 1);
  }
  const std::size_t blocks = bytes.size() / kSha256BlockBytes;
  TakeBlocks(state_, reinterpret_cast<const std::uint8_t*>(bytes.data()), blocks);
  bytes.remove_prefix(blocks * kSha256BlockBytes);
  if (!bytes.empty()) std::memcpy(buffer_.data(), bytes.data(), bytes.size());
}

Digest Sha256::Finish() {
  const std::uint64_t length_bits = length_bytes_ * 8;
  // 0x80, then zeros up to eight bytes before the end of a block, then the length.
  const std::size_t held = length_bytes_ % kSha256BlockBytes;
  const std::size_t zeros = (held < 56 ? 55 : 119) - held;
  std::array<char, 2 * kSha256BlockBytes> padding{};
  padding[0] = static_cast<char>(0x80);
  for (std::size_t i = 0; i < 8; ++i) padding[1 + zeros + i] = static_cast<char>(length_bits >> (56 - 8 * i));
  Update({padding.data(), 1 + zeros + 8});
  Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

Digest Sha256Of(std::string_view bytes) {
  Sha256 hash;
  hash.Update(bytes);
  return hash.Finish();
}

std::string Hex(const Digest& digest) { return HexPrefix(digest, 2 * digest.size()); }

std::string HexPrefix(const Digest& digest, std::size_t digits) {
  ASSAY_ASSERT(digits <= 2 * digest.size());
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(digits);
  for (std::size_t i = 0; i < digits; ++i)
    text.push_back(kDigits[(digest[i / 2] >> (i % 2 == 0 ? 4 : 0)) & 0xf]);
  return text;
}

}  // namespace assay
