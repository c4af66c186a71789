// Tests of SequelHasher against the plain hash.
#include "base/sequel_hasher.h"

#include <doctest/doctest.h>

#include <string>

namespace assay {
namespace {

std::string Conversation(std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; text.size() < bytes; ++i) text += std::to_string(i * i) + ",";
  text.resize(bytes);
  return text;
}

TEST_CASE("the hash of each text is its own, whatever came before") {
  const std::string whole = Conversation(300'000);
  SequelHasher hasher;
  const auto is_right = [&](const std::string& text) { return hasher.Of(text) == Sha256Of(text); };
  SUBCASE("texts grow") {
    for (const std::size_t bytes : {0, 100, 32'767, 32'768, 32'769, 40'959, 40'960, 40'961, 299'999, 300'000})
      CHECK(is_right(whole.substr(0, bytes)));
  }
  SUBCASE("texts shrink") {
    for (const std::size_t bytes : {300'000, 200'001, 40'960, 32'768, 10, 0, 65'536})
      CHECK(is_right(whole.substr(0, bytes)));
  }
  SUBCASE("texts differ at one place") {
    for (const std::size_t place : {299'999, 0, 4'095, 4'096, 4'097, 8'191, 150'000, 32'768}) {
      std::string other = whole;
      other[place] = '#';
      CHECK(is_right(other));
      CHECK(is_right(whole));
    }
  }
  SUBCASE("each text has its own end") {
    for (std::size_t bytes = 40'000; bytes < 120'000; bytes += 7'001)
      CHECK(is_right(whole.substr(0, bytes) + "],\"attempt\":" + std::to_string(bytes)));
  }
}

}  // namespace
}  // namespace assay
