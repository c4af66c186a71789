// Requests as they are stored.
#include "store/packed/packed_request.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("a request comes back, and a long one is stored as a fraction of it") {
  constexpr std::size_t kSizes[] = {0, 2, kPlainRequestBytesMax, kPlainRequestBytesMax + 1, 400'000};
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    std::string text = "{";
    while (text.size() < size) text += "\"what was said before\",";
    text.resize(size);
    RequestPacker packer;
    const std::string stored(packer.Pack(text));
    CHECK(packer.Pack(text) == stored);
    CHECK(UnpackRequest(stored).value() == text);
    CHECK((stored == text) == (size <= kPlainRequestBytesMax));
    CHECK(stored.size() <= kPlainRequestBytesMax);
  }
}

// A frame of kilobytes unpacked to hundreds of megabytes.
TEST_CASE("a frame that unpacks to a text like no request is damaged, and none is written") {
  std::string text = "{\"messages\":\"";
  text.append(40u << 20, 'x');
  Compressor compressor;
  std::string frame;
  CHECK(UnpackRequest(compressor.Whole(text, frame)).error().code == ErrorCode::kCorrupt);
  RequestPacker packer;
  CHECK(UnpackRequest(packer.Pack(text)).value() == text);
}

TEST_CASE("a damaged frame is told") {
  const std::string stored(RequestPacker().Pack(std::string(100'000, 'x')));
  CHECK(UnpackRequest(stored.substr(0, stored.size() - 5)).error().code == ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace assay
