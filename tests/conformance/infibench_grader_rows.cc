// Golden files of InfiBench's graders: keywords, blanks, similarity, and the parts below them.
#include <fmt/core.h>

#include "base/text/utf8.h"
#include "checks/check.h"
#include "checks/code/alignment.h"
#include "checks/code/rouge.h"
#include "dialects/infibench/case_result.h"
#include "dialects/infibench/infibench.h"
#include "dialects/infibench/results.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/outside.h"
#include "spec/suite/suite_rules.h"
#include "tests/conformance/conformance.h"

namespace assay::conformance {
namespace {

struct GradedComponent {
  Score score;
  bool asks_python = false;
};

GradedComponent GradeComponent(std::string_view kind, const Value& args, std::string_view response) {
  const CheckRow* row = FindCheck(kind, {std::string(kind)});
  Check check;
  check.kind = kind;
  check.args = args;
  Diagnostics diagnostics;
  const Toolchain python{.language = "python", .digest = "golden", .missing = {}};
  const CheckArgs parsed = row->parse({.check = check,
                                       .grading = InfibenchGradingRules(Compat::kInfibench),
                                       .toolchains = {&python, 1},
                                       .programs = InfibenchProgramRules(Compat::kInfibench)},
                                      diagnostics);
  AnswerView answer(response);
  const Transcript transcript;
  const Case the_case;
  WorkerState worker;
  const GradeInput input{
      .answer = answer, .transcript = transcript, .variant_id = "golden", .the_case = the_case};
  if (!row->asks || row->MostRequests(parsed) == 0) return {.score = row->grade(input, parsed, worker)};
  const Action action = row->asks->next({.grade = input, .so_far = {}, .tag = {}, .worker = worker}, parsed);
  const auto* done = std::get_if<Done>(&action);
  if (done == nullptr) return {.score = {}, .asks_python = true};
  return {.score = std::get<Score>(done->value)};
}

// The attempt's map with its score, as the golden file has it, or {error: true}.
Value AttemptResult(const Value& spec, const std::vector<std::pair<const char*, Score>>& scores) {
  Map attempt;
  for (const auto& [kind, score] : scores) {
    if (score.state != ScoreState::kScored) return ErrorResult();
    infibench::AddScore(kind, score, infibench::ResultForm::kEvaluator, attempt);
  }
  for (const char* bound : {"max_score", "min_score"}) {
    if (const Value* value = spec.Find(bound)) attempt.Append(bound, *value);
  }
  const std::optional<double> score = infibench::AttemptScore(Value(attempt), 1.0);
  if (!score) return ErrorResult();
  attempt.Append("score", *score);
  return attempt;
}

Outcome RunComponents(const std::string& path) {
  return ForEachLine(path, [](std::size_t, const Value& row, Outcome& outcome) {
    const Value& spec = Get(row, "spec");
    std::vector<std::pair<const char*, Score>> scores;
    for (const char* kind : {"keywords", "blank_filling", "similarity"}) {
      const Value* args = spec.Find(kind);
      if (args == nullptr) continue;
      GradedComponent graded = GradeComponent(kind, *args, GetText(row, "response"));
      if (graded.asks_python) {
        outcome.Skip("a condition that only Python can tell; programs are not run here");
        return;
      }
      scores.emplace_back(kind, std::move(graded.score));
    }
    Value want = Get(row, "result");
    if (want.is_map()) want.AsMap().Erase("warned");  // what the original prints beside it
    outcome.Same(Show(spec), want.Find("error") != nullptr ? ErrorResult() : want,
                 AttemptResult(spec, scores));
  });
}

Outcome RunAlignments(const std::string& path) {
  return ForEachLine(path, [](std::size_t, const Value& row, Outcome& outcome) {
    const Result<Alignment> alignment =
        Align(ToUtf32(GetText(row, "template")), ToUtf32(GetText(row, "response")));
    if (!alignment) return outcome.Fail(alignment.error().message);
    Map want;
    want.Append("lcs", Get(row, "lcs"));
    want.Append("s", Get(row, "s"));
    Map got;
    got.Append("lcs", static_cast<double>(alignment->matched));
    List places;
    for (const std::uint32_t place : alignment->places) places.emplace_back(static_cast<double>(place));
    got.Append("s", std::move(places));
    outcome.Same("alignment", want, got);
  });
}

Value ScoresOf(const RougeScores& scores) {
  Map map;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    map.Append(std::string(kRougeNames[i]), List{scores[i].precision, scores[i].recall, scores[i].f});
  }
  return map;
}

Outcome RunRouge(const std::string& path) {
  return ForEachLine(path, [](std::size_t, const Value& row, Outcome& outcome) {
    const RougeWords prediction(GetText(row, "prediction"));
    if (const Value* target = row.Find("target")) {
      outcome.Same("rouge", Get(row, "nostem"),
                   ScoresOf(RougeReference(target->AsString()).Score(prediction)));
      return;
    }
    RougeScores best{};
    bool is_first = true;
    for (const Value& target : Get(row, "targets").AsList()) {
      const RougeScores scores = RougeReference(target.AsString()).Score(prediction);
      for (std::size_t i = 0; i < best.size(); ++i) {
        if (is_first || scores[i].f > best[i].f) best[i] = scores[i];
      }
      is_first = false;
    }
    outcome.Same("rouge", Get(row, "nostem"), ScoresOf(best));
  });
}

}  // namespace

std::span<const GoldenRow> InfiBenchGraderRows() {
  static constexpr GoldenRow kRows[] = {
      {"infibench/keywords.jsonl", RunComponents},   {"infibench/blank_filling.jsonl", RunComponents},
      {"infibench/similarity.jsonl", RunComponents}, {"infibench/lcs.jsonl", RunAlignments},
      {"infibench/rouge.jsonl", RunRouge},
  };
  return kRows;
}

}  // namespace assay::conformance
