// Tests of ParseStored: what is stored in little has few values.
#include "text/json/stored.h"

#include <doctest/doctest.h>

#include <string>

namespace assay {

namespace {

std::string Zeros(std::size_t count) {
  std::string text = "[0";
  for (std::size_t i = 1; i < count; ++i) text += ",0";
  return text + "]";
}

}  // namespace

// A blob of ten kilobytes took half a gigabyte.
TEST_CASE("a text has as many values as what it is stored in allows") {
  const std::string text = Zeros(400'000);
  CHECK(ParseStoredIn(10'000, text).error().code == ErrorCode::kLimit);
  CHECK(ParseStoredIn(20'000, text)->AsList().size() == 400'000);
  CHECK(ParseStoredIn(text.size(), text).has_value());
}

TEST_CASE("no record has more than three million values, however long it is") {
  const std::string text = Zeros(3'000'000);
  CHECK(ParseStoredIn(text.size(), text).error().code == ErrorCode::kLimit);
}

TEST_CASE("texts that are read one after the other share what is left") {
  std::size_t left = 10;
  CHECK(ParseStored("[1,2,3]", left).has_value());
  CHECK(left == 6);
  CHECK(ParseStored("[1,2,3,4,5,6]", left).error().code == ErrorCode::kLimit);
  CHECK(left == 6);
  CHECK(ParseStored("[1,", left).error().code == ErrorCode::kInvalidInput);
}

}  // namespace assay
