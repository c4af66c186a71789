// Tests of blueprints with datasets: the cases that rows become, and what is said of faults.
#include "dialects/blueprint/rows/datasets.h"

#include <doctest/doctest.h>

#include "dialects/blueprint/keys/extractions.h"
#include "dialects/blueprint/read/test_reading.h"
#include "text/extract/steps.h"
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

TEST_CASE("datasets: examples stand before the question") {
  const std::string head =
      "models: [echo:a]\ndataset: [{id: a, q: A?, x: 1}, {id: b, q: B?, x: 2}, {id: c, q: C?, x: 3}]\n";
  const DatasetRun turns(head +
                         "shots: {n: 1, pick: first, assistant: \"{{x}}\", shown: false}\n"
                         "---\nprompt: \"Q {{q}}\"\nshould: [x]\n");
  CHECK(turns.reading.Problems() == "");
  CHECK(turns.Prompt(0, "messages") ==
        R"([{"role":"user","content":"Q B?"},{"role":"assistant","content":"2"},)"
        R"({"role":"user","content":"Q A?"}])");
  CHECK(turns.suite->cases[1].turns[0].text == "Q A?");
  CHECK(turns.suite->cases[1].unshown_turns == 2);
  const DatasetRun text(head +
                        "shots: {n: 2, pick: first, as: text, text: \"{{q}} {{x}}\", separator: \"; \"}\n"
                        "---\nprompt: \"{{shots}}; {{q}}\"\nshould: [x]\n");
  CHECK(text.reading.Problems() == "");
  CHECK(text.Cases() == "a=B? 2; C? 3; A?\nb=A? 1; C? 3; B?\nc=A? 1; B? 2; C?\n");
}

TEST_CASE("datasets: several seeds of examples are variants") {
  const DatasetRun run(
      "models: [echo:a]\ndataset: [{id: a, q: A}, {id: b, q: B}, {id: c, q: C}, {id: d, q: D}]\n"
      "shots: {n: 2, seed: [1, 2], assistant: \"{{q}}\"}\n---\n- id: p\n  prompt: \"{{q}}\"\n  should: [x]\n"
      "- id: plain\n  prompt: Hi\n  dataset: null\n  should: [x]\n");
  CHECK(run.reading.Problems() == "");
  REQUIRE(run.suite->variants.size() == 2);
  CHECK(run.suite->variants[1].id == "echo:a[shots:2]");
  const Case& first = run.suite->cases.front();
  REQUIRE(first.askings->size() == 2);
  CHECK(AskingOf(first, run.suite->variants[0])->turns.size() == 6);
  CHECK(AskingOf(first, run.suite->variants[1])->name == "shots:2");
  const Case& plain = run.suite->cases.back();
  REQUIRE(AskingOf(plain, run.suite->variants[1]) != nullptr);
  CHECK(AskingOf(plain, run.suite->variants[1])->turns[0].text == "Hi");
}

TEST_CASE("datasets: rows fill the header's systems in") {
  const DatasetRun run(
      "models: [echo:a]\ndataset: [{id: a, q: A, who: a cook}]\nsystems: [\"You are {{who}}.\", null]\n"
      "---\nprompt: \"{{q}}\"\nshould: [x]\n");
  CHECK(run.reading.Problems() == "");
  REQUIRE(run.suite->variants.size() == 2);
  const Case& the_case = run.suite->cases.front();
  CHECK(AskingOf(the_case, run.suite->variants[0])->turns[0].text == "You are a cook.");
  CHECK(AskingOf(the_case, run.suite->variants[1])->turns[0].text == "A");
  CHECK(the_case.system->kind == SystemOverride::Kind::kNone);
}

