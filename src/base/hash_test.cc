// Tests of SHA-256 against FIPS 180-4 vectors: both inner loops, and input cut anywhere.
#include "base/hash.h"

#include <doctest/doctest.h>

#include "base/sha256_blocks.h"

namespace assay {
namespace {

TEST_CASE("nothing added changes nothing, wherever it points") {
  Sha256 hash;
  hash.Update("ab");
  hash.Update(std::string_view());
  hash.Update("c");
  CHECK(hash.Finish() == Sha256Of("abc"));
}

TEST_CASE("SHA-256 of known messages") {
  struct Row {
    std::string message;
    std::string_view want;
  };
  const Row rows[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopq"
       "rstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const Row& row : rows) CHECK(Hex(Sha256Of(row.message)) == row.want);
}

TEST_CASE("prefixes of a digest may end within a byte") {
  const Digest digest = Sha256Of("abc");
  CHECK(HexPrefix(digest, 0).empty());
  CHECK(HexPrefix(digest, 5) == "ba781");
  CHECK(HexPrefix(digest, 12) == "ba7816bf8f01");
}

std::string SomeBytes(std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(i * 31 + i / 7));
  return bytes;
}

TEST_CASE("pieces of any length give the digest of the whole") {
  const std::string text = SomeBytes(300);
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string_view whole = std::string_view(text).substr(0, length);
    for (const std::size_t piece :
         {std::size_t{1}, std::size_t{7}, std::size_t{63}, std::size_t{64}, std::size_t{65}}) {
      Sha256 hash;
      for (std::size_t i = 0; i < length; i += piece) hash.Update(whole.substr(i, piece));
      REQUIRE(Hex(hash.Finish()) == Hex(Sha256Of(whole)));
    }
  }
}

TEST_CASE("each form of the inner loop that runs here agrees with the portable one") {
  const std::string text = SomeBytes(64 * 9);
  const auto* blocks = reinterpret_cast<const std::uint8_t*>(text.data());
  for (const Sha256Form& form : Sha256Forms()) {
    CAPTURE(form.name);
    if (!form.runs_here) {
      MESSAGE("this processor lacks what this form needs: ", form.name);
      continue;
    }
    for (std::size_t count = 0; count <= 9; ++count) {
      Sha256State expected = {1, 2, 3, 4, 0xffffffff, 0x80000000, 7, 8};
      Sha256State state = expected;
      Sha256Forms().back().take(expected, blocks, count);
      form.take(state, blocks, count);
      CHECK(state == expected);
    }
  }
}

}  // namespace
}  // namespace assay
