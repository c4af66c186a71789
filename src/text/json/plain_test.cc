// Tests of finding the end of what stands in a JSON string as it is.
#include "text/json/plain.h"

#include <doctest/doctest.h>

#include <string>

namespace assay {
namespace {

template <PlainBytes kBytes>
std::size_t EndByByte(const std::string& text, std::size_t offset) {
  const auto ends = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '"' || c == '\\' || byte < 0x20 || (kBytes == PlainBytes::kAsciiOnly && byte >= 0x80);
  };
  while (offset < text.size() && !ends(text[offset])) ++offset;
  return offset;
}

template <PlainBytes kBytes>
bool Agrees(const std::string& text) {
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, text.size() / 2, text.size()}) {
    if (SkipPlain<kBytes>(text, offset) != EndByByte<kBytes>(text, offset)) return false;
  }
  return true;
}

bool BothAgree(const std::string& text) {
  return Agrees<PlainBytes::kAny>(text) && Agrees<PlainBytes::kAsciiOnly>(text);
}

TEST_CASE("the first byte that ends the plain part is found wherever it stands") {
  for (std::size_t size = 1; size < 40; ++size) {
    CAPTURE(size);
    bool all_agree = BothAgree(std::string(size, '~'));
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        // Behind it stands what a borrow may take for another one.
        std::string text(size, at % 2 == 0 ? ' ' : '#');
        text[at] = static_cast<char>(byte);
        all_agree = all_agree && BothAgree(text);
        if (at + 1 < size) text[at + 1] = '!';
        all_agree = all_agree && BothAgree(text);
      }
    }
    CHECK(all_agree);
  }
}

}  // namespace
}  // namespace assay
