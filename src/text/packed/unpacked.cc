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

using PieceTaker = std::function<Status(std::string_view piece)>;

Status GunzipTo(std::string_view bytes, const PieceTaker& take) {
  constexpr std::size_t kFedAtOnce = 1u << 30;  // zlib counts in 32 bits
  z_stream stream{};
  ASSAY_ASSERT(inflateInit2(&stream, kGzipWindow) == Z_OK);
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  std::string piece(kUnpackedPieceBytes, '\0');
  for (;;) {
    if (stream.avail_in == 0) {
      const std::string_view fed = bytes.substr(0, kFedAtOnce);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(fed.data()));
      stream.avail_in = static_cast<uInt>(fed.size());
      bytes.remove_prefix(fed.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = kUnpackedPieceBytes;
    const int state = inflate(&stream, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END)
      return Error{ErrorCode::kCorrupt, "the packed file is damaged or cut short"};
    ASSAY_CHECK_OK(take(std::string_view(piece).substr(0, kUnpackedPieceBytes - stream.avail_out)));
    if (state != Z_STREAM_END) continue;
    if (stream.avail_in == 0 && bytes.empty()) return Ok();
    inflateReset(&stream);
  }
}

Status UnzstdTo(std::string_view bytes, const PieceTaker& take) {
  const MemorySource source(bytes);
  const std::unique_ptr<ByteStream> stream = DecompressedStream(std::make_unique<SourceStream>(source));
  for (;;) {
    ASSAY_TRY(const std::string_view piece, stream->Next());
    if (piece.empty()) return Ok();
    ASSAY_CHECK_OK(take(piece));
  }
}

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }
bool IsZstd(std::string_view bytes) { return bytes.starts_with("\x28\xb5\x2f\xfd"); }

Status UnpackTo(std::string_view bytes, const PieceTaker& take) {
  return IsGzip(bytes) ? GunzipTo(bytes, take) : UnzstdTo(bytes, take);
}

Result<std::string> Unpacked(std::string_view bytes, std::size_t bytes_max) {
  std::string plain;
  ASSAY_CHECK_OK(UnpackTo(bytes, [&](std::string_view piece) -> Status {
    if (plain.size() + piece.size() > bytes_max)
      return Error{ErrorCode::kLimit, fmt::format("it unpacks to more than {} bytes", bytes_max)};
    plain += piece;
    return Ok();
  }));
  return plain;
}

}  // namespace assay
