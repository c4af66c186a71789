// Tests of packed documents: what repeats a lot comes back, and a short frame unpacks to a short text.
#include "store/packed/packed_document.h"

#include <doctest/doctest.h>

#include "text/packed/compress.h"

namespace assay {

TEST_CASE("a document that repeats a lot comes back") {
  const std::string text(8u << 20, ' ');
  RunDocument read;
  REQUIRE(UnpackDocument("", PackText(text), read).has_value());
  CHECK(read.text == text);
}

// A frame of a kilobyte took the memory of 32 MB.
TEST_CASE("a short frame that unpacks to a long document is damaged") {
  Compressor compressor;
  compressor.Append(std::string(8u << 20, ' '));
  RunDocument read;
  CHECK(UnpackDocument("", compressor.Finish(), read).error().code == ErrorCode::kCorrupt);
}

}  // namespace assay
