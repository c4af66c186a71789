// A log of Inspect (inspect_ai), version 2: a ZIP archive of JSON, one member for each sample and epoch, as
// its viewer and read_eval_log read it. A log is of one model, so one variant is written; its cases are
// samples, its attempts epochs.
#include <fmt/core.h>

#include "base/hash.h"
#include "report/decide/run_statistics.h"
#include "report/export/cells.h"
#include "report/values/json.h"
#include "report/values/points.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/object.h"
#include "text/packed/zip_writer.h"

namespace assay {

namespace {

constexpr std::string_view kScorer = "assay";
constexpr std::size_t kShortIdDigits = 22;

std::string ShortId(std::string_view text) { return Hex(Sha256Of(text)).substr(0, kShortIdDigits); }

Value UsageValue(const Usage& usage) {
  return Object{{"input_tokens", Number(usage.input_tokens)},
                {"output_tokens", Number(usage.output_tokens)},
                {"total_tokens", Number(usage.input_tokens + usage.output_tokens)}};
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
  Map metadata = Object{{"points", PointsValue(suite, cell)}};
  const std::string why = WhyOf(suite, cell);
  return Object{{kScorer, Object{{"value", NumberOrNull(cell.score)},
                                 {"answer", cell.record.transcript.SubjectText()},
                                 {"explanation", why.empty() ? Value(Null{}) : Value(why)},
                                 {"metadata", std::move(metadata)}}}};
}

// Why a sample has no score, where that is an error.
std::string ErrorOf(const Suite& suite, const Cell& cell) {
  const bool is_error = cell.state == CellState::kError || cell.state == CellState::kPartial;
  if (!is_error) return {};
  const std::string why = WhyOf(suite, cell);
  return why.empty() ? std::string("the answer was graded in part") : why;
}

Value ErrorValue(const std::string& message) {
  return Object{{"message", message}, {"traceback", message}, {"traceback_ansi", message}};
}

Value ChatMessages(const std::vector<Message>& messages, const std::string& model) {
  return ArrayOf(messages, [&](const Message& message) {
    const bool is_answer = message.role == Role::kAssistant;
    return Object{
        {"role", RoleName(message.role)},
        {"content", message.text},
        {"source", When(is_answer || message.role == Role::kUser, is_answer ? "generate" : "input")},
        {"model", When(is_answer, model)}};
  });
}

Value OutputOf(const Cell& cell, const std::string& model) {
  const Transcript& transcript = cell.record.transcript;
  return Object{{"model", model},
                {"choices", List{Object{{"message", Object{{"role", "assistant"},
                                                           {"content", transcript.answer},
                                                           {"source", "generate"},
                                                           {"model", model}}},
                                        {"stop_reason", transcript.is_cut ? "max_tokens" : "stop"}}}},
                {"usage", UsageValue(cell.record.usage.OfAnswers())}};
}

// What samples and their summaries have in common.
Map SampleHead(const Suite& suite, const Cell& cell, const std::string& model) {
  const Case& the_case = suite.cases[cell.case_index];
  const std::vector<Message> turns = FixedTurns(the_case);
  const bool is_plain = turns.size() == 1 && turns.front().role == Role::kUser;
  return Object{
      {"id", the_case.id},
      {"epoch", cell.attempt + 1},
      {"input", is_plain ? Value(turns.front().text) : ChatMessages(turns, model)},
      {"target", TargetOf(the_case)},
      {"scores", cell.state == CellState::kScored ? ScoreValue(suite, cell) : Value()},
      {"metadata", Object{{"state", CellStateName(cell.state)},
                          {"weight", the_case.weight},
                          {"tags", ArrayOf(*the_case.tags)},
                          {"groups", the_case.groups->empty() ? Value() : ArrayOf(*the_case.groups)}}},
      {"model_usage", Object{{model, UsageValue(cell.record.usage.OfAnswers())}}}};
}

Value SampleOf(const Report& report, const Cell& cell, const std::string& model) {
  const Suite& suite = *report.suite;
  const Transcript& transcript = cell.record.transcript;
  Map map = SampleHead(suite, cell, model);
  Extend(map, {{"messages", ChatMessages(transcript.history, model)},
               {"output", transcript.error.empty() ? Value(OutputOf(cell, model)) : Value()},
               {"store", Map{}},
               {"events", List{}},
               {"attachments", Map{}},
               {"uuid", ShortId(fmt::format("{}/{}/{}/{}", report.run.run_id, cell.case_index, cell.variant,
                                            cell.attempt))}});
  if (const std::string error = ErrorOf(suite, cell); !error.empty()) map.Append("error", ErrorValue(error));
  return Value(std::move(map));
}

Value SummaryOf(const Report& report, const Cell& cell, const std::string& model) {
  const Suite& suite = *report.suite;
  Map map = SampleHead(suite, cell, model);
  Extend(map,
         {{"completed", cell.state != CellState::kSkipped}, {"error", UnlessEmpty(ErrorOf(suite, cell))}});
  return map;
}

Value MetricValue(std::string_view name, double value) {
  return Object{{"name", name}, {"value", NumberOrNull(value)}, {"params", Map{}}};
}

// The names that Inspect's own metrics have where it has such metrics.
Value InspectMetrics(const Suite& suite, const RunStatistics& statistics, VariantIndex variant,
                     const MeanEstimate& estimate) {
  Map metrics = Object{{"mean", estimate.mean ? MetricValue("mean", *estimate.mean) : Value()},
                       {"stderr", estimate.se ? MetricValue("stderr", *estimate.se) : Value()}};
  const VariantNumber number = variant;
  if (const auto rate = PassRateOf(statistics, std::span(&number, 1)).mean)
    metrics.Append("pass_rate", MetricValue("pass_rate", *rate));
  for (const std::uint64_t k : TriesToTell(suite, {})) {
    const PassesAtK at =
        PassesAt(suite, statistics.reliability.passes, variant, k, statistics.standings.scores.design());
    const std::string name = fmt::format("pass_at_{}", k);
    if (at.passes.any.mean) metrics.Append(name, MetricValue(name, *at.passes.any.mean));
  }
  return Value(std::move(metrics));
}

Value InspectResultsOf(const Report& report, const RunStatistics& statistics, VariantIndex variant,
                       const MeanEstimate& estimate) {
  const VariantSummary& summary = report.variants[variant];
  return Object{
      {"total_samples", summary.cells},
      {"completed_samples", summary.cells - summary.skipped - summary.errors},
      {"scores", List{Object{{"name", kScorer},
                             {"scorer", kScorer},
                             {"scored_samples", summary.scored},
                             {"unscored_samples", summary.cells - summary.scored},
                             {"params", Map{}},
                             {"metrics", InspectMetrics(*report.suite, statistics, variant, estimate)}}}}};
}

Value EvalOf(const Report& report, const Variant& variant) {
  const Suite& suite = *report.suite;
  return Object{
      {"eval_id", ShortId("eval/" + report.run.run_id + variant.id)},
      {"run_id", ShortId("run/" + report.run.run_id)},
      {"created", IsoText(report.run.started_ms)},
      {"task", suite.id.empty() ? "suite" : suite.id},
      {"task_id", ShortId("task/" + report.run.run_id + variant.id)},
      {"task_version", 0},
      {"task_attribs", Map{}},
      {"task_args", Map{}},
      {"dataset",
       Object{{"name", suite.id},
              {"samples", suite.cases.size()},
              {"sample_ids", ArrayOf(suite.cases, [&](const Case& the_case) { return the_case.id; })},
              {"shuffled", false}}},
      {"model", ModelName(variant)},
      {"model_generate_config", Object{{"temperature", variant.params.temperature},
                                       {"max_tokens", Number(variant.params.max_tokens)}}},
      {"model_args", Map{}},
      {"config", Object{{"epochs", suite.attempts}}},
      {"packages", Object{{"assay", report.run.assay_version}}},
      {"metadata",
       Object{{"variant", variant.id}, {"title", suite.title}, {"stopped", TextOrNull(report.stopped)}}}};
}

Value PlanOf() { return Object{{"name", "plan"}, {"steps", List{}}, {"config", Map{}}}; }

Value Header(const Report& report, const RunStatistics& statistics, VariantIndex v,
             const MeanEstimate& estimate, const Usage& usage) {
  const Variant& variant = report.suite->variants[v];
  return Object{{"version", 2},
                {"status", "success"},
                {"eval", EvalOf(report, variant)},
                {"plan", PlanOf()},
                {"results", InspectResultsOf(report, statistics, v, estimate)},
                {"stats", Object{{"started_at", IsoText(report.run.started_ms)},
                                 {"completed_at", IsoText(report.run.started_ms)},
                                 {"model_usage", Object{{ModelName(variant), UsageValue(usage)}}}}}};
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
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, ask.pass));
  const CaseScores& scores = statistics->standings.scores;
  ZipWriter zip(sink);
  ASSAY_CHECK_OK(
      zip.Add("_journal/start.json",
              CompactJson(Object{{"version", 2}, {"eval", EvalOf(report, variant)}, {"plan", PlanOf()}})));
  Usage usage;
  ASSAY_CHECK_OK(ForEachSample(report, v, CellParts::kAll, [&](const Cell& cell) {
    usage += cell.record.usage.OfAnswers();
    const std::string& id = report.suite->cases[cell.case_index].id;
    return zip.Add(fmt::format("samples/{}_epoch_{}.json", id, cell.attempt + 1),
                   CompactJson(SampleOf(report, cell, model)));
  }));
  ASSAY_CHECK_OK(WriteSummaries(report, v, model, zip));
  const MeanEstimate estimate = EstimateMean(scores.samples[v], scores.design());
  ASSAY_CHECK_OK(zip.Add("header.json", CompactJson(Header(report, *statistics, v, estimate, usage))));
  return zip.Finish();
}

}  // namespace assay
