// Tests of tables as spreadsheets and people save them, and of the places of their problems.
#include "text/csv_table.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

constexpr std::string_view kWanted[] = {"filename", "completion"};
using Rows = std::vector<std::vector<std::string>>;

TEST_CASE("the forms in which tables come") {
  const Rows want = {{"a", "It is, b."}};
  for (const std::string_view text :
       {"filename,completion\na,\"It is, b.\"\n",
        "\xEF\xBB\xBF"
        "filename,completion\na,\"It is, b.\"\n",
        "filename;completion\na;It is, b.\n", "filename\tcompletion\r\na\tIt is, b.\r\n",
        "Filename, Completion \na,\"It is, b.\"\n", ",completion,filename\n0,\"It is, b.\",a\n"}) {
    CAPTURE(text);
    const CsvTable table = ReadCsvTable(text, kWanted);
    CHECK(table.problems.empty());
    CHECK(table.rows == want);
  }
}

TEST_CASE("what is wrong has its place, and all of it is told") {
  struct Row {
    std::string_view text;
    std::vector<std::uint32_t> offsets;
  };
  const Row rows[] = {
      {"", {0}},
      {"file,text\na,b\n", {0}},
      {"filename,completion\na\nb,c\nd,e,f\n", {20, 26}},
      {"filename,completion\na,\"b\"c\n", {25}},
      {"filename,completion\na,\"b\nc\n", {22}},
      {"\xEF\xBB\xBF"
       "filename,completion\na\n",
       {23}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    std::vector<std::uint32_t> offsets;
    for (const CsvProblem& problem : ReadCsvTable(row.text, kWanted).problems)
      offsets.push_back(problem.offset);
    CHECK(offsets == row.offsets);
  }
  // As pandas reads it.
  CHECK(ReadCsvTable("filename,completion\na\n", kWanted, true).rows == Rows{{"a", ""}});
}

TEST_CASE("the column that was meant is named") {
  const CsvTable table = ReadCsvTable("file_name,completion\n", kWanted);
  REQUIRE(table.problems.size() == 1);
  CHECK(table.problems.front().hint == "rename \"file_name\" to filename");
}

}  // namespace
}  // namespace assay
