// Gzip by zlib, zstd by its own library.
#include "text/packed/unpacked.h"

#include <fmt/core.h>
#include <zlib.h>

#include <memory>

#include "base/errors/assert.h"
#include "base/files/byte_source.h"
#include "text/packed/compress.h"

namespace assay {

namespace {

constexpr std::size_t kUnpackedPieceBytes = 256u << 10;
constexpr int kGzipWindow = MAX_WBITS + 16;  // as zlib asks for a gzip header

Error UnpacksToMore(std::size_t bytes_max) {
  return {ErrorCode::kLimit, fmt::format("it unpacks to more than {} bytes", bytes_max)};
}

Result<std::string> Gunzipped(std::string_view bytes, std::size_t bytes_max) {
  z_stream stream{};
  ASSAY_ASSERT(inflateInit2(&stream, kGzipWindow) == Z_OK);
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string plain;
  for (;;) {
    const std::size_t before = plain.size();
    if (before > bytes_max) return UnpacksToMore(bytes_max);
    plain.resize(before + kUnpackedPieceBytes);
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + before);
    stream.avail_out = kUnpackedPieceBytes;
    const int state = inflate(&stream, Z_NO_FLUSH);
    plain.resize(plain.size() - stream.avail_out);
    if (state == Z_STREAM_END) {
      if (stream.avail_in == 0)
        return plain.size() > bytes_max ? UnpacksToMore(bytes_max) : Result(std::move(plain));
      inflateReset(&stream);
    } else if (state != Z_OK) {
      return Error{ErrorCode::kCorrupt, "the packed file is damaged or cut short"};
    }
  }
}

Result<std::string> Unzstded(std::string_view bytes, std::size_t bytes_max) {
  const MemorySource source(bytes);
  const std::unique_ptr<ByteStream> stream = DecompressedStream(std::make_unique<SourceStream>(source));
  std::string plain;
  for (;;) {
    ASSAY_TRY(const std::string_view piece, stream->Next());
    if (piece.empty()) return plain;
    if (plain.size() + piece.size() > bytes_max) return UnpacksToMore(bytes_max);
    plain += piece;
  }
}

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }
bool IsZstd(std::string_view bytes) { return bytes.starts_with("\x28\xb5\x2f\xfd"); }

Result<std::string> Unpacked(std::string_view bytes, std::size_t bytes_max) {
  return IsGzip(bytes) ? Gunzipped(bytes, bytes_max) : Unzstded(bytes, bytes_max);
}

}  // namespace assay
