// Compares what writers make of the sample report with the approved files.
#include <doctest/doctest.h>

#include <string>

#include "dialects/blueprint/blueprint.h"
#include "report/export.h"
#include "report/page/assets.h"
#include "tests/support/approved.h"
#include "tests/support/sample_report.h"

namespace assay {
namespace {

constexpr const char* kRunFolder = "live/blueprints/civics__sample/";
constexpr const char* kStem = "demo_0123456789abcdef_2026-11-21T10-45-00-442Z";

// The style, the script and its hash have tests of their own eyes: the page is compared without them.
std::string WithoutAssets(std::string page) {
  for (const std::string_view asset : {kReportCss, kReportJs}) {
    const std::size_t at = page.find(asset);
    if (at != std::string::npos) page.replace(at, asset.size(), "(embedded)");
  }
  const std::size_t hash = page.find("'sha256-");
  if (hash != std::string::npos) page.replace(hash, page.find('\'', hash + 1) + 1 - hash, "'sha256-…'");
  return page;
}

TEST_CASE("report.html of the sample") {
  const testing::SampleReport sample;
  testing::MemorySink sink;
  REQUIRE(ExportUnasked(sample.report, sink).has_value());
  REQUIRE(sink.files.count("report.html") == 1);
  CHECK(testing::CompareApproved("report.html", WithoutAssets(sink.files["report.html"])) == "");
}

TEST_CASE("answers as HTML stand in frames that may do nothing, and the page fetches nothing") {
  const testing::SampleReport sample;
  testing::MemorySink sink;
  REQUIRE(ExportUnasked(sample.report, sink).has_value());
  const std::string page = WithoutAssets(sink.files["report.html"]);
  const auto count = [&page](std::string_view part) {
    std::size_t times = 0;
    for (std::size_t at = page.find(part); at != std::string::npos; at = page.find(part, at + 1)) ++times;
    return times;
  };
  CHECK(count("<iframe ") == 4);
  CHECK(count("<iframe sandbox loading=lazy") == 4);  // an empty sandbox: no scripts, no forms, no origin
  CHECK(count("default-src 'none'") == 1);            // frames of srcdoc inherit it
  for (const std::string_view part : {"allow-", "<img", "<script src", "<link", "url(", "<script>alert"}) {
    CAPTURE(part);
    CHECK(count(part) == 0);
  }
}

TEST_CASE("the blueprint's files of the sample") {
  const testing::SampleReport sample;
  testing::MemorySink sink;
  REQUIRE(WriteBlueprint(sample.report, sink).has_value());
  CHECK(sink.files.size() == 2);
  REQUIRE(WriteBlueprintArtefacts(sample.report, sink).has_value());
  const std::string root = kRunFolder + std::string(kStem);
  CHECK(testing::CompareApproved("comparison.json", sink.files[root + "_comparison.json"]) == "");
  CHECK(testing::CompareApproved("core.json", sink.files[root + "/core.json"]) == "");
  std::string names;
  for (const auto& [name, text] : sink.files) names += name + "\n";
  CHECK(testing::CompareApproved("blueprint_files.txt", names) == "");
}

}  // namespace
}  // namespace assay
