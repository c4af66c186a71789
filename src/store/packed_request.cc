// Frames of long requests.
#include "store/packed_request.h"

namespace assay {

namespace {

constexpr std::string_view kFrameStart = "\x28\xb5\x2f\xfd";  // of every zstd frame
constexpr std::size_t kRequestBytesMax = 256u << 20;

}  // namespace

std::string_view RequestPacker::Pack(std::string_view text) {
  if (text.size() <= kPlainRequestBytesMax) return text;
  return compressor_.Whole(text, frame_);
}

Result<std::string> UnpackRequest(std::string_view stored) {
  if (!stored.starts_with(kFrameStart)) return std::string(stored);
  return Decompress(stored, kRequestBytesMax);
}

}  // namespace assay
