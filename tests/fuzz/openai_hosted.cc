// The reader of the dialect openai-hosted (foreign.h).
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/foreign.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(openai_hosted)(const std::uint8_t* data, std::size_t size) {
  return assay::fuzz::ReadForeignFile("openai-hosted", "e.json", data, size);
}
