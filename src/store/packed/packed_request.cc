// Frames of long requests, and how much of them is unpacked at once.
#include "store/packed/packed_request.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay {

namespace {

constexpr std::string_view kFrameStart = "\x28\xb5\x2f\xfd";  // of every zstd frame
constexpr std::size_t kRequestBytesMax = 256u << 20;

// What a frame of so many bytes may unpack to: with more, a store of kilobytes would keep its reader busy.
std::size_t UnpackedMax(std::size_t frame_bytes) {
  constexpr std::size_t kAnyTextBytes = 8u << 20;
  constexpr std::size_t kRatioMax = 256;
  return std::min(kRequestBytesMax, kAnyTextBytes + kRatioMax * frame_bytes);
}

}  // namespace

std::string_view RequestPacker::Pack(std::string_view text) {
  if (text.size() <= kPlainRequestBytesMax) return text;
  const std::string_view frame = compressor_.Whole(text, frame_);
  return text.size() <= UnpackedMax(frame.size()) ? frame : text;
}

Status CompletedBytes::Add(std::size_t bytes) {
  bytes_ += bytes;
  if (exchanges_ <= 1 || bytes_ <= kCompletedBytesMax) return Ok();
  return Error{ErrorCode::kLimit, fmt::format("{} exchanges have more than {} MB together", exchanges_,
                                              kCompletedBytesMax >> 20)};
}

Result<std::string> UnpackRequest(std::string_view stored) {
  if (!stored.starts_with(kFrameStart)) return std::string(stored);
  Result<std::string> text = Decompress(stored, UnpackedMax(stored.size()));
  if (text) return text;
  return Error{ErrorCode::kCorrupt,
               fmt::format("the store is damaged: a request cannot be unpacked: {}", text.error().message)};
}

}  // namespace assay
