// Tests of reading CSV record by record.
#include "text/csv/csv_stream.h"

#include <doctest/doctest.h>

namespace assay {

namespace {

std::string Told(std::string_view text, char delimiter) {
  CsvStream stream(text, delimiter);
  CsvRecord record;
  std::string out;
  CsvStep step = CsvStep::kEnd;
  while ((step = stream.Next(record)) == CsvStep::kRecord) {
    out += std::to_string(record.line) + ":";
    for (const CsvCell& cell : record.cells) out += "[" + cell.text + "]";
  }
  if (step == CsvStep::kOpenQuote) out += "open at " + std::to_string(stream.problem_offset());
  if (step == CsvStep::kTextBehindQuote) out += "behind at " + std::to_string(stream.problem_offset());
  return out;
}

}  // namespace

TEST_CASE("csv stream: cells, quotes and physical lines") {
  struct Row {
    std::string_view text;
    std::string_view told;
  };
  constexpr Row kRows[] = {
      {"", ""},
      {"\n\r\n\r", ""},
      {"a,b", "1:[a][b]"},
      {"a,b\n\n1,2\n", "1:[a][b]3:[1][2]"},
      {"a\r\n1\r2\n", "1:[a]2:[1]3:[2]"},
      {"\"x\r\ny\",1\n2,3", "1:[x\r\ny][1]3:[2][3]"},
      {"\"say \"\"hi\"\"\",\n", "1:[say \"hi\"][]"},
      {"5\" pipe, \"x\"\n", "1:[5\" pipe][ \"x\"]"},
      {"1,\"open\n2", "open at 2"},
      {"\"x\"y,2", "behind at 3"},
  };
  for (const Row& row : kRows) CHECK(Told(row.text, ',') == row.told);
}

TEST_CASE("csv stream: a cell knows where it stands, with its quotes") {
  CsvStream stream("a,\"b\"\"c\"\n", ',');
  CsvRecord record;
  REQUIRE(stream.Next(record) == CsvStep::kRecord);
  REQUIRE(record.cells.size() == 2);
  CHECK(record.cells[1].offset == 2);
  CHECK(record.cells[1].length == 6);
  CHECK(record.cells[1].is_quoted);
}

TEST_CASE("csv stream: the delimiter of the first line, outside quotes") {
  CHECK(GuessedDelimiter("a;b,c;d\n,,,,", 0) == ';');
  CHECK(GuessedDelimiter("\"a;b;c\",d\n", 0) == ',');
  CHECK(GuessedDelimiter("a|b", 0) == '|');
  CHECK(GuessedDelimiter("a\tb\tc,", 0) == '\t');
  CHECK(GuessedDelimiter("question\na;b", 0) == ',');
}

}  // namespace assay
