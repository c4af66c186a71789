// How rows of files become cases and attempts, and what is said of a file beside its numbers.
#include "report/import/import.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <random>
#include <set>

#include "report/import/imported_run.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

using Run = std::shared_ptr<const ImportedRun>;

Run Read(const std::string& bytes, std::string_view part = {}) {
  Result<Run> run = ImportRun(bytes, {.name = "results/file", .part = part});
  CAPTURE((run ? std::string() : run.error().message));
  REQUIRE(run.has_value());
  return *run;
}

std::vector<std::string> IdsOf(const ImportedRun& run) {
  std::vector<std::string> ids;
  for (const Case& the_case : run.suite.cases) ids.push_back(the_case.id);
  return ids;
}

// What a row asks, beside who answers it and how often.
struct ImportTestRun {
  std::string name;      // people may give several questions one name
  std::string question;  // differs for each of them
  double score = 1;
};

std::string PromptfooFile(const std::vector<std::string>& rows) {
  std::string all;
  for (const std::string& row : rows) all += (all.empty() ? "" : ",") + row;
  return fmt::format(
      R"({{"evalId":"e","results":{{"version":3,"prompts":[{{"raw":"Q {{{{a}}}}","label":"p"}}],)"
      R"("results":[{}]}}}})",
      all);
}
std::string PromptfooRow(const ImportTestRun& asked, std::size_t variant) {
  return fmt::format(
      R"({{"provider":{{"id":"openai:{}"}},"prompt":{{"raw":"Q {}","label":"p"}},"vars":{{"a":"{}"}},)"
      R"("score":{},"testCase":{{"description":"{}","assert":[{{"type":"contains"}}]}}}})",
      variant, asked.question, asked.question, asked.score, asked.name);
}

std::string InspectFile(const std::vector<std::string>& rows) {
  std::string all;
  for (const std::string& row : rows) all += (all.empty() ? "" : ",") + row;
  return fmt::format(R"({{"version":2,"eval":{{"eval_id":"1","task":"t","model":"m"}},"samples":[{}]}})",
                     all);
}
std::string InspectRow(const ImportTestRun& asked, std::size_t epoch) {
  return fmt::format(R"({{"id":"{}","epoch":{},"input":"{}","scores":{{"match":{{"value":{}}}}}}})",
                     asked.name, epoch + 1, asked.question, asked.score);
}

std::string LinesFile(const std::vector<std::string>& rows) {
  std::string all;
  for (const std::string& row : rows) all += row + "\n";
  return all;
}
std::string LmEvalRow(std::size_t number, const ImportTestRun& asked, std::string_view filter = "none") {
  return fmt::format(
      R"({{"doc_id":{},"doc":{{"id":"{}"}},"arguments":{{"gen_args_0":{{"arg_0":"{}"}}}},)"
      R"("filtered_resps":["x"],"filter":"{}","metrics":["acc","acc_norm"],"acc":{},"acc_norm":0.25}})",
      number, asked.name, asked.question, filter, asked.score);
}
std::string OwnRow(const ImportTestRun& asked, std::size_t variant) {
  return fmt::format(
      R"({{"suite":"s","case":"{}","digest":"{}","variant":"v{}","model":"m","state":"scored","score":{},)"
      R"("points":[]}})",
      asked.name, asked.question, variant, asked.score);
}

// Every case has as many attempts as the file has rows of it.
void CheckShape(const ImportedRun& run, std::size_t cases, std::size_t variants, std::size_t attempts) {
  CHECK(run.suite.cases.size() == cases);
  CHECK(run.suite.variants.size() == variants);
  CHECK(run.suite.attempts == attempts);
  CHECK(run.cells.size() == cases * variants * attempts);
  const std::vector<std::string> ids = IdsOf(run);
  CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == cases);
}

}  // namespace

TEST_CASE("tests of one description are several cases, and their repeats attempts") {
  // All three were attempts of one case.
  std::vector<std::string> rows;
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (const char* question : {"one", "two", "three"})
      rows.push_back(PromptfooRow({.name = "sums", .question = question}, 0));
  }
  const Run run = Read(PromptfooFile(rows));
  CheckShape(*run, 3, 1, 2);
  CHECK(IdsOf(*run).front() == R"(sums {"a":"one"})");
  CHECK(IdsOf(*Read(PromptfooFile({rows[0]}))).front() == "sums");
}

TEST_CASE("without variables the prompt tells tests apart, else their assertions") {
  const auto row = [](std::string_view raw, std::string_view value) {
    return fmt::format(
        R"({{"provider":{{"id":"openai:a"}},"prompt":{{"raw":"{}"}},"score":1,"vars":{{"_conversation":[]}},)"
        R"("testCase":{{"description":"d","assert":[{{"type":"contains","value":"{}"}}]}}}})",
        raw, value);
  };
  CheckShape(
      *Read(PromptfooFile({row("Say 1", "x"), row("Say 2", "x"), row("Say 1", "x"), row("Say 2", "x")})), 2,
      1, 2);
  CheckShape(*Read(PromptfooFile({row("Say 1", "x"), row("Say 1", "y")})), 2, 1, 1);
  const std::string nameless =
      R"({"provider":{"id":"openai:a"},"prompt":{"raw":"Q {{a}}"},"score":1,"testIdx":)";
  CheckShape(*Read(PromptfooFile({nameless + "0}", nameless + "1}"})), 1, 1, 2);
}

