// Packs all at once, at a level that costs little time.
#include "text/packed/deflate.h"

#include <zlib.h>

#include "base/errors/assert.h"

namespace assay {

std::string Deflated(std::string_view bytes) {
  constexpr int kLevel = 3;  // pages are written at the end of every run
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  const int done = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kLevel);
  ASSAY_ASSERT(done == Z_OK);  // the room is enough, and the level is one
  packed.resize(size);
  return packed;
}

}  // namespace assay
