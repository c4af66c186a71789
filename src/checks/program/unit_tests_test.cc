// Tests of the check `unit_test`: arguments, requests, outcomes, strictness, and missing runtimes.
#include <doctest/doctest.h>

#include <fmt/core.h>

#include "checks/check.h"
#include "checks/languages/language.h"
#include "checks/program/program.h"
#include "spec/exchange/exchange.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"

namespace assay {
namespace {

// A check of a suite, its row, and one answer to it.
struct Bound {
  const CheckRow* row = FindCheck("unit_test", {"unit_test"});
  Diagnostics diagnostics;
  CheckArgs args;
  Case the_case;
  Transcript transcript;
  WorkerState worker;
  std::string text;
  AttemptIndex attempt = 0;

  explicit Bound(std::string_view args_json, ProgramRules rules = {}, bool has_runtime = true,
                 std::vector<std::string> absent = {}) {
    Check check;
    check.kind = "unit_test";
    Result<Value> parsed = ParseJson(args_json);
    REQUIRE(parsed.has_value());
    check.args = std::move(*parsed);
    std::vector<Toolchain> toolchains;
    for (const LanguageRow* language : LanguageTable()) {
      if (has_runtime) {
        toolchains.push_back(
            {.language = std::string(language->name), .digest = "d", .missing = {}, .absent = absent});
      } else {
        toolchains.push_back(
            {.language = std::string(language->name), .digest = {}, .missing = "install it"});
      }
    }
    args = row->parse({.check = check, .toolchains = toolchains, .programs = rules}, diagnostics);
  }

