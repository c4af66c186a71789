// Golden files of programs: code blocks of answers, and what is run in the end.
#include <fmt/core.h>

#include <chrono>

#include "checks/check.h"
#include "checks/code/code_blocks.h"
#include "dialects/infibench/infibench.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/outside.h"
#include "spec/suite/suite_rules.h"
#include "tests/conformance/conformance.h"

namespace assay::conformance {
namespace {

Outcome RunCodeBlocks(const std::string& path) {
  return ForEachLine(path, [](std::size_t, const Value& row, Outcome& outcome) {
    const LanguageRow* language = FindLanguage(GetText(row, "lang"));
    if (language == nullptr) {
      outcome.Fail("no language " + Show(Get(row, "lang")));
      return;
    }
    const FencedCode which = Get(row, "only_longest").Truthy() ? FencedCode::kOnlyLongest : FencedCode::kAll;
    outcome.Same("code", Get(row, "result"), ExtractCode(*language, GetText(row, "response"), which));
  });
}

// A test as the reader hands it over: with the texts of the files that it names.
Value WithFiles(const Value& test, const Value& files) {
  if (!test.is_map()) return test;
  Map read = test.AsMap();
  const auto put = [&](std::string_view path_key, std::string text_key) {
    const std::string path = GetText(test, path_key);
    if (!path.empty()) read.Set(std::move(text_key), GetText(files, path));
  };
  put("path", "content");
  put("prefix_path", "prefix_text");
  put("cleanup_path", "cleanup_text");
  return read;
}

// The names that the original gives to what runs a program.
std::string ExecutorOf(const LanguageRow& language) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"javascript", "js_unsafe_executor"},
      {"typescript", "ts_unsafe_executor"},
      {"csharp", "cs_unsafe_executor"},
      {"r", "r_executor"}};
  for (const auto& [name, executor] : kNames) {
    if (name == language.name) return std::string(executor);
  }
  return fmt::format("{}_unsafe_executor", language.name);
}

// One test of a language, bound as a plan does it.
struct BoundTest {
  const CheckRow* row = FindCheck("unit_test", {"unit_test"});
  CheckArgs args;
  Case the_case;
  Transcript transcript;
  WorkerState worker;
  std::string answer;

  BoundTest(const std::string& lang, Value test, std::string response) : answer(std::move(response)) {
    Map block;
    block.Append("case_lang", lang);
    block.Append("tests", List{std::move(test)});
    Check check;
    check.kind = "unit_test";
    check.args = std::move(block);
    Toolchain toolchain;
    if (const LanguageRow* language = FindLanguage(lang)) toolchain.language = language->name;
    Diagnostics diagnostics;
    args = row->parse({.check = check,
                       .toolchains = {&toolchain, 1},
                       .programs = InfibenchProgramRules(Compat::kInfibench)},
                      diagnostics);
  }

  Action Next(std::span<const Exchange> so_far) {
    AnswerView view(answer);
    const GradeInput grade{.answer = view, .transcript = transcript, .variant_id = "", .the_case = the_case};
    return row->asks->next({.grade = grade, .so_far = so_far, .tag = {}, .worker = worker}, args);
  }

  bool IsRefused() { return row->MostRequests(args) == 0; }
};

Outcome RunPrograms(const std::string& path) {
  return ForEachLine(path, [](std::size_t, const Value& row, Outcome& outcome) {
    const std::string lang = GetText(row, "lang");
    const Value& result = Get(row, "result");
    BoundTest bound(lang, WithFiles(Get(row, "test"), Get(row, "files")), GetText(row, "response"));
    if (result.Find("error") != nullptr) {
      outcome.Same("refused", true, bound.IsRefused());
      return;
    }
    const Action action = bound.Next({});
    const auto* need = std::get_if<Need>(&action);
    if (need == nullptr) {
      outcome.Fail("no program is asked for");
      return;
    }
    const auto& request = std::get<ProcessRequest>(need->requests.front().request);
    const LanguageRow* language = FindLanguage(lang, InfibenchProgramRules(Compat::kInfibench));
    const auto timeout_s = static_cast<double>(request.limits.wall.count()) / 1000;
    Exchange exchange;
    ProcessReply passed;
    passed.exit_code = 0;
    exchange.reply = std::move(passed);
    const Action done = bound.Next({&exchange, 1});
    const Score& score = std::get<Score>(std::get<Done>(done).value);
    Map got;
    got.Append("executor", ExecutorOf(*language));
    got.Append("timeout", timeout_s);
    got.Append("unit_test_totscore", score.max);
    got.Append("recorded_code", score.items.front().program);
    got.Append("program", request.files.front().bytes);
    outcome.Same("program", result, got);
  });
}

}  // namespace

std::span<const GoldenRow> ProgramRows() {
  static constexpr GoldenRow kRows[] = {
      {"infibench/codeblocks.jsonl", RunCodeBlocks},
      {"infibench/programs.jsonl", RunPrograms},
  };
  return kRows;
}

}  // namespace assay::conformance
