// Tests of compression: what goes in comes out, and damage is an error.
#include "text/packed/compress.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

constexpr std::size_t kMax = 1u << 20;

std::string Compress(std::string_view bytes) {
  Compressor compressor;
  // In two pieces: where they are cut does not matter.
  compressor.Append(bytes.substr(0, bytes.size() / 3));
  compressor.Append(bytes.substr(bytes.size() / 3));
  return compressor.Finish();
}

TEST_CASE("compressed text comes back") {
  for (const std::string& text : {std::string(), std::string("a"), std::string(1'000'000, 'x')}) {
    CHECK(*Decompress(Compress(text), kMax) == text);
  }
  CHECK(Compress(std::string(100'000, 'x')).size() < 1000);
}

TEST_CASE("damaged and gigantic frames are errors") {
  const std::string frame = Compress(std::string(1000, 'x') + "end");
  CHECK(Decompress("no frame at all", kMax).error().code == ErrorCode::kCorrupt);
  for (std::size_t length = 0; length < frame.size(); ++length)
    CHECK(Decompress(std::string_view(frame).substr(0, length), kMax).error().code == ErrorCode::kCorrupt);
  CHECK(Decompress(Compress(std::string(3'000'000, 'x')), kMax).error().code == ErrorCode::kLimit);
  // A few kilobytes are no hundreds of megabytes, whatever the caller has room for.
  CHECK(Decompress(Compress(std::string(80u << 20, 'x')), 256u << 20).error().code == ErrorCode::kLimit);
}

TEST_CASE("a padded frame is believed, however well it packs") {
  const std::string text(80u << 20, 'x');
  Compressor compressor;
  compressor.Append(text);
  const std::string frame = compressor.FinishPadded();
  CHECK(frame.size() == text.size() / 128);
  CHECK(*Decompress(frame, 256u << 20) == text);
  Compressor few;
  few.Append("a few words");
  CHECK(few.FinishPadded() == Compress("a few words"));
}

}  // namespace
}  // namespace assay
