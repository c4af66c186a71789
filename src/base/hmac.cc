// Two hashes, the inner one over the key and the text.
#include "base/hmac.h"

#include <string>

namespace assay {

namespace {

std::string BytesOf(const Digest& digest) { return std::string(digest.begin(), digest.end()); }

}  // namespace

Digest HmacSha256(std::string_view key, std::string_view text) {
  constexpr std::size_t kBlock = 64;
  constexpr char kInner = 0x36;
  constexpr char kOuter = 0x5c;
  std::string block(key.size() > kBlock ? BytesOf(Sha256Of(key)) : std::string(key));
  block.resize(kBlock, '\0');
  std::string inner;
  std::string outer;
  for (const char c : block) {
    inner += static_cast<char>(c ^ kInner);
    outer += static_cast<char>(c ^ kOuter);
  }
  return Sha256Of(outer + BytesOf(Sha256Of(inner.append(text))));
}

}  // namespace assay
