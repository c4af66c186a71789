// Tests of blueprints with datasets: the cases that rows become, and what is said of faults.
#include "dialects/blueprint/rows/datasets.h"

#include <doctest/doctest.h>

#include "dialects/blueprint/read/test_reading.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kTable =
    "id,Question,Must 1,Must 2,lo,w\n"
    "a,What is it?,Names it,,1,2\n"
    "b,\"Why, then?\",,,3,\n";

struct DatasetRun {
  TestReading reading;
  std::optional<Suite> suite;

  explicit DatasetRun(const std::string& text, const std::string& where = "") {
    reading.files.files["d/t.csv"] = kTable;
    if (!where.empty()) reading.options.own.values["where"] = {where};
    reading.options.keeps_normal_form = true;
    suite = reading.Read("d/s.yml", text);
  }
  // Of each case: id and question.
  std::string Cases() const {
    std::string out;
    if (!suite) return out;
    for (const Value& prompt : suite->normal_form.ListAt("prompts"))
      out += prompt.TextAt("id") + "=" + prompt.ListAt("messages").front().TextAt("content") + "\n";
    return out;
  }
  std::string Prompt(std::size_t index, std::string_view key) const {
    const Value* value = suite->normal_form.ListAt("prompts")[index].Find(key);
    return value == nullptr ? "-" : WriteJson(*value, JsonStyle::kJavaScript);
  }
};

}  // namespace

TEST_CASE("datasets: a row is a case, empty cells leave criteria out") {
  const DatasetRun run(
      "models: [echo:a]\ndataset: t.csv\n---\nprompt: \"{{Question}}\"\nweight: \"{{w}}\"\n"
      "should:\n  - \"{{Must 1}}\"\n  - \"{{Must 2}}\"\n  - $word_count_between: [\"{{lo}}\", 90]\n");
  CHECK(run.reading.Problems() == "");
  CHECK(run.Cases() == "a=What is it?\nb=Why, then?\n");
  CHECK(run.Prompt(0, "weight") == "2");
  CHECK(run.Prompt(1, "weight") == "-");
  CHECK(run.Prompt(1, "points").find("[3,90]") != std::string::npos);
  REQUIRE(run.suite->files.size() == 2);
  CHECK(run.suite->files[1].path == "d/t.csv");
}

TEST_CASE("datasets: a prompt says its own, and without one braces are letters") {
  const DatasetRun run(
      "models: [echo:a]\n---\n- id: p\n  prompt: \"{{Question}}\"\n  dataset: t.csv\n  should: [x]\n"
      "- id: plain\n  prompt: \"Say {{x}}\"\n  should: [\"{{y}}\"]\n");
  CHECK(run.Cases() == "p.a=What is it?\np.b=Why, then?\nplain=Say {{x}}\n");
  CHECK(run.reading.Problems() == "warning template.no-dataset 8:11\n");
}

TEST_CASE("datasets: the command line selects rows, and needs some to select") {
  const std::string text = "models: [echo:a]\ndataset: t.csv\n---\nprompt: \"{{Question}}\"\nshould: [x]\n";
  CHECK(DatasetRun(text, "id=b").Cases() == "b=Why, then?\n");
  CHECK(DatasetRun(text, "idd=b").reading.Problems().starts_with("error dataset.column "));
  CHECK(DatasetRun("models: [echo:a]\n---\nprompt: Hi\nshould: [x]\n", "id=b").reading.Problems() ==
        "error dataset.none 1:1\n");
}

TEST_CASE("datasets: a fault names the template's place and the row's") {
  struct Fault {
    std::string_view prompt;
    std::string_view problem;
    std::string_view message;
  };
  constexpr Fault kFaults[] = {
      {"prompt: {{Question}}\nshould: [x]\n", "error template.unquoted 4:9\n",
       "prompt 1: {{…}} without quotes is a mapping of YAML"},
      {"prompt: \"{{Qestion}}\"\nshould: [x]\n", "error template.unknown 4:10\n",
       "the dataset has no column \"Qestion\""},
      {"prompt: \"{{Question}} {{Must 1}}\"\nshould: [x]\n", "error template.null 4:23\n",
       "d/t.csv:3: \"Must 1\" is empty in this row"},
      {"prompt: \"{{Must 1}}\"\nshould: [x]\n", "error template.null 4:9\n",
       "d/t.csv:3: prompt: expected a text, found an empty cell"},
  };
  for (const Fault& fault : kFaults) {
    const DatasetRun run("models: [echo:a]\ndataset: t.csv\n---\n" + std::string(fault.prompt));
    CHECK(run.reading.Problems() == fault.problem);
    REQUIRE_FALSE(run.reading.diagnostics.All().empty());
    CHECK(run.reading.diagnostics.All().front().message == fault.message);
  }
}

TEST_CASE("datasets: a row's data is not code") {
  const DatasetRun run(
      "models: [echo:a]\ndataset: [{id: a, q: Hi, must: [\"$500 is named\", {$js: \"true\"}]}]\n---\n"
      "prompt: \"{{q}}\"\nshould: \"{{must}}\"\n");
  CHECK(run.reading.Problems().starts_with("error template.function "));
  const DatasetRun words(
      "models: [echo:a]\ndataset: [{id: a, q: Hi, must: [\"$js\"], cost: \"$5\"}]\n---\nprompt: "
      "\"{{q}}\"\n"
      "should: [\"{{must}}\", \"{{cost}}\", \"{{cost}} is named\", $is_json]\n");
  CHECK(words.reading.Problems() == "");
  CHECK(words.Prompt(0, "points") ==
        R"([{"text":"$js","multiplier":1},{"text":"$5","multiplier":1},)"
        R"({"text":"$5 is named","multiplier":1},{"fn":"is_json","multiplier":1}])");
}

TEST_CASE("datasets: weval knows none") {
  TestReading reading;
  reading.options.compat = Compat::kWeval;
  CHECK_FALSE(reading.Read("s.yml", "dataset: t.csv\n---\nprompt: \"{{q}}\"\n").has_value());
  CHECK(reading.Problems().starts_with("error dataset.compat 1:10\n"));
}

}  // namespace assay
