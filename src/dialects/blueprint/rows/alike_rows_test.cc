// Tests of rows that are counted and become no cases.
#include "dialects/blueprint/rows/alike_rows.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "dialects/blueprint/read/test_reading.h"

namespace assay {

namespace {

constexpr int kAlikeRows = 300;

struct AlikeRun {
  TestReading reading;
  std::optional<Suite> suite;

  // `odd`: what stands in place of a row in the middle.
  AlikeRun(const std::string& prompt, const std::string& odd, const std::string& dataset = "t.csv") {
    std::string table = "id,q,a\n";
    for (int i = 0; i < kAlikeRows; ++i)
      table +=
          i == kAlikeRows / 2 && !odd.empty() ? odd + "\n" : fmt::format("r{0},What is {0}?,{1}\n", i, i % 7);
    reading.files.files["d/t.csv"] = table;
    reading.options.reads_all_rows = true;
    reading.options.reads_on = true;
    reading.options.binds_quietly = [](const Case& the_case) {
      return the_case.checks.empty() || the_case.checks.front().args.is_undefined() ||
             !the_case.checks.front().args.is_string() || the_case.checks.front().args.AsString() != "odd";
    };
    suite = reading.Read("d/s.yml", "models: [echo:a]\ndataset: " + dataset + "\n---\n" + prompt);
  }
  // "cases kept, cases counted, checks counted".
  std::string Counts() const {
    if (!suite) return "none";
    const Map& alike = suite->details.MapAt("alike");
    return fmt::format("{} {} {}", suite->cases.size(), alike.NumberAt("cases").value_or(0),
                       alike.NumberAt("checks").value_or(0));
  }
};

}  // namespace

TEST_CASE("alike rows: all rows behind the first are counted, with their checks") {
  const std::string prompts[] = {
      "prompt: \"{{q}}\"\nshould: [{$contains: \"{{a}}\"}]\n",
      "prompt: \"Say: {{q}}\"\ngroup: \"{{a}}\"\ntags: [\"{{a}}\"]\nideal: \"{{q}}\"\nshould: [{$contains: "
      "x}]\n",
      "messages:\n- {role: system, content: \"Be {{a}}\"}\n- {role: user, content: \"{{q}}\"}\n"
      "should: [\"{{a}}\"]\n",
  };
  for (const std::string& prompt : prompts) {
    CAPTURE(prompt);
    const AlikeRun run(prompt, "");
    CHECK(run.reading.Problems() == "");
    CHECK(run.Counts() == "100 200 200");
  }
}

TEST_CASE("alike rows: a row that is unlike the others is a case") {
  const std::string prompt = "prompt: \"{{q}}\"\nshould: [{$contains: \"{{a}}\"}]\n";
  CHECK(AlikeRun(prompt, "x,  ,1").Counts() == "101 199 199");
  CHECK(AlikeRun(prompt, "x,What?,odd").Counts() == "101 199 199");
  CHECK(AlikeRun(prompt, "x,What?,").Counts() == "101 199 199");
  CHECK(AlikeRun(prompt, "x,What?," + std::string(9'000, 'a')).Counts() == "100 200 200");
  CHECK(AlikeRun(prompt, "x," + std::string(9'000, 'a') + ",1").Counts() == "101 199 199");
  CHECK(AlikeRun(prompt, std::string(300, 'x') + ",What?,1").Counts() == "101 199 199");
  const AlikeRun told(prompt, "x,,1");
  CHECK(told.reading.Problems() == "error template.null 4:9\n");
}

TEST_CASE("alike rows: where rows are chosen by rank, each is a case") {
  const std::string prompt = "prompt: \"{{q}}\"\nshould: [{$contains: \"{{a}}\"}]\n";
  CHECK(AlikeRun(prompt, "", "{path: t.csv, sample: 250}").Counts() == "250 0 0");
  CHECK(AlikeRun(prompt, "", "{path: t.csv, shuffle: 1}").Counts() == "100 200 200");
  CHECK(AlikeRun(prompt, "", "{path: t.csv, where: {a: 3}}").Counts() == "43 0 0");
  CHECK(AlikeRun(prompt, "", "{path: t.csv, where: {a: [1, 2, 3]}}").Counts() == "100 29 29");
  CHECK(AlikeRun(prompt, "", "{path: t.csv, limit: 120}").Counts() == "100 20 20");
  CHECK(AlikeRun("weight: \"{{a | default(1)}}\"\n" + prompt, "").suite->details.MapAt("alike").empty());
}

}  // namespace assay
