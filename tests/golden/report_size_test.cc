// Tests how large report.html becomes, and what it does when there is too much to show.
#include <doctest/doctest.h>

#include "base/limits.h"
#include "report/export.h"
#include "tests/support/generated_report.h"
#include "tests/support/sample_report.h"

namespace assay {
namespace {

using testing::GeneratedReport;
using testing::MemorySink;
using testing::ReportShape;

std::string PageOf(const ReportShape& shape) {
  const GeneratedReport generated(shape);
  MemorySink sink;
  REQUIRE(ExportUnasked(generated.report, sink).has_value());
  return sink.files.at("report.html");
}

std::size_t CountOf(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_CASE("the page stays below its limit, whatever there is to show") {
  const ReportShape shapes[] = {
      {.cases = 200, .variants = 30},
      {.cases = 200, .variants = 30, .checks = 12, .answer_bytes = 4'000},
      {.cases = 20, .variants = 5, .answer_bytes = 200'000},
      {.cases = 800, .variants = 10, .checks = 2},
      {.cases = 1'000, .variants = 12, .attempts = 2, .answer_bytes = 100},
  };
  for (const ReportShape& shape : shapes) {
    CAPTURE(shape.cases);
    CAPTURE(shape.variants);
    CAPTURE(shape.answer_bytes);
    CHECK(PageOf(shape).size() <= limits::kHtmlBytesMax);
  }
}

TEST_CASE("200 cases, 30 variants, answers of 500 bytes: every answer is there, whole") {
  const std::string page = PageOf({.cases = 200, .variants = 30});
  CHECK(CountOf(page, "<details class=a id") == 6'000);
  CHECK(CountOf(page, "<i class=cut>") == 0);
}

TEST_CASE("small runs show everything, large ones their worst answers") {
  const std::string small = PageOf({.cases = 10, .variants = 3, .answer_bytes = 20'000});
  CHECK(CountOf(small, "<i class=cut>") == 0);
  CHECK(CountOf(small, "judge-2(acme:judge)") > 60);
  const std::string large = PageOf({.cases = 2'000, .variants = 5});
  CHECK(CountOf(large, "<details class=a id") == 60);
  CHECK(CountOf(large, "<tr data-case=") == 200);
}

}  // namespace
}  // namespace assay