TEST_CASE("datasets: what is wrong with examples is told with both places") {
  struct Fault {
    std::string_view shots;
    std::string_view problem;
    std::string_view message;
  };
  constexpr Fault kFaults[] = {
      {"{n: 2, assistant: \"{{w}}\"}", "error shots.few 3:8\nerror shots.few 3:8\n",
       "d/t.csv:2: expected 2 examples, found 1"},
      {"{n: 1, assistant: \"{{wrong}}\"}", "error template.unknown 3:27\n",
       "shots: the dataset has no column \"wrong\""},
      {"{n: 1, assistant: \"{{w}}\", per: Questoin}", "error dataset.column 3:40\n",
       "the dataset has no column \"Questoin\""},
      {"{n: 1, as: text, text: x}", "error shots.unused 5:1\n",
       "shots: as: text, and the prompt has no place for the text"},
  };
  for (const Fault& fault : kFaults) {
    const DatasetRun run("models: [echo:a]\ndataset: t.csv\nshots: " + std::string(fault.shots) +
                         "\n---\nprompt: \"{{Question}}\"\nshould: [x]\n");
    CHECK(run.reading.Problems() == fault.problem);
    REQUIRE_FALSE(run.reading.diagnostics.All().empty());
    CHECK(run.reading.diagnostics.All().front().message == fault.message);
  }
  CHECK(DatasetRun("models: [echo:a]\nshots: {n: 1, assistant: x}\n---\nprompt: Hi\nshould: [x]\n")
            .reading.Problems()
            .starts_with("error shots.no-dataset 2:8\n"));
}

TEST_CASE("extract: the nearest one counts, and only functions have one") {
  const DatasetRun run(
      "models: [echo:a]\nextract: {number: last}\n---\n- prompt: A\n  should:\n    - $equals: \"1\"\n"
      "    - {$contains: x, extract: none}\n    - {$contains: x, extract: \"a(.)\", name: strict}\n    - "
      "words\n"
      "- prompt: B\n  extract: [{boxed: true}, none]\n  should: [{$equals: \"1\"}]\n");
  CHECK(run.reading.Problems() == "");
  const std::vector<Check>& checks = run.suite->cases[0].checks;
  const auto extract = [](const Check& check) { return WriteJson(*check.extract, JsonStyle::kJavaScript); };
  CHECK(extract(checks[0]) == R"({"number":"last"})");
  CHECK(checks[1].extract->is_undefined());
  CHECK(extract(checks[2]) == R"j("a(.)")j");
  CHECK(checks[2].metric == "strict");
  CHECK(checks[3].extract->is_undefined());
  CHECK(extract(run.suite->cases[1].checks[0]) == R"([{"boxed":true},"none"])");
  const auto id_of = [](std::string_view extra) {
    const DatasetRun one("models: [echo:a]\n---\nprompt: A\n" + std::string(extra) + "\n");
    return one.suite ? one.suite->cases[0].id : one.reading.Problems();
  };
  CHECK(id_of("should: [{$equals: x}]") ==
        id_of("extract: {line: last}\nshould: [{$equals: x, extract: a, name: b}]"));
  CHECK(id_of("should: [{$equals: x, extract: {lien: 1}}]") == "error extract.value 4:33\n");
}

TEST_CASE("datasets: a cell is a number where a function wants one") {
  const DatasetRun run(
      "models: [echo:a]\ndataset: [{id: a, q: A, n: \"0.5\", k: \"4\", w: \"007\"}]\n---\nprompt: "
      "\"{{q}}\"\nshould:\n"
      "  - $numeric: {value: \"{{w}}\", tolerance: \"{{n}}\"}\n  - $choice: {answer: B, of: \"{{k}}\"}\n"
      "  - $not_count: {of: words, at_most: \"{{k}}\"}\n");
  CHECK(run.reading.Problems() == "");
  CHECK(run.Prompt(0, "points") ==
        R"([{"fn":"numeric","fnArgs":{"value":"007","tolerance":0.5},"multiplier":1},)"
        R"({"fn":"choice","fnArgs":{"answer":"B","of":4},"multiplier":1},)"
        R"({"fn":"not_count","fnArgs":{"of":"words","at_most":4},"multiplier":1}])");
}

TEST_CASE("extract: editors know each step") {
  for (const ExtractRow& row : ExtractTable()) CHECK(FindKey(blueprint::kExtractStep, row.name) != nullptr);
  CHECK(std::size(blueprint::kExtractKeys) == ExtractTable().size() + 1);
}

TEST_CASE("datasets: weval knows none") {
  TestReading reading;
  reading.options.compat = Compat::kWeval;
  CHECK_FALSE(reading.Read("s.yml", "dataset: t.csv\n---\nprompt: \"{{q}}\"\n").has_value());
  CHECK(reading.Problems().starts_with("error dataset.compat 1:10\n"));
}

}  // namespace assay
