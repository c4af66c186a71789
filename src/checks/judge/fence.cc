// Computes the marker code by hashing all fenced contents until no content holds it.
#include "checks/judge/fence.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "text/chat_tokens.h"

namespace assay {
namespace {

constexpr std::size_t kFenceDigits = 16;

bool AnyHolds(std::initializer_list<std::string_view> contents, std::string_view code) {
  return std::any_of(contents.begin(), contents.end(), [code](std::string_view content) {
    return content.find(code) != std::string_view::npos;
  });
}

}  // namespace

Fence::Fence(std::initializer_list<std::string_view> contents) {
  Sha256 hash;
  for (const std::string_view content : contents) {
    hash.Update(fmt::format("{}:", content.size()));
    hash.Update(content);
  }
  const Digest digest = hash.Finish();
  code_ = HexPrefix(digest, kFenceDigits);
  // A text that holds its own digest cannot be made in practice, and is not trusted to luck either.
  for (std::uint64_t round = 0; AnyHolds(contents, code_); ++round) {
    code_ = HexPrefix(Sha256Of(fmt::format("{}{}", round, Hex(digest))), kFenceDigits);
  }
}

std::string Fence::Around(std::string_view label, std::string_view content) const {
  return fmt::format("[[{0} {1}]]\n{2}\n[[END OF {0} {1}]]", label, code_, WithoutChatTokens(content));
}

}  // namespace assay
