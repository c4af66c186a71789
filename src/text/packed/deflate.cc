// Packs all at once, at a level that costs little time.
#include "text/packed/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/errors/assert.h"

namespace assay {

std::string Deflated(std::string_view bytes) {
  constexpr int kLevel = 3;  // pages are written at the end of every run
  z_stream stream{};
  ASSAY_ASSERT(deflateInit(&stream, kLevel) == Z_OK);
  std::array<Bytef, 64u << 10> piece;
  std::string packed;
  int done = Z_OK;
  while (done != Z_STREAM_END) {
    if (stream.avail_in == 0) {  // it counts no more than this at once
      const std::size_t next = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
      stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(next);
      bytes.remove_prefix(next);
    }
    stream.next_out = piece.data();
    stream.avail_out = static_cast<uInt>(piece.size());
    done = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    ASSAY_ASSERT(done == Z_OK || done == Z_STREAM_END);
    packed.append(reinterpret_cast<const char*>(piece.data()), piece.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace assay
