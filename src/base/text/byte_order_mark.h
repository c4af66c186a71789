// The byte order mark of UTF-8, which editors and spreadsheets put before a text.
#pragma once

#include <string_view>

namespace assay {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::string_view WithoutByteOrderMark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace assay
