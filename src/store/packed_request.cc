// Frames of long requests, and how much of them is unpacked at once.
#include "store/packed_request.h"

#include <fmt/core.h>

namespace assay {

namespace {

constexpr std::string_view kFrameStart = "\x28\xb5\x2f\xfd";  // of every zstd frame
constexpr std::size_t kRequestBytesMax = 256u << 20;

}  // namespace

std::string_view RequestPacker::Pack(std::string_view text) {
  if (text.size() <= kPlainRequestBytesMax) return text;
  return compressor_.Whole(text, frame_);
}

Status CompletedBytes::Add(std::size_t bytes) {
  bytes_ += bytes;
  if (exchanges_ <= 1 || bytes_ <= kCompletedBytesMax) return Ok();
  return Error{ErrorCode::kLimit, fmt::format("{} exchanges have more than {} MB together", exchanges_,
                                              kCompletedBytesMax >> 20)};
}

Result<std::string> UnpackRequest(std::string_view stored) {
  if (!stored.starts_with(kFrameStart)) return std::string(stored);
  return Decompress(stored, kRequestBytesMax);
}

}  // namespace assay
