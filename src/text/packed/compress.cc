// Compression and decompression by libzstd, with a limit on the output.
#include "text/packed/compress.h"

#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>

#include "base/errors/assert.h"

namespace assay {

namespace {

constexpr std::size_t kPieceBytes = 128u << 10;

// What assay packs shrinks to a tenth or a fiftieth of its length, not to a thousandth.
constexpr std::size_t kAnyTextBytes = 16u << 20;
constexpr std::size_t kRatioMax = 512;

}  // namespace

void Compressor::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

Compressor::Compressor() : context_(ZSTD_createCCtx()) { ASSAY_ASSERT(context_ != nullptr); }

void Compressor::Append(std::string_view bytes) {
  taken_ += bytes.size();
  if (gathered_.size() + bytes.size() <= kPieceBytes) {
    gathered_ += bytes;
    return;
  }
  Feed(gathered_, false);
  gathered_.clear();
  Feed(bytes, false);
}

std::string Compressor::Finish() {
  Feed(gathered_, true);
  return std::move(frame_);
}

std::string Compressor::FinishPadded() {
  std::string frame = Finish();
  constexpr std::size_t kShort = 1u << 20;
  constexpr std::size_t kPaddedRatio = 128;
  const std::size_t least = taken_ > kShort ? taken_ / kPaddedRatio : 0;
  if (frame.size() < least) frame.resize(least);
  return frame;
}

std::string_view Compressor::Whole(std::string_view bytes, std::string& frame) {
  if (const std::size_t room = ZSTD_compressBound(bytes.size()); frame.size() < room) frame.resize(room);
  const std::size_t size =
      ZSTD_compress2(context_.get(), frame.data(), frame.size(), bytes.data(), bytes.size());
  ASSAY_ASSERT(ZSTD_isError(size) == 0);
  return std::string_view(frame).substr(0, size);
}

void Compressor::Feed(std::string_view bytes, bool is_last) {
  room_.resize(kPieceBytes);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  while (true) {
    ZSTD_outBuffer out{room_.data(), room_.size(), 0};
    const std::size_t left =
        ZSTD_compressStream2(context_.get(), &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
    ASSAY_ASSERT(ZSTD_isError(left) == 0);
    frame_.append(room_, 0, out.pos);
    if (is_last ? left == 0 : in.pos == in.size) return;
  }
}

namespace {

// As the frame itself says, as far as its own size lets one believe it.
std::size_t LikelySize(std::string_view packed, std::size_t bytes_max) {
  constexpr std::size_t kBelievedRatio = 1'000;
  const unsigned long long said = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (said == ZSTD_CONTENTSIZE_UNKNOWN || said == ZSTD_CONTENTSIZE_ERROR) return 0;
  return std::min<std::size_t>({said, bytes_max, packed.size() * kBelievedRatio}) + kPieceBytes;
}

Result<std::string> Unpack(std::string_view packed, std::size_t bytes_max) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  ASSAY_ASSERT(context != nullptr);
  std::string bytes;
  bytes.reserve(LikelySize(packed, bytes_max));
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t left = 1;  // 0 once a frame has ended
  while (left != 0) {
    const std::size_t written = bytes.size();
    if (written > bytes_max)
      return Error{ErrorCode::kLimit, fmt::format("a text of more than {} bytes", bytes_max)};
    bytes.resize(written + kPieceBytes);
    ZSTD_outBuffer out{bytes.data() + written, kPieceBytes, 0};
    left = ZSTD_decompressStream(context.get(), &out, &in);
    bytes.resize(written + out.pos);
    const bool is_stuck = left != 0 && in.pos == in.size && out.pos < kPieceBytes;
    if (ZSTD_isError(left) != 0 || is_stuck)
      return Error{ErrorCode::kCorrupt, "the compressed text is damaged"};
  }
  return bytes;
}

class FramesStream final : public ByteStream {
 public:
  explicit FramesStream(std::unique_ptr<ByteStream> frames)
      : frames_(std::move(frames)),
        context_(ZSTD_createDCtx(), ZSTD_freeDCtx),
        piece_(ZSTD_DStreamOutSize(), '\0') {
    constexpr int kWindowLogMax = 23;  // what RFC 8878 asks of everybody
    ASSAY_ASSERT(context_ != nullptr);
    ASSAY_ASSERT(ZSTD_isError(ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax)) ==
                 0);
  }

  Result<std::string_view> Next() override {
    ZSTD_outBuffer out{piece_.data(), piece_.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !has_more_) {
        ASSAY_TRY(const std::string_view next, frames_->Next());
        if (next.empty() && left_ != 0) return Error{ErrorCode::kCorrupt, "the compressed text is damaged"};
        if (next.empty()) return std::string_view();
        in_ = {next.data(), next.size(), 0};
      }
      left_ = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(left_) != 0) return Error{ErrorCode::kCorrupt, "the compressed text is damaged"};
      has_more_ = out.pos == out.size;
    }
    return std::string_view(piece_).substr(0, out.pos);
  }

 private:
  std::unique_ptr<ByteStream> frames_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  std::string piece_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::size_t left_ = 1;   // 0 once a frame has ended
  bool has_more_ = false;  // to give, of what was taken
};

}  // namespace

std::unique_ptr<ByteStream> DecompressedStream(std::unique_ptr<ByteStream> frames) {
  return std::make_unique<FramesStream>(std::move(frames));
}

Result<std::string> Decompress(std::string_view frame, std::size_t bytes_max) {
  return Unpack(frame, std::min(bytes_max, kAnyTextBytes + kRatioMax * frame.size()));
}

}  // namespace assay