  Action Next(std::span<const Exchange> so_far) {
    AnswerView answer(text);
    RequestTag tag;
    tag.attempt = attempt;
    const GradeInput grade{
        .answer = answer, .transcript = transcript, .variant_id = "v", .the_case = the_case};
    return row->asks->next({.grade = grade, .so_far = so_far, .tag = tag, .worker = worker}, args);
  }
  std::vector<ProcessRequest> Requests() {
    const Action action = Next({});
    std::vector<ProcessRequest> requests;
    for (const PlannedRequest& planned : std::get<Need>(action).requests)
      requests.push_back(std::get<ProcessRequest>(planned.request));
    return requests;
  }
  Score ScoreOf(const std::vector<ProcessReply>& replies) {
    std::vector<Exchange> exchanges(replies.size());
    for (std::size_t i = 0; i < replies.size(); ++i) exchanges[i].reply = replies[i];
    const Action action = Next(exchanges);
    return std::get<Score>(std::get<Done>(action).value);
  }
  Score Grade() {
    AnswerView answer(text);
    return row->grade({.answer = answer, .transcript = transcript, .variant_id = "v", .the_case = the_case},
                      args, worker);
  }
};

ProcessReply Ended(int exit_code, std::string out = {}, std::string err = {}) {
  ProcessReply reply;
  reply.exit_code = exit_code;
  reply.stdout_text = std::move(out);
  reply.stderr_text = std::move(err);
  return reply;
}

ProcessReply TimedOut() {
  ProcessReply reply;
  reply.timed_out = true;
  reply.signal = 9;
  return reply;
}

std::string ResultTextOf(const Score& score, std::size_t test) { return score.items[test].found; }

}  // namespace

TEST_CASE("the part of the answer that is run is told, with the rule that chose it") {
  const auto block_of = [](std::string_view args, std::string text) {
    Bound bound(args);
    bound.text = std::move(text);
    const Score score = bound.ScoreOf({Ended(0)});
    REQUIRE(score.block.has_value());
    std::string told = std::to_string(static_cast<int>(score.block->rule));
    for (const TextRange& part : score.block->parts) {
      REQUIRE(part.to <= bound.text.size());
      told += "|" + bound.text.substr(part.from, part.to - part.from);
    }
    return told;
  };
  const std::string two = "Here:\n```python\na = 1\n```\nand\n```\nb = 2\nc = 3\n```\n";
  CHECK(block_of(R"({"lang": "python", "tests": ["x"]})", two) == "0|a = 1|b = 2\nc = 3");
  CHECK(block_of(R"({"lang": "python", "tests": [{"content": "x", "only_longest": true}]})", two) ==
        "1|b = 2\nc = 3");
  CHECK(block_of(R"({"lang": "bash", "tests": ["x"]})", "echo 1") == "2|echo 1");
  // A fence that the test opens: the answer goes on behind it.
  CHECK(block_of(R"({"lang": "python", "tests": [{"content": "x", "prefix": "```python\ndef f():"}]})",
                 "  return 1\n```\nThat is it.") == "0|  return 1");
  CHECK(block_of(R"({"lang": "python", "tests": ["x"]})", "```\n```\n") == "0");
}

TEST_CASE("the outcome of a program, told as the format tells it") {
  struct Row {
    const char* lang;
    ProcessReply reply;
    const char* text;
    double score;
  };
  const Row rows[] = {
      {"js", Ended(0), "passed ", 1},
      {"js", Ended(0, "out", "err"), "passed stderr: err", 1},
      {"js", Ended(0, "out"), "passed stdout: out", 1},
      {"js", Ended(3), "failed: returncode: 3 ", 0},
      {"js", Ended(3, "out", "err"), "failed: returncode: 3 stderr: err", 0},
      {"js", TimedOut(), "time out", 0},
      {"go", Ended(0, "out"), "passed", 1},
      {"go", Ended(1, "out"), "failed: out", 0},
      {"go", Ended(1, "out", "err"), "failed: err", 0},
      {"python", Ended(0, "out"), "passed", 1},
      {"python",
       Ended(1, "",
             "noise\x1e"
             "failed: <class 'E'> m"),
       "failed: <class 'E'> m", 0},
      {"python", Ended(1, "", "no frame"), "failed: returncode: 1 stderr: no frame", 0},
      {"python", TimedOut(), "time out", 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Bound bound(fmt::format(R"({{"case_lang":"{}","tests":["t"]}})", row.lang));
    const Score score = bound.ScoreOf({row.reply});
    CHECK(score.state == ScoreState::kScored);
    CHECK(score.value == row.score);
    CHECK(score.max == 1);
    CHECK(ResultTextOf(score, 0) == row.text);
  }
}

TEST_CASE("a signal is a negative status, and the limit that sent it is said") {
  Bound bound(R"({"lang":"go","case_lang":"css","tests":["t"]})");
  ProcessReply killed;
  killed.signal = 9;
  killed.exit_code = 0;
  killed.limit = "memory";
  const Score score = bound.ScoreOf({killed});
  CHECK(score.value == 0);
  CHECK(score.evidence.empty());  // votes are for judges
  REQUIRE(score.items.size() == 1);
  CHECK(score.items[0].sentence.starts_with("ended by the limit of memory; "));
}

TEST_CASE("what the sandbox refused marks a program that failed, and it is 0") {
  Bound bound(R"({"lang":"bash","tests":["t","u"]})");
  ProcessReply refused = Ended(1);
  refused.sandbox = "landlock, refused sockets of its own";
  const Score score = bound.ScoreOf({refused, Ended(0)});
  CHECK(score.state == ScoreState::kScored);
  CHECK(score.value == 1);
  CHECK(score.explanation == "refused: 1 of 2 programs failed after asking for what the sandbox forbids");
  REQUIRE(score.items.size() == 2);
  CHECK(score.items[0].sentence.starts_with(
      "failed after it had asked for sockets of its own, which this level of the sandbox refuses; "));
  CHECK(score.items[1].sentence.empty());
}

TEST_CASE("weights of the tests that passed, of all weights") {
  Bound bound(R"({"lang":"js","tests":["a",{"content":"b","weight":2.5},{"content":"c","weight":0.5}]})");
  const Score score = bound.ScoreOf({Ended(1), Ended(0), Ended(0)});
  CHECK(score.value == 3);
  CHECK(score.max == 4);
  REQUIRE(score.items.size() == 3);
  CHECK(score.items[0].wanted == "a");
  CHECK(score.items[0].share == 0);
  CHECK(score.items[1].points == 2.5);
  CHECK(score.items[1].weight == 2.5);
  CHECK(score.items[2].found == "passed ");
  CHECK(bound.row->MostRequests(bound.args) == 3);
}

TEST_CASE("all programs of an answer are asked for at once, each with its limits") {
  Bound bound(R"({"lang":"python","tests":["t",{"content":"u","timeout":0.25,"cleanup_text":"gone"}]
})");
  const std::vector<ProcessRequest> requests = bound.Requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].limits.wall == std::chrono::seconds(10));
  CHECK(requests[0].toolchain == "python");
  CHECK(requests[0].toolchain_digest == "d");
  CHECK(requests[0].after_argv.empty());
  CHECK(requests[1].limits.wall == std::chrono::milliseconds(250));
  CHECK(requests[1].after_argv.size() == 2);
  CHECK(requests[1].after_limits.wall == std::chrono::seconds(10));
  CHECK(requests[1].files.back().bytes == "gone");
}

TEST_CASE("strict: status 0 without the proof of the end fails; otherwise it is only remarked") {
  ProcessReply early = Ended(0);
  early.reached_end = false;
  Bound lenient(R"({"lang":"js","tests":["t"]})");
  const Score remarked = lenient.ScoreOf({early});
  CHECK(remarked.value == 1);
  CHECK(remarked.explanation.find("suspicious") != std::string::npos);
  Bound strict(R"({"lang":"js","tests":["t"]})", {.strict = true});
  CHECK(strict.ScoreOf({early}).value == 0);
  ProcessReply whole = Ended(0);
  whole.reached_end = true;
  CHECK(strict.ScoreOf({whole}).value == 1);
  CHECK(strict.ScoreOf({whole}).explanation.empty());
  CHECK(strict.ScoreOf({Ended(0)}).value == 1);  // a language that has no proof
}

TEST_CASE("the proof of the end is no part of a program's key; without memo the attempt is") {
  const auto key = [](ProgramRules rules, AttemptIndex attempt, bool with_epilogue) {
    Bound bound(R"({"lang":"js","tests":["t"]})", rules);
    bound.attempt = attempt;
    ProcessRequest request = bound.Requests()[0];
    if (!with_epilogue) request.epilogue.reset();
    return CanonicalText(request);
  };
  CHECK(key({}, 0, true) == key({.strict = true}, 1, false));
  CHECK(key({.memo = false}, 0, true) != key({.memo = false}, 1, true));
  CHECK(key({.memo = false}, 1, true) == key({.memo = false}, 1, true));
}

TEST_CASE("a program that could not be started says nothing of the answer") {
  Bound bound(R"({"case_lang":"python","tests":["t"]})");
  Exchange exchange;
  exchange.role = RequestRole::kProgram;
  exchange.error = Error{ErrorCode::kIo, "no sandbox was to be had"};
  const Action action = bound.Next({&exchange, 1});
  const Score& score = std::get<Score>(std::get<Done>(action).value);
  CHECK(score.state == ScoreState::kMissing);
  CHECK(score.error == "no sandbox was to be had");
}

TEST_CASE("a missing runtime is an error, and never a silent 0") {
  Bound bound(R"({"lang":"java","tests":["t"]})", {}, false);
  CHECK(bound.row->MostRequests(bound.args) == 0);
  const Score score = bound.Grade();
  CHECK(score.state == ScoreState::kError);
  CHECK(score.error == "runtime missing: java: install it");

  Bound shell(R"({"lang":"java","tests":["t"]})", {.missing_fails = true}, false);
  CHECK(shell.Grade().state == ScoreState::kScored);
  CHECK(shell.Grade().value == 0);
  CHECK(ResultTextOf(shell.Grade(), 0).starts_with("failed: returncode: 127 "));
  Bound direct(R"({"lang":"go","tests":["t"]})", {.missing_fails = true}, false);
  CHECK(direct.Grade().state == ScoreState::kError);
}

TEST_CASE("a package that the header brings and nobody uses may be missing") {
  const std::vector<std::string> absent = {"numpy", "pandas"};
  Bound bound(R"({"lang":"python","tests":["assert f() == 1"]})", {}, true, absent);
  bound.text = "```\ndef f(npm=1): return self.np if 0 else npm\n```";
  const std::vector<ProcessRequest> requests = bound.Requests();
  REQUIRE(requests.size() == 1);
  for (const std::string& text : {requests[0].files[0].bytes, requests[0].prelude}) {
    CHECK(text.find("import numpy") == std::string::npos);
    CHECK(text.find("pandas") == std::string::npos);
    CHECK(text.find("import hashlib\nimport string\nimport requests\n") != std::string::npos);
  }

  Bound original(R"({"lang":"python","tests":["assert f() == 1"]})", {.missing_fails = true}, true, absent);
  CHECK(original.Requests()[0].files[0].bytes.find("import numpy as np\nimport pandas as pd\n") !=
        std::string::npos);
}

TEST_CASE(
    "a program that fails for want of a package of the header is no verdict; one that names it may run") {
  struct Row {
    const char* lang;
    const char* absent;
    const char* answer;
    const char* says;  // on standard error; "": it ends well
    ScoreState state;
  };
  constexpr ScoreState kScored = ScoreState::kScored;
  constexpr ScoreState kError = ScoreState::kError;
  const Row rows[] = {
      {"python", "numpy", "np.e",
       "\x1e"
       "failed: <class 'NameError'> name 'np' is not defined",
       kError},
      {"python", "numpy", "np.e",
       "\x1e"
       "failed: <class 'ModuleNotFoundError'> No module named 'numpy'",
       kError},
      {"python", "numpy", "np.e", "", kScored},
      {"python", "numpy", "# numpy",
       "\x1e"
       "failed: <class 'AssertionError'> ",
       kScored},
      {"python", "numpy", "np.e",
       "No module named 'numpy'\n\x1e"
       "failed: <class 'AssertionError'> ",
       kScored},
      {"python", "pandas", "np.e",
       "\x1e"
       "failed: <class 'NameError'> name 'np' is not defined",
       kScored},
      {"python", "pandas", "pandas",
       "\x1e"
       "failed: <class 'NameError'> name 'pandas' is not defined",
       kScored},
      {"python", "numpy", "torch",
       "\x1e"
       "failed: <class 'ModuleNotFoundError'> No module named 'torch'",
       kScored},
      {"python", "numpy", "x",
       "\x1e"
       "failed: <class 'ModuleNotFoundError'> No module named 'numpyro'",
       kScored},
      {"r", "assert", "f <- 1", "Error in assert(f == 1) : could not find function \"assert\"", kError},
      {"r", "assert", "f <- 1", "there is no package called \u2018assert\u2019", kError},
      {"r", "assert", "f <- 1", "could not find function \"assert_that\"", kScored},
      {"cpp", "boost/any.hpp", "f", "main.cpp:2:1: error: \u2018boost\u2019 has not been declared", kError},
      {"cpp", "boost/any.hpp", "f", "main.cpp:2:1: error: expected a ;", kScored},
  };
  for (const Row& row : rows) {
    CAPTURE(row.says);
    Map block;
    block.Append("lang", row.lang);
    block.Append("tests", List{Value("t")});
    Bound bound(WriteJson(Value(block), JsonStyle::kJavaScript), {}, true, {row.absent});
    bound.text = std::string("```\n") + row.answer + "\n```";
    CHECK(bound.Requests().size() == 1);
    const Score score = bound.ScoreOf({Ended(*row.says == 0 ? 0 : 1, {}, row.says)});
    CHECK(score.state == row.state);
    CHECK(PackageOfError(score.error) == (row.state == kError ? row.absent : ""));
  }
}

TEST_CASE("tests that name a missing package are counted, with the place of the first") {
  Suite suite;
  Case the_case;
  Check check;
  check.kind = "unit_test";
  Map block;
  block.Append("lang", "python");
  Value first("np.ones(2)");
  first.span = {FileId{0}, 7, 3};
  block.Append("tests", List{Value("assert 1"), first, Value("numpy.e")});
  check.args = std::move(block);
  the_case.checks.push_back(check);
  suite.cases.push_back(the_case);
  const Toolchain toolchain{.language = "python", .digest = "d", .missing = {}, .absent = {"numpy", "yolk"}};
  const std::vector<MissingUse> uses = MissingUses(suite, toolchain);
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].package->name == "numpy");
  CHECK(uses[0].tests == 2);
  CHECK(uses[0].first.offset == 7);
}

