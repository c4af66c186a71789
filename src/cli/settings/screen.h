// Screen: what the terminal that is written to can do.
#pragma once

#include <cstddef>

namespace assay {

// The defaults are those of a file or a pipe.
struct Screen {
  std::size_t columns = 0;  // 0: lines may have any length
  bool has_color = false;
  bool has_links = false;  // a text may lead to an address
};

}  // namespace assay
