// Packs bytes in the format of zlib (RFC 1950), which browsers unpack (`DecompressionStream('deflate')`).
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace assay {

std::string Deflated(std::string_view bytes);

// The same of what comes in pieces: what is packed does not depend on where they end.
class Deflater {
 public:
  Deflater();
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void Add(std::string_view bytes);
  std::string Finish();  // once

 private:
  class Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace assay
