// Files of lm-evaluation-harness: results_*.json with the numbers of a task, samples_*.jsonl with a line for
// each document. They are of one model, so one variant is written; its suite is the task, a case a document.
#include <fmt/core.h>

#include "base/hash.h"
#include "report/decide/groups/group_tables.h"
#include "report/decide/run_statistics.h"
#include "report/export/cells.h"
#include "report/values/json.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kMetric = "score";
constexpr std::string_view kPassMetric = "passed";
constexpr std::string_view kFilter = "none";
constexpr double kLmEvalMsPerSecond = 1000;

std::string TaskOf(const Suite& suite) { return suite.id.empty() ? "suite" : suite.id; }

Value PerTask(const Suite& suite, Value value) { return Object{{TaskOf(suite), std::move(value)}}; }

// The mean and the standard error of pass@k, for each k that the suite names.
using TriesEstimates = std::vector<std::pair<std::uint64_t, MeanEstimate>>;

Value LmEvalResultsOf(const Suite& suite, const MeanEstimate& mean, const MeanEstimate& passes,
                      const TriesEstimates& tries) {
  Map map = Object{{"alias", TaskOf(suite)}};
  const auto add = [&map](std::string_view metric, const MeanEstimate& estimate) {
    Extend(
        map,
        {{fmt::format("{},{}", metric, kFilter), estimate.mean ? Value(*estimate.mean) : Value("N/A")},
         {fmt::format("{}_stderr,{}", metric, kFilter), estimate.se ? Value(*estimate.se) : Value("N/A")}});
  };
  add(kMetric, mean);
  add(kPassMetric, passes);
  for (const auto& [k, estimate] : tries) add(fmt::format("pass@{}", k), estimate);
  map.Append("sample_len", static_cast<double>(mean.cases));
  return Value(std::move(map));
}

Value ConfigOf(const Suite& suite) {
  return Object{{"task", TaskOf(suite)},
                {"output_type", "generate_until"},
                {"repeats", suite.attempts},
                {"metric_list",
                 List{Object{{"metric", kMetric}, {"aggregation", "mean"}, {"higher_is_better", true}}}}};
}

// Whether attempts passed, as values of their cases.
Result<Sample> PassSample(const Report& report, const ExportAsk& ask) {
  Sample sample;
  ASSAY_CHECK_OK(ForEachGroup(report, ask, CellParts::kOutcome, [&](const CellGroup& group) {
    std::vector<double> passes;
    for (const Cell& cell : group.attempts) {
      if (cell.state == CellState::kScored) passes.push_back(IsPassed(*report.suite, cell, ask.pass) ? 1 : 0);
    }
    while (sample.cases.size() < group.case_index) sample.Add({});
    sample.Add(passes);
    return Ok();
  }));
  while (sample.cases.size() < report.suite->cases.size()) sample.Add({});
  return sample;
}

// A document with all of its attempts. What nobody scored has no metric, and is told by `error`.
Value SampleLine(const Report& report, const CellGroup& group, const PassRule& pass) {
  const Suite& suite = *report.suite;
  const Case& the_case = suite.cases[group.case_index];
  const GroupVerdict verdict = VerdictOfGroup(suite, group, pass);
  List replies;
  std::string why;
  for (const Cell& cell : group.attempts) {
    replies.emplace_back(cell.record.transcript.SubjectText());
    if (why.empty() && cell.state != CellState::kScored) why = WhyOf(suite, cell);
  }
  const Value messages = MessagesValue(FixedTurns(the_case));
  Map document = Object{{"id", the_case.id}, {"messages", messages}};
  for (std::size_t d = 0; d < the_case.groups->size(); ++d)
    document.Append(DimensionName(d), TextOrNull((*the_case.groups)[d]));
  const std::string prompt = CompactJson(messages);
  const std::string target = the_case.ideal.value_or("");
  Map map = Object{{"doc_id", group.case_index},
                   {"doc", document},
                   {"target", target},
                   {"arguments", Object{{"gen_args_0", Object{{"arg_0", prompt}, {"arg_1", Map{}}}}}},
                   {"resps", List{Value(replies)}},
                   {"filtered_resps", replies},
                   {"filter", kFilter},
                   {"metrics", List{Value(kMetric), Value(kPassMetric)}},
                   {"doc_hash", Hex(Sha256Of(CompactJson(Value(document))))},
                   {"prompt_hash", Hex(Sha256Of(prompt))},
                   {"target_hash", Hex(Sha256Of(target))},
                   {"state", CellStateName(verdict.state)}};
  if (verdict.state == CellState::kScored) {
    Extend(map, {{kMetric, NumberOrNull(verdict.mean)}, {kPassMetric, verdict.is_passed ? 1 : 0}});
  }
  if (!why.empty()) map.Append("error", why);
  return Value(std::move(map));
}

}  // namespace

Status ExportLmEval(const Report& report, const ExportAsk& ask, Sink& sink) {
  const Suite& suite = *report.suite;
  const VariantIndex v = ask.variant.value_or(0);
  const Variant& variant = suite.variants[v];
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, ask.pass));
  CaseScores scores = statistics->standings.scores;
  const MeanEstimate mean = EstimateMean(scores.samples[v], scores.design());
  ASSAY_TRY(const Sample passed, PassSample(report, {.pass = ask.pass, .variant = v}));
  scores.range = ScoreRange{};
  const MeanEstimate passes = EstimateMean(passed, scores.design());
  TriesEstimates tries;
  for (const std::uint64_t k : TriesToTell(suite, {}))
    tries.emplace_back(k, PassesAt(suite, statistics->reliability.passes, v, k, scores.design()).passes.any);
  return sink.Write(
      WriteJson(Object{{"results", PerTask(suite, LmEvalResultsOf(suite, mean, passes, tries))},
                       {"group_subtasks", PerTask(suite, Value(List{}))},
                       {"configs", PerTask(suite, ConfigOf(suite))},
                       {"versions", PerTask(suite, Value(0))},
                       {"n-shot", PerTask(suite, Value(0))},
                       {"higher_is_better", PerTask(suite, Object{{kMetric, true}, {kPassMetric, true}})},
                       {"n-samples",
                        PerTask(suite, Object{{"original", suite.cases.size()}, {"effective", mean.cases}})},
                       {"config", Object{{"model", variant.provider},
                                         {"model_args", fmt::format("model={}", variant.model)},
                                         {"limit", Null{}},
                                         {"bootstrap_iters", 0},
                                         {"stopped", TextOrNull(report.stopped)}}},
                       {"git_hash", Null{}},
                       {"date", static_cast<double>(report.run.started_ms) / kLmEvalMsPerSecond},
                       {"task_hashes", Map{}},
                       {"model_source", variant.provider},
                       {"model_name", variant.id},
                       {"model_name_sanitized", variant.id}},
                JsonStyle::kJavaScript2) +
      "\n");
}

Status ExportLmEvalSamples(const Report& report, const ExportAsk& ask, Sink& sink) {
  PieceWriter lines(sink);
  const ExportAsk one{.pass = ask.pass, .variant = ask.variant.value_or(0)};
  ASSAY_CHECK_OK(ForEachGroup(report, one, CellParts::kAll, [&](const CellGroup& group) {
    AppendJson(SampleLine(report, group, ask.pass), JsonStyle::kJavaScript, lines.out());
    return lines.EndLine();
  }));
  return lines.Finish();
}

}  // namespace assay
