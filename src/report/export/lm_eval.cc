// Files of lm-evaluation-harness: results_*.json with the numbers of a task, samples_*.jsonl with a line for
// each document. They are of one model, so one variant is written; its suite is the task, a case a document.
#include <fmt/core.h>

#include "base/hash.h"
#include "report/decide/standings.h"
#include "report/export/cells.h"
#include "report/values/json.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kMetric = "score";
constexpr std::string_view kPassMetric = "passed";
constexpr std::string_view kFilter = "none";
constexpr double kLmEvalMsPerSecond = 1000;

std::string TaskOf(const Suite& suite) { return suite.id.empty() ? "suite" : suite.id; }

Value PerTask(const Suite& suite, Value value) {
  Map map;
  map.Append(TaskOf(suite), std::move(value));
  return Value(std::move(map));
}

Value LmEvalResultsOf(const Suite& suite, const MeanEstimate& mean, const MeanEstimate& passes) {
  Map map;
  map.Append("alias", TaskOf(suite));
  const auto add = [&map](std::string_view metric, const MeanEstimate& estimate) {
    map.Append(fmt::format("{},{}", metric, kFilter), estimate.mean ? Value(*estimate.mean) : Value("N/A"));
    map.Append(fmt::format("{}_stderr,{}", metric, kFilter),
               estimate.se ? Value(*estimate.se) : Value("N/A"));
  };
  add(kMetric, mean);
  add(kPassMetric, passes);
  map.Append("sample_len", static_cast<double>(mean.cases));
  return Value(std::move(map));
}

Value ConfigOf(const Suite& suite) {
  Map metric;
  metric.Append("metric", kMetric);
  metric.Append("aggregation", "mean");
  metric.Append("higher_is_better", true);
  Map config;
  config.Append("task", TaskOf(suite));
  config.Append("output_type", "generate_until");
  config.Append("repeats", static_cast<double>(suite.attempts));
  config.Append("metric_list", List{Value(std::move(metric))});
  return Value(std::move(config));
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

Value DocumentOf(const Case& the_case) {
  Map map;
  map.Append("id", the_case.id);
  map.Append("messages", MessagesValue(FixedTurns(the_case)));
  return Value(std::move(map));
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
  const Value document = DocumentOf(the_case);
  const std::string prompt = CompactJson(*document.Find("messages"));
  const std::string target = the_case.ideal.value_or("");
  Map argument;
  argument.Append("arg_0", prompt);
  argument.Append("arg_1", Map{});
  Map arguments;
  arguments.Append("gen_args_0", std::move(argument));
  Map map;
  map.Append("doc_id", static_cast<double>(group.case_index));
  map.Append("doc", document);
  map.Append("target", target);
  map.Append("arguments", std::move(arguments));
  map.Append("resps", List{Value(replies)});
  map.Append("filtered_resps", replies);
  map.Append("filter", kFilter);
  map.Append("metrics", List{Value(kMetric), Value(kPassMetric)});
  map.Append("doc_hash", Hex(Sha256Of(CompactJson(document))));
  map.Append("prompt_hash", Hex(Sha256Of(prompt)));
  map.Append("target_hash", Hex(Sha256Of(target)));
  map.Append("state", CellStateName(verdict.state));
  if (verdict.state == CellState::kScored) {
    map.Append(std::string(kMetric), NumberOrNull(verdict.mean));
    map.Append(std::string(kPassMetric), verdict.is_passed ? 1 : 0);
  }
  if (!why.empty()) map.Append("error", why);
  return Value(std::move(map));
}

}  // namespace

Status ExportLmEval(const Report& report, const ExportAsk& ask, Sink& sink) {
  const Suite& suite = *report.suite;
  const VariantIndex v = ask.variant.value_or(0);
  const Variant& variant = suite.variants[v];
  ASSAY_TRY(CaseScores scores, CaseScoresOf(report));
  const MeanEstimate mean = EstimateMean(scores.samples[v], scores.design());
  ASSAY_TRY(const Sample passed, PassSample(report, {.pass = ask.pass, .variant = v}));
  scores.range = ScoreRange{};
  const MeanEstimate passes = EstimateMean(passed, scores.design());
  Map better;
  better.Append(std::string(kMetric), true);
  better.Append(std::string(kPassMetric), true);
  Map samples;
  samples.Append("original", static_cast<double>(suite.cases.size()));
  samples.Append("effective", static_cast<double>(mean.cases));
  Map config;
  config.Append("model", variant.provider);
  config.Append("model_args", fmt::format("model={}", variant.model));
  config.Append("limit", Value(Null{}));
  config.Append("bootstrap_iters", 0);
  Map map;
  map.Append("results", PerTask(suite, LmEvalResultsOf(suite, mean, passes)));
  map.Append("group_subtasks", PerTask(suite, Value(List{})));
  map.Append("configs", PerTask(suite, ConfigOf(suite)));
  map.Append("versions", PerTask(suite, Value(0)));
  map.Append("n-shot", PerTask(suite, Value(0)));
  map.Append("higher_is_better", PerTask(suite, Value(std::move(better))));
  map.Append("n-samples", PerTask(suite, Value(std::move(samples))));
  map.Append("config", std::move(config));
  map.Append("git_hash", Value(Null{}));
  map.Append("date", static_cast<double>(report.run.started_ms) / kLmEvalMsPerSecond);
  map.Append("task_hashes", Map{});
  map.Append("model_source", variant.provider);
  map.Append("model_name", variant.id);
  map.Append("model_name_sanitized", variant.id);
  return sink.Write(WriteJson(Value(std::move(map)), JsonStyle::kJavaScript2) + "\n");
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
