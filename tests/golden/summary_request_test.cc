// Tests of the request for an executive summary: nobody is named, everything is fenced, long reports are cut.
#include "dialects/blueprint/summary/request.h"

#include <doctest/doctest.h>

#include "base/text/utf8.h"
#include "spec/suite/suite.h"
#include "tests/support/sample_report.h"

namespace assay::blueprint {
namespace {

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("the report names prompts and scores, and no model") {
  const testing::SampleReport sample;
  const auto text = SummaryReport(sample.report, NamesOf(*sample.report.suite));
  REQUIRE(text.has_value());
  for (const Case& the_case : sample.report.suite->cases) CHECK(Has(*text, "## Prompt " + the_case.id));
  for (const Variant& variant : sample.report.suite->variants) {
    CAPTURE(variant.id);
    CHECK_FALSE(Has(*text, variant.id));
  }
  CHECK(Has(*text, "MK_5000"));
  // The same run gives the same report: a resumed run must find its answer.
  CHECK(*SummaryReport(sample.report, NamesOf(*sample.report.suite)) == *text);
}

TEST_CASE("the request is a suite of one case") {
  const testing::SampleReport sample;
  const auto suite = SummarySuite(sample.report);
  REQUIRE(suite.has_value());
  REQUIRE(suite->cases.size() == 1);
  REQUIRE(suite->variants.size() == 1);
  CHECK(suite->cases[0].checks.empty());
  const Variant& summariser = suite->variants[0];
  CHECK(summariser.provider == "openrouter");
  CHECK(summariser.model == "google/gemini-3.5-flash-lite");
  CHECK(summariser.params.temperature == 0.1);
  CHECK(summariser.params.max_tokens == 30'000);
  for (const char* tag :
       {"<key_finding>", "<strength>", "<weakness>", "<pattern>", "<grade ", "<topic>", "humility"}) {
    CHECK(Has(*summariser.system, tag));
  }
  const std::string& text = suite->cases[0].turns[0].text;
  const std::string line = text.substr(0, text.find('\n'));
  CHECK(line.starts_with("=== REPORT "));
  CHECK(text.ends_with(line + "\n"));
  CHECK(text.find(line, 1) == text.rfind(line));
}

TEST_CASE("a long report is cut to what the summariser takes") {
  testing::SampleReport sample;
  sample.suite.description = "d";
  for (int i = 0; i < 11'000; ++i)
    sample.suite.description += "\xf0\x9f\x8c\xb3 long words, many of them, to fill the report ";
  const auto text = SummaryReport(sample.report, NamesOf(*sample.report.suite));
  REQUIRE(text.has_value());
  CHECK(CountUtf16(*text) <= 500'000);
  CHECK(CountUtf16(*text) > 499'900);
  CHECK(FindInvalidUtf8(*text) == std::string::npos);
  CHECK(text->ends_with("the rest is left out.)\n"));
}

TEST_CASE("the value that result files hold") {
  const testing::SampleReport sample;
  const ClosingSummary closing = ReadClosing(sample.report, {.model_id = "openrouter:google/gemini-2.5-flash",
                                                             .text = "<key_finding>k</key_finding>"});
  REQUIRE(closing.parts.size() == 1);
  CHECK(closing.parts[0].title == "Key findings");
  CHECK(closing.parts[0].items == std::vector<std::string>{"k"});
  const Value& value = closing.document;
  CHECK(value.Find("modelId")->AsString() == "openrouter:google/gemini-2.5-flash");
  CHECK(value.Find("content")->AsString() == "<key_finding>k</key_finding>");
  CHECK(value.Find("structured")->Find("keyFindings")->AsList().size() == 1);
  CHECK(value.Find("isStructured")->AsBool());
}

}  // namespace assay::blueprint