TEST_CASE("whatever the names of its rows, a file has as many rows as cases times attempts") {
  std::mt19937 drawn(20261126);
  const auto up_to = [&drawn](std::size_t most) { return 1 + drawn() % most; };
  for (int round = 0; round < 60; ++round) {
    const std::size_t cases = up_to(7);
    const std::size_t variants = up_to(3);
    const std::size_t attempts = up_to(4);
    std::vector<ImportTestRun> asked;
    for (std::size_t i = 0; i < cases; ++i)
      asked.push_back(
          {.name = fmt::format("name{}", drawn() % 2), .question = fmt::format("question {}", i)});
    std::vector<std::string> promptfoo, inspect, samples, own;
    for (std::size_t attempt = 0; attempt < attempts; ++attempt) {
      for (std::size_t i = 0; i < cases; ++i) {
        for (std::size_t v = 0; v < variants; ++v) {
          promptfoo.push_back(PromptfooRow(asked[i], v));
          own.push_back(OwnRow(asked[i], v));
        }
        inspect.push_back(InspectRow(asked[i], attempt));
        samples.push_back(LmEvalRow(i % 3, asked[i]));
      }
    }
    for (std::vector<std::string>* rows : {&promptfoo, &inspect, &samples, &own})
      std::shuffle(rows->begin(), rows->end(), drawn);
    CAPTURE(round);
    CheckShape(*Read(PromptfooFile(promptfoo)), cases, variants, attempts);
    CheckShape(*Read(InspectFile(inspect)), cases, 1, attempts);
    CheckShape(*Read(LinesFile(samples)), cases, 1, attempts);
    CheckShape(*Read(LinesFile(own)), cases, variants, attempts);
  }
}

TEST_CASE("samples of several filters name the one that is read, and the others can be chosen") {
  std::string file;
  for (const char* filter : {"strict-match", "flexible-extract"}) {
    for (std::size_t i = 0; i < 3; ++i)
      file +=
          LmEvalRow(i, {.name = "", .question = "q", .score = filter[0] == 's' ? 0.0 : 1.0}, filter) + "\n";
  }
  const auto first_score = [](const Run& run) { return run->cells.front().score; };
  const Run first = Read(file);
  CheckShape(*first, 3, 1, 1);
  CHECK(first_score(first) == 0);
  CHECK(first->suite.title == "file: acc, filter strict-match");
  REQUIRE(first->remarks.size() == 1);
  CHECK(first->remarks[0].text ==
        "scores are acc, filter strict-match; also in the file: filter flexible-extract, metric acc_norm "
        "(choose "
        "with results/file#flexible-extract)");
  CHECK(!first->is_part);
  CHECK(first_score(Read(file, "flexible-extract")) == 1);
  CHECK(Read(file, "flexible-extract")->is_part);
  CHECK(first_score(Read(file, "acc_norm")) == 0.25);
  CHECK(Read(file, "flexible-extract#acc_norm")->suite.title == "file: acc_norm, filter flexible-extract");
  CHECK(!Read(file, "other")->is_part);
}

TEST_CASE("a file that lists no metrics has those that its documents have numbers of") {
  const std::string line =
      R"({"doc_id":0,"filtered_resps":["x"],"filter":"none","bleu":[["a"],"b"],"exact":true,"doc_hash":"1"})";
  const Run run = Read(line);
  CHECK(run->suite.title == "file: exact, filter none");
  CHECK(run->cells.front().score == 1);
  CHECK(run->remarks.empty());
}

TEST_CASE("scores outside 0 to 1 are said, and bound no interval") {
  const auto remarks = [](double score) {
    const Run run = Read(PromptfooFile({PromptfooRow({.name = "a", .question = "a", .score = score}, 0),
                                        PromptfooRow({.name = "b", .question = "b", .score = -0.5}, 0)}));
    CHECK(!run->suite.score_bounds.are_known);
    REQUIRE(run->remarks.size() == 1);
    CHECK(run->remarks[0].is_warning);
    return run->remarks[0].text;
  };
  CHECK(remarks(3) ==
        "2 of 2 scores lie outside 0 to 1 (from -0.5 to 3): they count unscaled, so means can leave 0 to 100 "
        "points");
  CHECK(remarks(0.5).find("1 of 2 scores lie outside 0 to 1 (from -0.5 to 1)") == 0);
  const Run fine = Read(LinesFile({OwnRow({.name = "a", .question = "a", .score = 1.0000000000000002}, 0)}));
  CHECK(fine->remarks.empty());
  CHECK(fine->suite.score_bounds.are_known);
}

}  // namespace assay
