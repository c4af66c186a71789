// Tests of reading label tables: what is wrong says its line, and what to write instead.
#include "report/decide/labels/label_rows.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace assay {
namespace {

TEST_CASE("lines with a label are read, others skipped; what is wrong is told with its line") {
  const auto rows =
      ReadLabels("case,variant,check,label,kind\nq1,m,2,0.5,judge\nq2,m,1,,judge\n'=1+1,m,1,1,judge\n");
  REQUIRE(rows);
  REQUIRE(rows->size() == 2);
  CHECK((*rows)[0].check == 1);
  CHECK((*rows)[0].attempt == 0);
  CHECK((*rows)[1].case_id == "=1+1");
  CHECK((*rows)[1].line == 4);
  const std::pair<std::string_view, std::string_view> wrong[] = {
      {"", "header line"},
      {"case,label\nq,1\n", "column `variant`"},
      {"case;variant;label\nq;m;1\n", "not semicolons"},
      {"case,variant,label\nq,m,\n", "no line has a label"},
      {"case,variant,label\nq,m,2\n", "line 2: expected a label from 0 to 1"},
      {"case,variant,label,x\nq,m,1,\"a\nb\"\nq,m,2,\n", "line 4: expected a label from 0 to 1"},
      {"case,variant,label,attempt\nq,m,1,0\n", "line 2: expected an attempt"},
      {"case,variant,label,check\nq,m,1,x\n", "line 2: expected the number of a check"},
      {"case,variant,label,draw\nq,m,1,random\n", "line 2: expected a draw"},
      {"case,variant,label,draw\nq,m,1,s0-pair-00\n", "line 2: expected a draw"},
      {"case,variant,label,draw,unit\nq,m,1,s0-answer-00,7\n", "line 2: expected a unit"}};
  for (const auto& [csv, fragment] : wrong) {
    const auto read = ReadLabels(csv);
    REQUIRE(!read);
    CAPTURE(csv);
    CHECK(read.error().message.find(fragment) != std::string::npos);
  }
}

TEST_CASE("a label that is no number from 0 to 1 is an error that says what to write") {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"85%", "; write 0.85"},
      {"85 %", "; write 0.85"},
      {"\"12,5 %\"", "; write 0.125"},
      {"0.85%", "; write 0.0085"},
      {"100 percent", "; write 1"},
      {"yes", "; write 1"},
      {"No", "; write 0"},
      {"TRUE", "; write 1"},
      {"not met", "; write 0"},
      {"half", "; write 0.5"},
      {"4/5", "; write 0.8"},
      {"3 of 4", "; write 0.75"},
      {"\"0,5\"", "; write 0.5"},
      {"85", "; write 0.85 if it is 85 of 100"},
      {"-1", "; write 1 where it is right"},
      {"nan", "; write 1 where it is right"},
      {"120%", "; write 1 where it is right"},
      {"good enough", "; write 1 where it is right"}};
  for (const auto& [label, fragment] : rows) {
    const auto read = ReadLabels("case,variant,label\nq,m," + std::string(label) + "\n");
    CAPTURE(label);
    REQUIRE(!read);
    CAPTURE(read.error().message);
    CHECK(read.error().message.find("line 2: expected a label from 0 to 1, found") == 0);
    CHECK(read.error().message.find(fragment) != std::string::npos);
  }
}

TEST_CASE("spreadsheets put a mark first and blanks around; who cannot tell skips") {
  const auto rows = ReadLabels("\xEF\xBB\xBFlabel,case,variant\r\n 1 ,q,m\r\nskip,q2,m\r\n?,q3,m\r\n");
  REQUIRE(rows);
  REQUIRE(rows->size() == 3);
  CHECK((*rows)[0].label == 1);
  CHECK_FALSE((*rows)[0].is_skipped);
  CHECK((*rows)[1].is_skipped);
  CHECK((*rows)[2].is_skipped);
}

TEST_CASE("what a draw writes is read again") {
  const DrawClaim claim{.seed = 7, .unit = LabelUnit::kCriterion, .strata = "5d1c0b9e2f"};
  CHECK(DrawClaimText(claim) == "s7-criterion-5d1c0b9e2f");
  const auto rows = ReadLabels("label,case,variant,check,unit,draw\n1,q,m,1," +
                               UnitText(0x0123456789abcdefU) + "," + DrawClaimText(claim) + "\n");
  REQUIRE(rows);
  CHECK((*rows)[0].place == 0x0123456789abcdefU);
  CHECK((*rows)[0].claim == claim);
}

}  // namespace
}  // namespace assay
