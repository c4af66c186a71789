// Unpacks the executable that assay carries.
#include "io/sandbox/program.h"

#include <zlib.h>

namespace assay {

std::string UnpackedProgram(std::string_view packed) {
  constexpr std::size_t kSizeBytes = 4;
  if (packed.size() < kSizeBytes) return {};
  uLongf size = 0;
  for (std::size_t i = kSizeBytes; i > 0; --i) size = size << 8 | static_cast<unsigned char>(packed[i - 1]);
  packed.remove_prefix(kSizeBytes);
  std::string program(size, '\0');
  const int done = uncompress(reinterpret_cast<Bytef*>(program.data()), &size,
                              reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  return done == Z_OK && size == program.size() ? program : std::string();
}

}  // namespace assay
