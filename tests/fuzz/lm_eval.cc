// The reader of the dialect lm-eval (foreign.h).
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/foreign.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(lm_eval)(const std::uint8_t* data, std::size_t size) {
  return assay::fuzz::ReadForeignFile("lm-eval", "t.yaml", data, size);
}
