// Tests of reading InfiBench suites and recorded answers from files in memory.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <map>

#include "dialects/infibench/infibench.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

class MemoryFiles final : public FileReader {
 public:
  explicit MemoryFiles(std::map<std::string, std::string, std::less<>> files) : files_(std::move(files)) {}
  Result<std::string> Read(std::string_view path) override {
    const auto found = files_.find(path);
    if (found == files_.end()) return Error{ErrorCode::kNotFound, "there is no file " + std::string(path)};
    return found->second;
  }
  bool Exists(std::string_view path) override { return files_.contains(path); }
  Result<std::vector<std::string>> List(std::string_view) override { return std::vector<std::string>(); }

 private:
  std::map<std::string, std::string, std::less<>> files_;
};

struct Reading {
  MemoryFiles files;
  ReadOptions options;
  SourceFiles sources;
  Diagnostics diagnostics;
  std::optional<Suite> suite;

  explicit Reading(std::map<std::string, std::string, std::less<>> texts) : files(std::move(texts)) {}
  ReadInput Input(std::string path) {
    return {.path = std::move(path),
            .options = options,
            .files = files,
            .sources = sources,
            .diagnostics = diagnostics};
  }
  void Read(const std::string& path) {
    const FileId file = sources.Add(path, *files.Read(path));
    const ReadInput input = Input(path);
    suite = ReadInfibench(input, file, sources.Text(file));
  }
  std::string Problems() const { return FormatDiagnostics(diagnostics, sources); }
};

std::map<std::string, std::string, std::less<>> SmallSuite() {
  return {{"s/suite.yaml",
           "attempt_reduce_mode: avg_max_3\nfull_score_per_question: 2\ncases:\n- c/a.yaml\n- {path: "
           "c/b.yaml, weight: 3}\n"},
          {"s/c/a.yaml",
           "id: 0-1\nprompt_path: a.txt\ntype: code completion\nlang: python\nfull_score: 1.5\ngrading:\n"
           "  max_score: 1\n  unit_test:\n    tests:\n    - {path: t.py, prefix_path: p.py, cleanup_path: "
           "gone.py}\n"
           "  keywords: [x, {post_handler: {module: c.h, func: f}}]\n"},
          {"s/c/b.yaml",
           "id: 0-2\nprompt_path: a.txt\ntype: code completion\nlang: css\ngrading:\n  similarity:\n"
           "  - {metric: rouge1, references: [plain, {path: ref.txt}]}\n"},
          {"s/c/a.txt", "What is\r\nit?\r"},
          {"s/c/t.py", "assert 1\r\n"},
          {"s/c/p.py", "SEED = 7\n"},
          {"s/c/h.py", "def f(a, b, c): pass\n"},
          {"s/c/ref.txt", "a reference"}};
}

const Value& At(const Value& value, std::string_view key) { return *value.Find(key); }

TEST_CASE("cases that their authors know to be flaky") {
  auto files = SmallSuite();
  files["s/c/a.yaml"] += "flaky: true\n";
  Reading marked(files);
  marked.Read("s/suite.yaml");
  REQUIRE_MESSAGE(marked.suite, marked.Problems());
  CHECK(marked.suite->cases[0].is_flaky);
  CHECK_FALSE(marked.suite->cases[1].is_flaky);
  CHECK(At(marked.suite->cases[0].details, "fields").Find("flaky") == nullptr);
  files["s/c/b.yaml"] += "flaky: 3\n";
  Reading wrong(files);
  wrong.Read("s/suite.yaml");
  CHECK(wrong.Problems().find("flaky: expected true or false, found a number") != std::string::npos);
}

TEST_CASE("a suite: defaults, bounds, and the texts of all files that its cases name") {
  Reading reading(SmallSuite());
  reading.Read("s/suite.yaml");
  CAPTURE(reading.Problems());
  REQUIRE(reading.suite.has_value());
  const Suite& suite = *reading.suite;
  CHECK(suite.id == "suite");
  CHECK(suite.aggregation.reduce == "avg_max_3");
  REQUIRE(suite.cases.size() == 2);
  const Case& first = suite.cases[0];
  CHECK(first.id == "c/a.yaml");
  CHECK(first.full_score == 1.5);
  CHECK(first.max_score == 1);
  CHECK(!first.min_score.has_value());
  CHECK(first.turns.front().text == "What is\nit?\n");
  // Keywords are evaluated before unit tests, wherever they stand.
  REQUIRE(first.checks.size() == 2);
  CHECK(first.checks[0].kind == "keywords");
  CHECK(At(At(first.checks[0].args.AsList()[1], "post_handler"), "source").AsString() ==
        "def f(a, b, c): pass\n");
  const Value& test = At(first.checks[1].args, "tests").AsList()[0];
  CHECK(At(test, "content").AsString() == "assert 1\n");
  CHECK(At(test, "prefix_text").AsString() == "SEED = 7\n");
  CHECK(At(test, "problem").AsString() == "there is no file s/c/gone.py");
  CHECK(At(first.checks[1].args, "case_lang").AsString() == "python");
  CHECK(At(At(first.details, "fields"), "id").AsString() == "0-1");
  CHECK(At(first.details, "fields").Find("grading") == nullptr);
  CHECK(suite.cases[1].full_score == 2);
  CHECK(suite.cases[1].weight == 3);
  const Value& references = At(suite.cases[1].checks[0].args.AsList()[0], "references");
  CHECK(At(references.AsList()[1], "content").AsString() == "a reference");
}

