// Tests of keeping members of a JSON text that comes in pieces of any size.
#include "text/json/sieve.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

// Pieces of `size` bytes.
class Pieces final : public ByteStream {
 public:
  Pieces(std::string_view text, std::size_t size) : rest_(text), size_(size) {}
  Result<std::string_view> Next() override {
    const std::string_view piece = rest_.substr(0, size_);
    rest_.remove_prefix(piece.size());
    return piece;
  }

 private:
  std::string_view rest_;
  std::size_t size_;
};

constexpr SieveMember kElement[] = {{.name = "n"}};
constexpr SieveMember kInner[] = {{.name = "v"}, {.name = "list", .members = kElement, .is_list = true}};
constexpr SieveMember kMembers[] = {{.name = "a"}, {.name = "in", .members = kInner}};

TEST_CASE("wanted members are kept, and elements come one by one, wherever the pieces end") {
  struct Row {
    std::string text;
    std::string kept;      // or "!" and the error
    std::string elements;  // joined by blanks
  };
  const Row rows[] = {
      {R"({"a":1,"b":2})", R"({"a":1})", ""},
      {R"( { "b" : [1,{"a":3}] , "a" : {"x":"}\"]"} } )", R"({"a":{"x":"}\"]"}})", ""},
      {R"({"in":{"v":3,"w":[[]],"list":[{"n":1,"m":[2]}, 5 ,{"m":1}]},"a":[]})",
       R"({"in":{"v":3 ,"list":[]},"a":[]})", R"({"n":1} 5  {} )"},
      {R"({"in":7,"a":null})", R"({"in":7,"a":null})", ""},
      {R"({"in":{"list":{"n":1}}})", R"({"in":{"list":{"n":1}}})", ""},
      {"[1,2]", "[1,2]", ""},
      {"", "", ""},
      {R"({"a":1)", "!never closed", ""},
      {R"({"a":"1})", "!never closed", ""},
      {R"({"a" 1})", "!expected JSON, found \"1\"", ""},
      {R"({"a":1} x)", "!expected the end", ""},
      {R"({"in":{"list":[],"list":[]}})", "!expected \"list\" once", ""},
      {R"({"in":{"list":[1 )", "!never closed", ""},
  };
  for (const Row& row : rows) {
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, row.text.size() + 1}) {
      CAPTURE(row.text);
      CAPTURE(size);
      std::string elements;
      const auto visit = [&elements](std::string_view element) {
        elements.append(element) += ' ';
        return Ok();
      };
      Pieces pieces(row.text, size);
      const Result<std::string> kept =
          SieveJson(pieces, {.members = kMembers, .bytes_max = 1000, .visit = visit});
      const auto plain = [](std::string text) {
        std::erase(text, ' ');
        return text;
      };
      if (row.kept.starts_with('!')) {
        REQUIRE_FALSE(kept.has_value());
        CHECK(kept.error().message.find(row.kept.substr(1)) != std::string::npos);
        continue;
      }
      REQUIRE(kept.has_value());
      CHECK(plain(*kept) == plain(row.kept));
      CHECK(plain(elements) == plain(row.elements));
    }
  }
}

TEST_CASE("what is kept has a limit, what is left out has none") {
  const std::string text = R"({"b":")" + std::string(5'000, 'x') + R"(","a":1})";
  Pieces pieces(text, 100);
  CHECK(SieveJson(pieces, {.members = kMembers, .bytes_max = 20}).value_or("") == R"({"a":1})");
  Pieces again(text, 100);
  const Result<std::string> kept = SieveJson(again, {.bytes_max = 20});
  REQUIRE_FALSE(kept.has_value());
  CHECK(kept.error().code == ErrorCode::kLimit);
}

TEST_CASE("no text has more values than are counted") {
  CHECK(JsonValuesMost("[]") == 2);
  CHECK(JsonValuesMost(R"({"a": [1, 2], "b,[": "\",,,"})") == 5);
}

}  // namespace
}  // namespace assay
