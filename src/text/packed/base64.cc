// Encodes Base64, and decodes it strictly.
#include "text/packed/base64.h"

#include <cstdint>

namespace assay {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = (bits << 8) | (j < group.size() ? static_cast<std::uint8_t>(group[j]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text.push_back(j <= group.size() ? kAlphabet[(bits >> (18 - 6 * j)) & 63] : '=');
    }
  }
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool is_last = i + 4 == text.size();
    const std::size_t padding = !is_last || text[i + 3] != '=' ? 0 : text[i + 2] != '=' ? 1 : 2;
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 4 - padding; ++j) {
      const std::size_t digit = kAlphabet.find(text[i + j]);
      if (digit == std::string_view::npos) return std::nullopt;
      bits |= static_cast<std::uint32_t>(digit) << (18 - 6 * j);
    }
    // Bits that no byte takes must be zero, or two texts would mean the same bytes.
    if ((bits & (padding == 2 ? 0xffffu : padding == 1 ? 0xffu : 0u)) != 0) return std::nullopt;
    for (std::size_t j = 0; j < 3 - padding; ++j) bytes.push_back(static_cast<char>(bits >> (16 - 8 * j)));
  }
  return bytes;
}

}  // namespace assay
