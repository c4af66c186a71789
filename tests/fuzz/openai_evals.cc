// The reader of the dialect openai-evals (foreign.h).
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/foreign.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(openai_evals)(const std::uint8_t* data, std::size_t size) {
  return assay::fuzz::ReadForeignFile("openai-evals", "r.yaml", data, size);
}