TEST_CASE("a weight is whatever Python's float() takes") {
  // A weight in quotes used to refuse the whole suite.
  struct Row {
    std::string_view weight;
    std::optional<double> counted;  // nothing: an error, where weights count
    bool is_taken = true;           // by the original, which takes it and ignores it
  };
  const Row rows[] = {{"'2'", 2.0},
                      {"' 1_0.5 '", 10.5},
                      {"true", 1.0},
                      {"'-1'", std::nullopt},
                      {"nan", std::nullopt},  // a text to PyYAML, which float() takes
                      {"'nan'", std::nullopt},
                      {"'1e400'", std::nullopt},
                      {"two", std::nullopt, false},
                      {"null", std::nullopt, false},
                      {"[2]", std::nullopt, false}};
  for (const Row& row : rows) {
    CAPTURE(row.weight);
    auto files = SmallSuite();
    files["s/suite.yaml"] = fmt::format("cases: [{{path: c/b.yaml, weight: {}}}]\n", row.weight);
    Reading counted(files);
    counted.Read("s/suite.yaml");
    CHECK(counted.suite.has_value() == row.counted.has_value());
    if (counted.suite) CHECK(counted.suite->cases[0].weight == row.counted);
    Reading like_code(files);
    like_code.options.compat = Compat::kInfibench;
    like_code.Read("s/suite.yaml");
    CHECK(like_code.suite.has_value() == row.is_taken);
    if (like_code.suite) CHECK(like_code.suite->cases[0].weight == 1);
  }
}

TEST_CASE("weights count unless the code's way is asked for; cases can be chosen") {
  struct Row {
    Compat compat;
    std::string_view option;
    double want;
  };
  const Row rows[] = {{Compat::kNone, "", 3},
                      {Compat::kNone, "weighted", 3},
                      {Compat::kNone, "no-weights", 1},
                      {Compat::kInfibench, "", 1},
                      {Compat::kInfibench, "weighted", 3}};
  for (const Row& row : rows) {
    Reading reading(SmallSuite());
    reading.options.compat = row.compat;
    if (!row.option.empty()) reading.options.own.values[std::string(row.option)] = {"true"};
    reading.options.selected = {"c/b.yaml"};
    reading.Read("s/suite.yaml");
    REQUIRE(reading.suite.has_value());
    REQUIRE(reading.suite->cases.size() == 1);
    CHECK(reading.suite->cases[0].weight == row.want);
  }
}

TEST_CASE("the format's text decides, unless the code's way is asked for") {
  auto files = SmallSuite();
  files["s/c/a.yaml"] =
      "id: 0-1\nprompt_path: a.txt\ntype: code completion\nlang: sql\ngrading:\n"
      "  blank_filling: {template: 'a [blank] b', targets: [x]}\n";
  files["s/c/b.yaml"] =
      "id: 0-2\nprompt_path: a.txt\ntype: code completion\nlang: sql\ngrading:\n"
      "  blank_filling: {template: 'a [blank] b', targets: [x], escape: '#'}\n";
  const auto read = [&](Compat compat) {
    Reading reading(files);
    reading.options.compat = compat;
    reading.Read("s/suite.yaml");
    REQUIRE(reading.suite.has_value());
    return *std::move(reading.suite);
  };
  const Suite ours = read(Compat::kNone);
  CHECK(ours.aggregation.formula == "clipped-sum-over-least-total");
  CHECK(At(ours.cases[0].checks[0].args, "escape").AsString() == " '\"`\u00b7");
  CHECK(At(ours.cases[1].checks[0].args, "escape").AsString() == "#");
  CHECK(!ours.programs.missing_fails);
  CHECK(ours.programs.shows_tests);
  const Suite theirs = read(Compat::kInfibench);
  CHECK(theirs.aggregation.formula == "clipped-sum-over-total");
  CHECK(theirs.cases[0].checks[0].args.Find("escape") == nullptr);
  CHECK(theirs.programs.missing_fails);
  CHECK(theirs.programs.only_original_languages);
  CHECK(!theirs.programs.shows_tests);
}

