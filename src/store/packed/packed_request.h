// How the store keeps the canonical text of a request. A turn of many rounds asks each time with all that was
// said before, so long texts are zstd frames; none of them begins as a frame does.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "text/packed/compress.h"

namespace assay {

inline constexpr std::size_t kPlainRequestBytesMax = 16u << 10;

class RequestPacker {
 public:
  // What is stored: the text itself, or its frame, which is here until the next one is made. A text that
  // shrinks to less than any that a model is asked stays as it is.
  std::string_view Pack(std::string_view text);

 private:
  Compressor compressor_;
  std::string frame_;
};
// Bounds what exchanges take that are completed at once: a small store may hold many that unpack to much.
inline constexpr std::size_t kCompletedBytesMax = 8u << 20;
class CompletedBytes {
 public:
  explicit CompletedBytes(std::size_t exchanges) : exchanges_(exchanges) {}
  // kLimit above kCompletedBytesMax, unless it is one exchange.
  Status Add(std::size_t bytes);

 private:
  std::size_t exchanges_;
  std::size_t bytes_ = 0;
};

// Of the newest exchanges so many have their requests read as fit into this.
inline constexpr std::size_t kRecentRequestsBytesMax = 32u << 20;

// The text. kCorrupt: a damaged frame, or one that no assay wrote.
Result<std::string> UnpackRequest(std::string_view stored);

}  // namespace assay
