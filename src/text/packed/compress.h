// Compresses and decompresses bytes as zstd frames, for large values of the store.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/files/byte_source.h"

struct ZSTD_CCtx_s;

namespace assay {

// Takes bytes piece by piece, so that what is large never has to be there as a whole.
class Compressor {
 public:
  Compressor();
  void Append(std::string_view bytes);
  std::string Finish();  // the frame; once
  // The same with so many zeros behind it that readers believe what it unpacks to: Decompress its size,
  // others its values. For texts that repeat a lot.
  std::string FinishPadded();
  // A frame of its own of what is there as a whole, in `frame`; as often as one likes.
  std::string_view Whole(std::string_view bytes, std::string& frame);

 private:
  void Feed(std::string_view bytes, bool is_last);

  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::size_t taken_ = 0;  // bytes
  std::string gathered_;   // short pieces, until they are worth a call
  std::string room_;       // for what comes out, made once
  std::string frame_;
};

// Unpacks one frame after the other, piece by piece. kCorrupt: they are damaged, or want a window of more
// than 8 MiB.
std::unique_ptr<ByteStream> DecompressedStream(std::unique_ptr<ByteStream> frames);

// kCorrupt if it is no whole frame; kLimit above `bytes_max`.
Result<std::string> Decompress(std::string_view frame, std::size_t bytes_max);

}  // namespace assay
