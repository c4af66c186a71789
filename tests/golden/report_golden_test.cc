// Compares what writers make of the sample report with the approved files.
#include <doctest/doctest.h>

#include <string>

#include "base/hash.h"
#include "dialects/blueprint/blueprint.h"
#include "report/export.h"
#include "report/page/page_files.h"
#include "tests/support/approved.h"
#include "tests/support/page_data.h"
#include "tests/support/sample_report.h"
#include "text/json/json.h"
#include "text/packed/base64.h"

namespace assay {
namespace {

constexpr const char* kRunFolder = "live/blueprints/civics__sample/";
constexpr const char* kStem = "demo_0123456789abcdef_2026-11-21T10-45-00-442Z";

std::string SamplePage() {
  const testing::SampleReport sample;
  testing::MemorySink sink;
  REQUIRE(ExportUnasked(sample.report, {}, sink).has_value());
  REQUIRE(sink.files.count("report.html") == 1);
  return sink.files["report.html"];
}

// What of the page is no packed data.
std::string Frame(std::string page) {
  const std::string open = "<script type=\"application/x-assay\"";
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open))
    page.erase(at, page.find("</script>", at) + 9 - at);
  return page;
}

TEST_CASE("report.html holds what the pages ask for") {
  std::string told;
  for (const auto& [path, body] : testing::PageBodies(SamplePage())) {
    const bool is_json =
        body.starts_with('{') && path.find("&amp;va=") == std::string::npos;  // one of a kind
    told += path + "\n";
    if (is_json) told += WriteJson(ParseJson(body).value(), JsonStyle::kJavaScript2) + "\n";
  }
  CHECK(testing::CompareApproved("report.txt", told) == "");
}

TEST_CASE("the page is one script and one sheet, known by their hashes, and fetches nothing") {
  const std::string page = Frame(SamplePage());
  const auto count = [&page](std::string_view part) {
    std::size_t times = 0;
    for (std::size_t at = page.find(part); at != std::string::npos; at = page.find(part, at + 1)) ++times;
    return times;
  };
  const auto hash_of = [](std::string_view text) {
    const Digest digest = Sha256Of(text);
    return "'sha256-" + EncodeBase64(std::string(digest.begin(), digest.end())) + "'";
  };
  CHECK(count("<script") == 1);
  CHECK(count("<style") == 1);
  CHECK(count(hash_of(JoinedScript(PageFiles()))) == 1);
  CHECK(count(hash_of(JoinedStyle(PageFiles()))) == 1);
  CHECK(count("default-src 'none'") == 1);
  CHECK(count("connect-src 'none'") == 1);
  CHECK(count("require-trusted-types-for 'script'") == 1);
  for (const std::string_view part : {"<img", "<link", "<iframe", " src=", "@import", "<script>alert"}) {
    CAPTURE(part);
    CHECK(count(part) == 0);
  }
}

TEST_CASE("modules are joined in the order of their imports, without the words for them") {
  const PageFile files[] = {
      {"main.js", "// Starts.\nimport { b } from './b.js';\nimport {\n  a,\n} from './a.js';\nb(a);\n"},
      {"a.js", "export const a = 'import x';\n"},
      {"b.js", "import { a } from './a.js';\nexport function b() {\n  return a;\n}\n"},
  };
  CHECK(JoinedScript(files) ==
        "\n// a.js\nconst a = 'import x';\n\n// b.js\nfunction b() {\n  return a;\n}\n"
        "\n// main.js\n// Starts.\nb(a);\n");
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
