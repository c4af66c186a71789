// What a check costs: one answer of 500 bytes of plain ASCII graded by one check, and the five of issue 3's
// measure together (100,000 answers x 5 checks must cost at most 1 s, so at most 10 us for the five).
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "checks/check.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"

namespace assay {
namespace {

const std::string& Answer() {
  static const std::string text = [] {
    std::string filled;
    while (filled.size() < 480)
      filled += "The committee met again in spring and Talked about bread, rivers and roads. ";
    return filled + "In 1998 it settled in Paris.";
  }();
  return text;
}

struct Prepared {
  const CheckRow* row = nullptr;
  CheckArgs args;
};

Prepared Prepare(std::string_view kind, Value args) {
  Check check;
  check.kind = kind;
  check.args = std::move(args);
  Diagnostics diagnostics;
  Prepared prepared{.row = FindCheck(kind), .args = {}};
  prepared.args = prepared.row->parse({.check = check}, diagnostics);
  return prepared;
}

void GradeAll(benchmark::State& state, const std::vector<Prepared>& checks) {
  const Transcript transcript;
  const Case the_case;
  WorkerState worker;
  for (auto _ : state) {
    AnswerView answer(Answer());
    const GradeInput input{
        .answer = answer, .transcript = transcript, .variant_id = "echo:x", .the_case = the_case};
    for (const Prepared& check : checks) {
      benchmark::DoNotOptimize(check.row->grade(input, check.args, worker).value);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(checks.size()));
}

const std::vector<std::pair<std::string, Value>>& Checks() {
  static const std::vector<std::pair<std::string, Value>> checks = {
      {"contains", "Paris"},
      {"icontains", "PARIS"},
      {"icontains_any_of", List{"london", "madrid", "paris"}},
      {"icontains_word", "paris"},
      {"matches", "\\b\\d{4}\\b"},
      {"imatches", "settled in (paris|lyon)"},
      {"word_count_between", List{50, 100}},
      {"is_json", {}},
      {"tool_called", "search"},
      {"js", "r.length > 100"},
  };
  return checks;
}

void One(benchmark::State& state) {
  const auto& [kind, args] = Checks()[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(kind);
  GradeAll(state, {Prepare(kind, args)});
}
BENCHMARK(One)->DenseRange(0, 9);

void FiveOfIssue3(benchmark::State& state) {
  std::vector<Prepared> checks;
  for (const char* kind : {"contains", "icontains_any_of", "icontains_word", "matches", "imatches"}) {
    for (const auto& [name, args] : Checks()) {
      if (name == kind) checks.push_back(Prepare(name, args));
    }
  }
  GradeAll(state, checks);
}
BENCHMARK(FiveOfIssue3);

}  // namespace
}  // namespace assay
