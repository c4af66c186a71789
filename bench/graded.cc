// What checks of benchmarks and steps of extractions cost for one answer of 1 KiB, and how that grows with
// the answer: at most 20 us each, and linear.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>
#include <vector>

#include "checks/check.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/extract/extraction.h"

namespace assay {
namespace {

// An answer that reasons, calculates, quotes code and JSON, and ends with what is asked for.
std::string AnswerOf(std::size_t bytes) {
  constexpr std::string_view kReasoning =
      "First, the river has 12 bridges (A) and the lake has 1,250 boats; \\(3 + 4 = 7\\), so option B is "
      "near. ";
  constexpr std::string_view kEnd =
      "<answer>B</answer>\n```python\nprint(72)\n```\n{\"a\": {\"b\": 72}}\nThe answer is (B).\n"
      "\\boxed{72}\n#### 72\n";
  std::string text;
  while (text.size() + kReasoning.size() + kEnd.size() < bytes) text += kReasoning;
  return text += kEnd;
}

struct Graded {
  std::string kind;
  Value args;
};

const std::vector<Graded>& Kinds() {
  static const std::vector<Graded> kinds = {
      {"choice", "B"},          {"numeric", 72},       {"equals", "72"},
      {"iequals", "72"},        {"squad_exact", "72"}, {"squad_f1", "the answer is 72"},
      {"fuzzy_match", "72"},    {"items", Map()},      {"is_valid", "number"},
      {"letter_case", "lower"}, {"script", "Latin"},   {"math", "72"},
  };
  return kinds;
}

struct Bound {
  const CheckRow* row = nullptr;
  CheckArgs args;
};

Bound BoundOf(const Graded& graded) {
  Check check;
  check.kind = graded.kind;
  check.args = graded.args;
  if (graded.kind == "items") {
    Map wanted;
    wanted.Set("want", Value(List{Value("bridges"), Value("boats")}));
    check.args = Value(std::move(wanted));
  }
  Diagnostics diagnostics;
  Bound bound{.row = FindCheck(graded.kind), .args = {}};
  if (bound.row != nullptr) bound.args = bound.row->parse({.check = check}, diagnostics);
  return bound;
}

void Grade(benchmark::State& state) {
  const Graded& graded = Kinds()[static_cast<std::size_t>(state.range(0))];
  const std::string text = AnswerOf(static_cast<std::size_t>(state.range(1)));
  state.SetLabel(graded.kind);
  const Bound bound = BoundOf(graded);
  if (bound.args == nullptr) return state.SkipWithError("the check has no such argument");
  const Transcript transcript;
  const Case the_case;
  WorkerState worker;
  for (auto _ : state) {
    AnswerView answer(text);
    const GradeInput input{
        .answer = answer, .transcript = transcript, .variant_id = "echo:x", .the_case = the_case};
    benchmark::DoNotOptimize(bound.row->grade(input, bound.args, worker).value);
  }
}
BENCHMARK(Grade)->ArgsProduct({benchmark::CreateDenseRange(0, 11, 1), {1 << 10, 1 << 14, 1 << 17}});

Value StepOf(const char* name, Value argument) {
  Map step;
  step.Set(name, std::move(argument));
  return Value(std::move(step));
}

const std::vector<std::pair<std::string, Value>>& Steps() {
  static const std::vector<std::pair<std::string, Value>> steps = {
      {"regex", Value("####\\s*(-?[\\d.,]+)")},  {"number", StepOf("number", "last")},
      {"boxed", StepOf("boxed", true)},          {"tag", StepOf("tag", "answer")},
      {"drop_tag", StepOf("drop_tag", "think")}, {"code", StepOf("code", "python")},
      {"json", StepOf("json", "$.a.b")},         {"choice", StepOf("choice", 4)},
      {"after", StepOf("after", "answer is")},   {"line", StepOf("line", "last")},
  };
  return steps;
}

void Extract(benchmark::State& state) {
  const auto& [name, value] = Steps()[static_cast<std::size_t>(state.range(0))];
  const std::string text = AnswerOf(static_cast<std::size_t>(state.range(1)));
  state.SetLabel(name);
  const Result<Extraction> extraction = Extraction::Read(value);
  if (!extraction) return state.SkipWithError("there is no such step");
  for (auto _ : state) benchmark::DoNotOptimize(extraction->Find(text));
}
BENCHMARK(Extract)->ArgsProduct({benchmark::CreateDenseRange(0, 9, 1), {1 << 10, 1 << 14, 1 << 17}});

}  // namespace
}  // namespace assay
