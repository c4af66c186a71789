// A log of Inspect (inspect_ai), version 2: a ZIP archive of JSON, one member for each sample and epoch, as
// its viewer and read_eval_log read it. A log is of one model, so one variant is written; its cases are
// samples, its attempts epochs.
#include <fmt/core.h>

#include "base/hash.h"
#include "report/decide/standings.h"
#include "report/export/cells.h"
#include "report/values/json.h"
#include "report/values/points.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/packed/zip_writer.h"

namespace assay {

namespace {

constexpr std::string_view kScorer = "assay";
constexpr std::size_t kShortIdDigits = 22;

std::string ShortId(std::string_view text) { return Hex(Sha256Of(text)).substr(0, kShortIdDigits); }

Value UsageValue(const Usage& usage) {
  Map map;
  map.Append("input_tokens", static_cast<double>(usage.input_tokens));
  map.Append("output_tokens", static_cast<double>(usage.output_tokens));
  map.Append("total_tokens", static_cast<double>(usage.input_tokens + usage.output_tokens));
  return Value(std::move(map));
}

// "openai/gpt-4o": Inspect's way to name a model.
std::string ModelName(const Variant& variant) {
  return variant.provider.empty() ? variant.model_id : fmt::format("{}/{}", variant.provider, variant.model);
}

// What an answer should be: the ideal, else what is checked.
std::string TargetOf(const Case& the_case) {
  if (the_case.ideal) return *the_case.ideal;
  std::string target;
  for (const Check& check : the_case.checks)
    target += fmt::format("{}{}{}", target.empty() ? "" : "\n", check.invert ? "not: " : "", check.text);
  return target;
}

Value ScoreValue(const Suite& suite, const Cell& cell) {
  Map metadata;
  metadata.Append("points", PointsValue(suite, cell));
  Map score;
  score.Append("value", NumberOrNull(cell.score));
  score.Append("answer", cell.record.transcript.SubjectText());
  const std::string why = WhyOf(suite, cell);
  score.Append("explanation", why.empty() ? Value(Null{}) : Value(why));
  score.Append("metadata", std::move(metadata));
  Map scores;
  scores.Append(std::string(kScorer), std::move(score));
  return Value(std::move(scores));
}

// Why a sample has no score, where that is an error.
std::string ErrorOf(const Suite& suite, const Cell& cell) {
  const bool is_error = cell.state == CellState::kError || cell.state == CellState::kPartial;
  if (!is_error) return {};
  const std::string why = WhyOf(suite, cell);
  return why.empty() ? std::string("the answer was graded in part") : why;
}

Value ErrorValue(const std::string& message) {
  Map error;
  error.Append("message", message);
  error.Append("traceback", message);
  error.Append("traceback_ansi", message);
  return Value(std::move(error));
}

Value ChatMessages(const std::vector<Message>& messages, const std::string& model) {
  List list;
  for (const Message& message : messages) {
    Map map;
    map.Append("role", RoleName(message.role));
    map.Append("content", message.text);
    if (message.role == Role::kAssistant) {
      map.Append("source", "generate");
      map.Append("model", model);
    } else if (message.role == Role::kUser) {
      map.Append("source", "input");
    }
    list.emplace_back(std::move(map));
  }
  return Value(std::move(list));
}

Value OutputOf(const Cell& cell, const std::string& model) {
  const Transcript& transcript = cell.record.transcript;
  Map message;
  message.Append("role", "assistant");
  message.Append("content", transcript.answer);
  message.Append("source", "generate");
  message.Append("model", model);
  Map choice;
  choice.Append("message", std::move(message));
  choice.Append("stop_reason", transcript.is_cut ? "max_tokens" : "stop");
  Map output;
  output.Append("model", model);
  output.Append("choices", List{Value(std::move(choice))});
  output.Append("usage", UsageValue(cell.record.usage.OfAnswers()));
  return Value(std::move(output));
}

// What samples and their summaries have in common.
Map SampleHead(const Suite& suite, const Cell& cell, const std::string& model) {
  const Case& the_case = suite.cases[cell.case_index];
  Map map;
  map.Append("id", the_case.id);
  map.Append("epoch", static_cast<double>(cell.attempt + 1));
  const std::vector<Message> turns = FixedTurns(the_case);
  const bool is_plain = turns.size() == 1 && turns.front().role == Role::kUser;
  map.Append("input", is_plain ? Value(turns.front().text) : ChatMessages(turns, model));
  map.Append("target", TargetOf(the_case));
  if (cell.state == CellState::kScored) map.Append("scores", ScoreValue(suite, cell));
  Map metadata;
  metadata.Append("state", CellStateName(cell.state));
  metadata.Append("weight", the_case.weight);
  List tags;
  for (const std::string& tag : *the_case.tags) tags.emplace_back(tag);
  metadata.Append("tags", std::move(tags));
  map.Append("metadata", std::move(metadata));
  Map usage;
  usage.Append(model, UsageValue(cell.record.usage.OfAnswers()));
  map.Append("model_usage", std::move(usage));
  return map;
}

Value SampleOf(const Report& report, const Cell& cell, const std::string& model) {
  const Suite& suite = *report.suite;
  const Transcript& transcript = cell.record.transcript;
  Map map = SampleHead(suite, cell, model);
  map.Append("messages", ChatMessages(transcript.history, model));
  if (transcript.error.empty()) map.Append("output", OutputOf(cell, model));
  map.Append("store", Map{});
  map.Append("events", List{});
  map.Append("attachments", Map{});
  map.Append("uuid", ShortId(fmt::format("{}/{}/{}/{}", report.run.run_id, cell.case_index, cell.variant,
                                         cell.attempt)));
  if (const std::string error = ErrorOf(suite, cell); !error.empty()) map.Append("error", ErrorValue(error));
  return Value(std::move(map));
}

Value SummaryOf(const Report& report, const Cell& cell, const std::string& model) {
  const Suite& suite = *report.suite;
  Map map = SampleHead(suite, cell, model);
  map.Append("completed", cell.state != CellState::kSkipped);
  if (const std::string error = ErrorOf(suite, cell); !error.empty()) map.Append("error", error);
  return Value(std::move(map));
}

Value MetricValue(std::string_view name, double value) {
  Map map;
  map.Append("name", name);
  map.Append("value", NumberOrNull(value));
  map.Append("params", Map{});
  return Value(std::move(map));
}

Value InspectResultsOf(const Report& report, VariantIndex variant, const MeanEstimate& estimate) {
  const VariantSummary& summary = report.variants[variant];
  Map metrics;
  if (estimate.mean) metrics.Append("mean", MetricValue("mean", *estimate.mean));
  if (estimate.se) metrics.Append("stderr", MetricValue("stderr", *estimate.se));
  Map score;
  score.Append("name", kScorer);
  score.Append("scorer", kScorer);
  score.Append("scored_samples", static_cast<double>(summary.scored));
  score.Append("unscored_samples", static_cast<double>(summary.cells - summary.scored));
  score.Append("params", Map{});
  score.Append("metrics", std::move(metrics));
  Map results;
  results.Append("total_samples", static_cast<double>(summary.cells));
  results.Append("completed_samples", static_cast<double>(summary.cells - summary.skipped - summary.errors));
  results.Append("scores", List{Value(std::move(score))});
  return Value(std::move(results));
}

Value EvalOf(const Report& report, const Variant& variant) {
  const Suite& suite = *report.suite;
  Map dataset;
  dataset.Append("name", suite.id);
  dataset.Append("samples", static_cast<double>(suite.cases.size()));
  List ids;
  for (const Case& the_case : suite.cases) ids.emplace_back(the_case.id);
  dataset.Append("sample_ids", std::move(ids));
  dataset.Append("shuffled", false);
  Map config;
  config.Append("epochs", static_cast<double>(suite.attempts));
  Map generate;
  if (variant.params.temperature) generate.Append("temperature", *variant.params.temperature);
  if (variant.params.max_tokens)
    generate.Append("max_tokens", static_cast<double>(*variant.params.max_tokens));
  Map packages;
  packages.Append("assay", report.run.assay_version);
  Map metadata;
  metadata.Append("variant", variant.id);
  metadata.Append("title", suite.title);
  Map map;
  map.Append("eval_id", ShortId("eval/" + report.run.run_id + variant.id));
  map.Append("run_id", ShortId("run/" + report.run.run_id));
  map.Append("created", IsoText(report.run.started_ms));
  map.Append("task", suite.id.empty() ? "suite" : suite.id);
  map.Append("task_id", ShortId("task/" + report.run.run_id + variant.id));
  map.Append("task_version", 0);
  map.Append("task_attribs", Map{});
  map.Append("task_args", Map{});
  map.Append("dataset", std::move(dataset));
  map.Append("model", ModelName(variant));
  map.Append("model_generate_config", std::move(generate));
  map.Append("model_args", Map{});
  map.Append("config", std::move(config));
  map.Append("packages", std::move(packages));
  map.Append("metadata", std::move(metadata));
  return Value(std::move(map));
}

Value PlanOf() {
  Map plan;
  plan.Append("name", "plan");
  plan.Append("steps", List{});
  plan.Append("config", Map{});
  return Value(std::move(plan));
}

Value Header(const Report& report, VariantIndex v, const MeanEstimate& estimate, const Usage& usage) {
  const Variant& variant = report.suite->variants[v];
  Map used;
  used.Append(ModelName(variant), UsageValue(usage));
  Map stats;
  stats.Append("started_at", IsoText(report.run.started_ms));
  stats.Append("completed_at", IsoText(report.run.started_ms));
  stats.Append("model_usage", std::move(used));
  Map map;
  map.Append("version", 2);
  map.Append("status", "success");
  map.Append("eval", EvalOf(report, variant));
  map.Append("plan", PlanOf());
  map.Append("results", InspectResultsOf(report, v, estimate));
  map.Append("stats", std::move(stats));
  return Value(std::move(map));
}

// Cells that were never asked are no samples.
Status ForEachSample(const Report& report, VariantIndex variant, CellParts parts,
                     const Report::Visitor& visit) {
  return report.for_each_cell(CellRange::OfVariant(variant), parts, [&](const Cell& cell) {
    return cell.state == CellState::kSkipped ? Ok() : visit(cell);
  });
}

Status WriteSummaries(const Report& report, VariantIndex variant, const std::string& model, ZipWriter& zip) {
  ASSAY_CHECK_OK(zip.Begin("summaries.json"));
  std::string out = "[";
  bool is_first = true;
  ASSAY_CHECK_OK(ForEachSample(report, variant, CellParts::kShown, [&](const Cell& cell) {
    if (!is_first) out += ",\n";
    is_first = false;
    AppendJson(SummaryOf(report, cell, model), JsonStyle::kJavaScript, out);
    if (out.size() < kExportPieceBytes) return Ok();
    const Status written = zip.Write(out);
    out.clear();
    return written;
  }));
  ASSAY_CHECK_OK(zip.Write(out + "]"));
  return zip.End();
}

}  // namespace

Status ExportInspect(const Report& report, const ExportAsk& ask, Sink& sink) {
  const VariantIndex v = ask.variant.value_or(0);
  const Variant& variant = report.suite->variants[v];
  const std::string model = ModelName(variant);
  ASSAY_TRY(const CaseScores scores, CaseScoresOf(report));
  ZipWriter zip(sink);
  Map start;
  start.Append("version", 2);
  start.Append("eval", EvalOf(report, variant));
  start.Append("plan", PlanOf());
  ASSAY_CHECK_OK(zip.Add("_journal/start.json", CompactJson(Value(std::move(start)))));
  Usage usage;
  ASSAY_CHECK_OK(ForEachSample(report, v, CellParts::kAll, [&](const Cell& cell) {
    usage += cell.record.usage.OfAnswers();
    const std::string& id = report.suite->cases[cell.case_index].id;
    return zip.Add(fmt::format("samples/{}_epoch_{}.json", id, cell.attempt + 1),
                   CompactJson(SampleOf(report, cell, model)));
  }));
  ASSAY_CHECK_OK(WriteSummaries(report, v, model, zip));
  const MeanEstimate estimate = EstimateMean(scores.samples[v], scores.design());
  ASSAY_CHECK_OK(zip.Add("header.json", CompactJson(Header(report, v, estimate, usage))));
  return zip.Finish();
}

}  // namespace assay
