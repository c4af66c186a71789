// Tests of CSV with quotes.
#include "text/csv.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

using Rows = std::vector<std::vector<std::string>>;

TEST_CASE("rows and fields") {
  struct Row {
    std::string_view text;
    Rows want;
  };
  const Row rows[] = {
      {"", {}},
      {"a,b\n1,2", {{"a", "b"}, {"1", "2"}}},
      {"a\r\n\r\nb\r\n", {{"a"}, {"b"}}},
      {",x,\n", {{"", "x", ""}}},
      {"\"a,\"\"b\"\"\nc\",d\n", {{"a,\"b\"\nc", "d"}}},
      {"\"\"\nx\n", {{""}, {"x"}}},
      {"a\"b,c\n", {{"a\"b", "c"}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Result<Rows> read = ParseCsv(row.text);
    REQUIRE(read);
    CHECK(*read == row.want);
  }
}

TEST_CASE("rows are quoted where they must be, and read back") {
  const std::vector<std::string> row = {"", "a b", "x,y", "say \"a\"", "two\nlines", "±"};
  std::string text;
  AppendCsvRow(row, text);
  CHECK(text == ",a b,\"x,y\",\"say \"\"a\"\"\",\"two\nlines\",±\n");
  CHECK(*ParseCsv(text) == Rows{row});
}

TEST_CASE("quotes that do not end where a field ends") {
  CHECK(ParseCsv("a\n\"b\n\nc").error().message.starts_with("line 2: this field's quote is never closed"));
  CHECK(ParseCsv("a\n\"b\"c\n").error().message.starts_with("line 2: expected a separator"));
}

TEST_CASE("rows know the line on which they begin") {
  std::vector<std::size_t> lines;
  REQUIRE(ParseCsv("a,b\n\"one\ntwo\",2\n\n3,4\n", &lines));
  CHECK(lines == std::vector<std::size_t>{1, 2, 5});
}

}  // namespace
}  // namespace assay