TEST_CASE("models are asked as often as one bucket holds") {
  Reading reading(SmallSuite());
  reading.options.models = {"echo:a"};
  reading.Read("s/suite.yaml");
  REQUIRE(reading.suite.has_value());
  CHECK(reading.suite->attempts == 3);
  CHECK(reading.suite->variants[0].provider == "echo");
  CHECK(reading.suite->variants[0].label.empty());
}

TEST_CASE("models have the labels that a suite gives them, and a wrong one is told") {
  const struct {
    std::string_view labels;
    std::string_view label;
    bool is_wrong;
  } rows[] = {{"{'echo:a': Ash, 'echo:b': Birch}", "Ash", false},
              {"{'echo:b': Birch}", "", false},
              {"{'echo:a': [Ash]}", "", true},
              {"Ash", "", true}};
  for (const auto& row : rows) {
    CAPTURE(row.labels);
    auto files = SmallSuite();
    files["s/suite.yaml"] += "\nlabels: " + std::string(row.labels) + "\n";
    Reading reading(std::move(files));
    reading.options.models = {"echo:a"};
    reading.Read("s/suite.yaml");
    CHECK((reading.diagnostics.ErrorCount() == 1) == row.is_wrong);
    if (!row.is_wrong) REQUIRE(reading.suite.has_value());
    if (reading.suite) CHECK(reading.suite->variants[0].label == row.label);
  }
}

TEST_CASE("every problem of a suite at its place") {
  auto files = SmallSuite();
  files["s/suite.yaml"] =
      "cases: [c/gone.yaml, c/a.yaml, 7]\nattempt_reduce_mode: median\nfull_score_per_question: '1'\n";
  files["s/c/a.yaml"] = "grading: [x]\n";
  Reading reading(std::move(files));
  reading.Read("s/suite.yaml");
  CHECK(!reading.suite.has_value());
  const std::string problems = reading.Problems();
  for (const std::string_view part :
       {"s/suite.yaml:1:9: error: case \"c/gone.yaml\"", "s/suite.yaml:1:32: error: expected the path",
        "s/suite.yaml:2:22: error: there is no attempt_reduce_mode \"median\"", "s/suite.yaml:3:26: error",
        "s/c/a.yaml:1:10: error: expected `grading`"}) {
    CAPTURE(part);
    CAPTURE(problems);
    CHECK(problems.find(part) != std::string::npos);
  }
}

TEST_CASE("what breaks every score of a case is an error, and a warning in the mode of the original") {
  struct Row {
    std::string suite;
    std::string the_case;
    std::string_view want;
  };
  const std::string one = "cases: [c/a.yaml]\n";
  const std::string whole = "id: a\nprompt_path: p.txt\ntype: code completion\nlang: c\n";
  const Row rows[] = {
      {"cases: []\n", "", "`cases` is empty"},
      {one, whole + "grading: {}\n", "`grading` says nothing"},
      {one, whole + "grading: {max_score: 1}\n", "`grading` says nothing"},
      {one, "id: a\npromt_path: p.txt\ntype: code completion\ngrading: {keywords: [x]}\n",
       "did you mean it where it says \"promt_path\"?"},
      {one, "id: a\ntype: code completion\ngrading: {keywords: [x]}\n", "the case has no question"},
      {one, whole + "grading: {keywords: [{content: {content: a, cond: '('}}]}\n", "no expression of Python"},
      {one, whole + "grading: {customized: {real_metric_type: keywords, module: c.h, func: g}}\n",
       "has no function \"g\""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.want);
    for (const bool is_original : {false, true}) {
      auto files = SmallSuite();
      files["s/suite.yaml"] = row.suite;
      files["s/c/a.yaml"] = row.the_case;
      files["s/c/p.txt"] = "A question";
      files["s/c/h.py"] = "def f(answer):\n  return 1, 1, ''\n";
      Reading reading(std::move(files));
      if (is_original) reading.options.compat = Compat::kInfibench;
      reading.Read("s/suite.yaml");
      CHECK(reading.suite.has_value() == is_original);
      const bool is_told = reading.Problems().find(row.want) != std::string::npos;
      CAPTURE(reading.Problems());
      CHECK(is_told == (!is_original || row.suite == one));
    }
  }
}

std::optional<std::string> AnswerOf(const Recording& recording, const Suite& suite, CaseIndex index,
                                    AttemptIndex attempt) {
  const std::optional<ModelReply> reply =
      recording.find(suite, {}, {.case_index = index, .attempt = attempt, .judge_model = {}});
  return reply ? std::optional<std::string>(reply->text) : std::nullopt;
}

