// BulletSize: what begins an item of a list: "- ", "* ", "+ ", "• ", "1. ", "1) ".
#pragma once

#include <cstddef>
#include <string_view>

#include "base/text/ascii.h"

namespace assay {

// The bytes of the bullet or number at the start of the text, without the blank that has to follow; 0 if none
// stands there.
inline std::size_t BulletSize(std::string_view text) {
  constexpr std::string_view kDot = "•";
  std::size_t size = 0;
  if (text.starts_with('-') || text.starts_with('*') || text.starts_with('+')) {
    size = 1;
  } else if (text.starts_with(kDot)) {
    size = kDot.size();
  } else {
    while (size < text.size() && IsAsciiDigit(text[size])) ++size;
    const bool is_numbered = size > 0 && size < text.size() && (text[size] == '.' || text[size] == ')');
    size = is_numbered ? size + 1 : 0;
  }
  return size > 0 && size < text.size() && (text[size] == ' ' || text[size] == '\t') ? size : 0;
}

}  // namespace assay
