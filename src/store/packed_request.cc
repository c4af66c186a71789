// Frames of long requests.
#include "store/packed_request.h"

#include "text/packed/compress.h"

namespace assay {

namespace {

constexpr std::string_view kFrameStart = "\x28\xb5\x2f\xfd";  // of every zstd frame
constexpr std::size_t kRequestBytesMax = 256u << 20;

}  // namespace

std::string_view PackRequest(std::string_view text, std::string& room) {
  if (text.size() <= kPlainRequestBytesMax) return text;
  Compressor compressor;
  compressor.Append(text);
  room = compressor.Finish();
  return room;
}

Result<std::string> UnpackRequest(std::string_view stored) {
  if (!stored.starts_with(kFrameStart)) return std::string(stored);
  return Decompress(stored, kRequestBytesMax);
}

}  // namespace assay
