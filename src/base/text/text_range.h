// A stretch of a text: from its first byte to before its last.
#pragma once

#include <cstddef>

namespace assay {

struct TextRange {
  std::size_t from = 0;
  std::size_t to = 0;
  bool empty() const { return to <= from; }
  bool operator==(const TextRange&) const = default;
};

}  // namespace assay
