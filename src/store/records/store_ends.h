// StoreEnds: the highest numbers of a store's rows, by which those that come later are told from them.
#pragma once

#include <cstdint>

namespace assay {

// The last of what a store holds; 0 while there is nothing.
struct StoreEnds {
  std::int64_t exchange = 0;  // an id; ids of a damaged store may be anything
  std::int64_t run = 0;       // RunRecord::number
  std::int64_t batch = 0;     // BatchRecord::number
  bool operator==(const StoreEnds&) const = default;
};

}  // namespace assay