TEST_CASE("arguments that are no good are an error of each answer") {
  const std::pair<const char*, ProgramRules> rows[] = {
      {R"(["t"])", {}},
      {R"({"lang":"js"})", {}},
      {R"({"tests":["t"]})", {}},
      {R"({"lang":"Python","tests":["t"]})", {}},
      {R"({"lang":"rust","tests":["t"]})", {.only_original_languages = true}},
      {R"({"lang":"js","tests":[7]})", {}},
      {R"({"lang":"js","tests":[{"prefix":"x"}]})", {}},
      {R"({"lang":"js","tests":[{"content":null}]})", {}},
      {R"({"lang":"js","tests":[{"content":"x","weight":"2"}]})", {}},
      {R"({"lang":"js","tests":[{"content":"x","problem":"t.js: there is no such file"}]})", {}},
  };
  for (const auto& [json, rules] : rows) {
    CAPTURE(json);
    Bound bound(json, rules);
    CHECK(bound.row->MostRequests(bound.args) == 0);
    CHECK(bound.Grade().state == ScoreState::kError);
    CHECK(!bound.diagnostics.All().empty());
  }
  Bound rust(R"({"lang":"rust","tests":["t"]})");
  CHECK(rust.diagnostics.All().empty());
}

TEST_CASE("the packages of a program are read off its text, and nothing but names is") {
  struct Row {
    const char* lang;
    const char* program;
    std::vector<std::string> names;
  };
  const Row rows[] = {
      {"python",
       "import a.b as c, d\n  from e.f import g\nfrom . import h\nimportant = 1\nimport d # x",
       {"a", "d", "e"}},
      {"python", "import os; import sys", {"os"}},
      {"js",
       "const { JSDOM } = require('jsdom'); require(\"node:fs\"); require('./own'); required(x)",
       {"jsdom", "node:fs"}},
      {"r", "library(dplyr)\nlibrary( \"tidyr\" )\nrequire(dplyr)\nlibrary", {"dplyr", "tidyr"}},
      {"r", "library(\"a b\\\"); system('x')", {"a"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.program);
    const LanguageRow* language = FindLanguage(row.lang);
    CHECK(language->imports(row.program) == row.names);
    CHECK(language->find_absent(row.names).find('"' + row.names[0] + '"') != std::string::npos);
  }
}

TEST_CASE("each language says all that is needed to run it, and no name is accepted twice") {
  std::vector<std::string_view> names;
  for (const LanguageRow* row : LanguageTable()) {
    CAPTURE(row->name);
    CHECK(!row->argv.empty());
    CHECK(!row->toolchain.empty());
    CHECK(row->timeout.count() > 0);
    CHECK(row->epilogue.empty() == row->epilogue_file.empty());
    if (!row->epilogue.empty()) CHECK(row->epilogue.find("@NONCE@") != std::string_view::npos);
    for (const std::string_view name : row->accepted) {
      CHECK(std::find(names.begin(), names.end(), name) == names.end());
      names.push_back(name);
      CHECK(FindLanguage(name) == row);
      CHECK((FindLanguage(name, {.only_original_languages = true}) == nullptr) == row->is_ours);
    }
  }
}

}  // namespace assay