TEST_CASE("a folder of answers: each case has as many attempts as params.yaml names") {
  auto files = SmallSuite();
  files["r/m/params.yaml"] =
      "model_name: small-model\ntemp: 0.2\nanswer_paths:\n  c/a.yaml: [a_0.txt, bad.txt, a_2.txt]\n";
  files["r/m/a_0.txt"] = "one\r\n";
  files["r/m/bad.txt"] = "\xff";
  files["r/m/a_2.txt"] = "";
  Reading reading(std::move(files));
  reading.Read("s/suite.yaml");
  REQUIRE(reading.suite.has_value());
  Suite& suite = *reading.suite;
  const std::optional<Recording> recording = ReadInfibenchResponses(reading.Input("r/m/"), suite);
  REQUIRE(recording.has_value());
  CHECK(suite.variants.at(0).id == "m");
  CHECK(suite.variants.at(0).model == "small-model");
  CHECK(suite.variants.at(0).label == "small-model");
  CHECK(suite.attempts == 3);
  CHECK(suite.cases[0].attempts == 3);
  CHECK(suite.cases[1].attempts == 0);
  CHECK(AnswerOf(*recording, suite, 0, 0) == "one\n");
  CHECK(!AnswerOf(*recording, suite, 0, 1).has_value());
  CHECK(AnswerOf(*recording, suite, 0, 2) == "");
  CHECK(reading.Problems().find("r/m/params.yaml:4:23: warning: \"r/m/bad.txt\" is not UTF-8") !=
        std::string::npos);
}

TEST_CASE("a table of answers: what pandas reads as no value is a text, but for the original") {
  auto files = SmallSuite();
  files["r.csv"] =
      ",filename,completion\n0,c/a.yaml,\"two\nlines, \"\"quoted\"\"\"\n1,c/a.yaml,\n2,c/b.yaml,None\n";
  for (const Compat compat : {Compat::kNone, Compat::kInfibench}) {
    Reading reading(files);
    reading.options.compat = compat;
    reading.Read("s/suite.yaml");
    REQUIRE(reading.suite.has_value());
    const std::optional<Recording> recording = ReadInfibenchResponses(reading.Input("r.csv"), *reading.suite);
    REQUIRE(recording.has_value());
    const bool is_original = compat == Compat::kInfibench;
    CHECK(AnswerOf(*recording, *reading.suite, 0, 0) == "two\nlines, \"quoted\"");
    CHECK(AnswerOf(*recording, *reading.suite, 0, 1) == (is_original ? "nan" : ""));
    CHECK(AnswerOf(*recording, *reading.suite, 1, 0) == (is_original ? "nan" : "None"));
  }
}

TEST_CASE("only a suite is taken for one") {
  CHECK(SniffInfibench("s.yaml", "version: 1\ncases:\n- a\n") > 0);
  CHECK(SniffInfibench("s.yaml", "id: x\nprompts:\ncases:\n") == 0);
  CHECK(SniffInfibench("s.toml", "cases:\n") == 0);
  CHECK(SniffInfibench("s.yaml", "a:\n  cases:\n") == 0);
}

TEST_CASE("a suite is recognised by its structure, whatever its form") {
  struct Row {
    const char* path;
    const char* text;
    const char* dialect;
  };
  const Row rows[] = {
      {"s.yaml", "{cases: [a.yaml], version: 1}\n", "infibench"},
      {"s.yaml", "{\"version\": \"1\",\n \"cases\": [\"a.yaml\"]}\n", "infibench"},
      {"s.json", "{\n  \"cases\": [\"a.yaml\"]\n}\n", "infibench"},
      {"s.yaml", "cases :\n- a.yaml\n", "infibench"},
      {"s.yaml", "  version: 1\n  cases:\n  - a.yaml\n", "infibench"},
      {"s.yaml",
       "\xEF\xBB\xBF"
       "cases:\n- a.yaml\n",
       "infibench"},
      {"s.yaml", "\"cases\":\n- a.yaml\n", "infibench"},
      {"s.yaml", "'cases': [a.yaml]\n", "infibench"},
      {"s.yaml", "# first\n---\nversion: {cases: 1}\n? cases\n: [a.yaml]\n", "infibench"},
      {"s.yaml", "version: 1\ncases: [a.yaml\nbroken: ]]\n", "infibench"},
      {"b.yml", "prompt: |\n  the file says\n\n  cases:\n", "blueprint"},
      {"b.yml", "title: cases\ntags: [cases]\n---\ncases: x\n", "blueprint"},
      {"b.yml", "cases: 3\nprompts:\n- prompt: x\n", "blueprint"},
      {"b.yml", "? [cases]\n: 1\nprompt: x\n", "blueprint"},
      {"b.yml", "- cases: 1\n", "blueprint"},
      {"b.json", "{\"title\": \"t\",\n\"prompts\": [{\n\"cases\": 1}]}\n", "blueprint"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const DialectRow* dialect = SniffDialect(row.path, row.text);
    REQUIRE(dialect != nullptr);
    CHECK(dialect->name == row.dialect);
  }
}

}  // namespace
}  // namespace assay
