// Tests what report.html holds of runs of several sizes.
#include <doctest/doctest.h>

#include "base/text/percent.h"
#include "report/export.h"
#include "report/page/page_data.h"
#include "tests/support/generated_report.h"
#include "tests/support/page_data.h"
#include "tests/support/sample_report.h"
#include "text/json/json.h"

namespace assay {
namespace {

using testing::GeneratedReport;
using testing::MemorySink;
using testing::PageBodies;
using testing::ReportShape;

std::string PageOf(const ReportShape& shape) {
  const GeneratedReport generated(shape);
  MemorySink sink;
  REQUIRE(
      Export(*FindExport("html"), generated.report, {.all_cases = true}, "report.html", sink).has_value());
  return sink.files.at("report.html");
}

// What is kept in this room of 300 cases of so many variants.
auto BodiesIn(const PageRoom& room, std::size_t variants = 4) {
  const GeneratedReport generated({.cases = 300, .variants = variants});
  const auto statistics = StatisticsOf(generated.report).value();
  const RunMap map = RunMapOf(generated.report, PassRule(), false).value();
  RunRecord record;
  record.cells = 300 * variants;
  const PageFacts facts{.record = record, .statistics = *statistics, .map = map};
  MemorySink sink;
  REQUIRE(sink.Open("data").has_value());
  REQUIRE(WritePageData(generated.report, facts, room, sink).has_value());
  return PageBodies(sink.files.at("data"));
}

TEST_CASE("200 cases, 30 variants, answers of 500 bytes: every answer is there, whole, in less than 5 MB") {
  const std::string page = PageOf({.cases = 200, .variants = 30});
  CHECK(page.size() < 5'000'000);
  const auto bodies = PageBodies(page);
  CHECK(ParseJson(bodies.at("index"))->Find("cases")->AsString() == "all");
  std::size_t answers = 0;
  for (const auto& [path, body] : bodies) {
    if (path.find("/case ") == std::string::npos) continue;
    const Value cases = ParseJson(body).value();
    for (const Member& each : cases.AsMap()) answers += each.value.Find("cells")->AsList().size();
  }
  CHECK(answers == 6'000);
}

TEST_CASE("where there is no room for all cases, those that say something are kept, and the others counted") {
  const auto bodies = BodiesIn({.case_bytes_max = 200'000, .telling_bytes_max = 200'000});
  const Value index = ParseJson(bodies.at("index")).value();
  CHECK(index.Find("cases")->AsString() == "failures");
  std::size_t there = 0;
  std::size_t bytes = 0;
  for (const auto& [path, body] : bodies) {
    if (path.find("/case ") == std::string::npos) continue;
    there += ParseJson(body)->AsMap().size();
    bytes += body.size();
  }
  CHECK(there > 5);
  CHECK(there + static_cast<std::size_t>(index.Find("left_out")->AsNumber()) == 300);
  CHECK(bytes < 300'000);
  CHECK(index.Find("left_out_telling")->AsNumber() > 0);  // not all of those had room either
  CHECK(index.Find("left_out_telling")->AsNumber() <= index.Find("left_out")->AsNumber());
  CHECK(bodies.at("run/20260101T000000-0000/cells.bin").size() == 1'200);  // of all of them
}

TEST_CASE("of a run of many cells no more than so many are written out") {
  const auto bodies = BodiesIn({.telling_from = 1, .cells_max = 100});
  const Value index = ParseJson(bodies.at("index")).value();
  CHECK(index.Find("cases")->AsString() == "failures");
  CHECK(index.Find("left_out")->AsNumber() == 300 - 100 / 4);
}

TEST_CASE("of a large run the cases that fail are kept, unless all are asked for") {
  const auto index_in = [](const PageRoom& room) { return ParseJson(BodiesIn(room, 1).at("index")).value(); };
  const Value telling = index_in({.telling_from = 300});
  CHECK(telling.Find("cases")->AsString() == "failures");
  CHECK(telling.Find("left_out")->AsNumber() > 0);
  CHECK(telling.Find("left_out")->AsNumber() < 300);
  CHECK(telling.Find("left_out_telling")->AsNumber() == 0);
  CHECK(index_in({.telling_from = 301}).Find("cases")->AsString() == "all");
  CHECK(index_in(PageRoom::OfAllCases()).Find("cases")->AsString() == "all");
}

// Cases beyond the room were counted as cases in which nothing had failed.
TEST_CASE("cases that fail and have no room are counted apart from those in which nothing failed") {
  const auto telling =
      ParseJson(
          BodiesIn({.case_bytes_max = 200'000, .telling_bytes_max = 200'000, .cells_max = 1'000}).at("index"))
          .value();
  const auto none = ParseJson(BodiesIn({.telling_from = 1, .cells_max = 1}).at("index")).value();
  CHECK(none.Find("left_out_telling")->AsNumber() > telling.Find("left_out_telling")->AsNumber());
  CHECK(ParseJson(BodiesIn({}).at("index"))->Find("left_out_telling")->AsNumber() == 0);
}

TEST_CASE("of many variants the first of the ranking is compared with each, in both directions") {
  const GeneratedReport generated({.cases = 20, .variants = 12});
  MemorySink sink;
  REQUIRE(ExportUnasked(generated.report, {}, sink).has_value());
  std::size_t named = 0;
  const auto bodies = PageBodies(sink.files.at("report.html"));
  constexpr std::string_view kA = "&amp;va=";
  constexpr std::string_view kB = "&amp;vb=";
  for (const auto& [path, body] : bodies) {
    const std::size_t at = path.find(kA);
    if (!path.starts_with("compare?") || at == std::string::npos) continue;
    ++named;
    const std::size_t end = path.find(kB);
    const std::string a = path.substr(at + kA.size(), end - at - kA.size());
    const std::string b = path.substr(end + kB.size());
    CHECK(bodies.contains(path.substr(0, at) + std::string(kA) + b + std::string(kB) + a));
  }
  CHECK(named == 22);
}

TEST_CASE("words of paths are encoded as the pages encode them") {
  CHECK(PercentEncoded("a b/ü'(~*)&\"") == "a%20b%2F%C3%BC'(~*)%26%22");
}

}  // namespace
}  // namespace assay
