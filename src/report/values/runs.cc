// Builds the JSON object of a run, with one object for each variant.
#include "report/values/runs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/decide/standings.h"
#include "report/fold/stored_summary.h"
#include "report/values/cells.h"
#include "report/values/json.h"
#include "spec/run/pastable_words.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {

namespace {

// What ran programs where the run began.
Value ToolchainsValue(const RunRecord& record) {
  const Result<std::vector<Toolchain>> toolchains = DecodeToolchains(record.toolchains);
  if (!toolchains) return Null{};
  return ArrayOf(*toolchains, [&](const Toolchain& toolchain) {
    return Object{{"language", toolchain.language},
                  {"digest", TextOrNull(toolchain.digest)},
                  {"missing", TextOrNull(toolchain.missing)},
                  {"absent", ArrayOf(toolchain.absent)}};
  });
}

// By role, model that was asked and model that answered; of candidates by variant.
Value ServedCountsValue(const Report& report) {
  return ArrayOf(report.totals.served, [&](const ServedCount& each) {
    return Object{
        {"role", RequestRoleName(each.role)},
        {"variant",
         each.role == RequestRole::kCandidate ? Value(report.suite->variants[each.variant].id) : Value()},
        {"asked", each.asked},
        {"model", each.model},
        {"is_other", each.is_other},
        {"cells", CountValue(each.cells)}};
  });
}

// What the row of a run in the store says, and its report says anew.
struct RunScores {
  double mean = 0;
  std::string value = "mean";  // what `mean` is
  double plain_mean = 0;
  std::optional<double> pass_rate;
};

RunScores ScoresOfRow(const RunRecord& record) {
  RunScores scores{.mean = record.mean_score,
                   .plain_mean = record.mean_score,
                   .pass_rate = PassRateOfSummary(record.summary)};
  if (std::optional<SummaryValue> value = ValueOfSummary(record.summary)) {
    scores.value = std::move(value->title);
    scores.plain_mean = value->plain_mean;
  }
  return scores;
}

// As the report has it, whatever the stored one says: with --reduce, of a file, of a stranger's store.
RunScores ScoresOf(const Report& report, const RunRecord& record) {
  RunScores scores = ScoresOfRow(record);
  if (record.state == RunState::kFinished || !std::isnan(record.mean_score)) scores.mean = MeanOf(report);
  if (FindReducer(report.suite->aggregation.reduce)) scores.value = ValueTitleOf(*report.suite);
  if (!scores.pass_rate) scores.pass_rate = PassShareOf(report);
  return scores;
}

Map RowMap(const RunRecord& record, bool is_at_work, const RunScores& scores) {
  const std::vector<std::string> left_out = LeftOutOptions(record.source);
  const std::vector<std::string> given_up = GivenUpModels(record);
  return Object{
      {"run", record.context.run_id},
      {"title", record.title},
      {"dialect", record.dialect},
      {"command", "assay run " + CommandWords(record)},
      {"left_out", ArrayOf(left_out)},
      {"state", record.state == RunState::kFinished ? "finished" : "unfinished"},
      {"started_ms", CountValue(static_cast<std::uint64_t>(record.context.started_ms))},
      {"finished_ms",
       CountValue(record.state == RunState::kFinished ? static_cast<std::uint64_t>(record.finished_ms) : 0)},
      {"cells", CountValue(record.cells)},
      {"requests_sent", CountValue(record.requests_sent)},
      {"mean", NumberOrNull(scores.mean)},
      {"value", scores.value},
      {"plain_mean", NumberOrNull(scores.plain_mean)},
      {"pass_rate", NumberOrNull(scores.pass_rate)},
      {"toolchains", ToolchainsValue(record)},
      {"stopped", TextOrNull(StopName(record, is_at_work))},
      {"given_up", ArrayOf(given_up)}};
}

}  // namespace

std::string CommandWords(const RunRecord& run, bool is_own) {
  // Without it another run would have the answers of older ones.
  const bool asks_afresh = run.state != RunState::kFinished && run.first_epoch > 0;
  return (is_own ? OwnWords(run.source) : PastableWords(run.source)) + (asks_afresh ? " --fresh" : "");
}

std::string_view StopName(const RunRecord& run, bool is_at_work) {
  if (is_at_work || !run.ending) return {};
  switch (*run.ending) {
    case RunEnding::kOpen:
      return run.state == RunState::kFinished ? "" : "cut off";
    case RunEnding::kWhole:
      return "";
    case RunEnding::kInterrupted:
    case RunEnding::kServiceDown:
    case RunEnding::kDisplaced:
      return "interrupted";
    case RunEnding::kBudget:
      return "budget";
    case RunEnding::kTooManyErrors:
      return "max-errors";
    case RunEnding::kOutOfTime:
      return "max-time";
    case RunEnding::kError:
      return "error";
    case RunEnding::kDecided:
      return "decided";
  }
  return "";
}

std::string ChoiceOf(const RunSpec& spec) {
  if (spec.limit) return fmt::format("--limit {}", *spec.limit);
  if (!spec.filter.empty()) return fmt::format("--filter {}", spec.filter);
  return spec.selected.empty() ? std::string() : std::string("--select");
}

std::vector<std::string> GivenUpModels(const RunRecord& run) {
  std::vector<std::string> models;
  std::string_view rest = run.given_up;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    models.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return models;
}

Map RecordMembers(const RunRecord& record, bool is_at_work) {
  return RowMap(record, is_at_work, ScoresOfRow(record));
}

Map VariantMembers(const Suite& suite, const VariantSummary& summary) {
  List named;
  for (const NamedMean& each : summary.named) {
    named.emplace_back(
        Object{{"name", each.name}, {"mean", NumberOrNull(each.mean)}, {"cells", CountValue(each.cells)}});
  }
  return Object{{"id", suite.variants[summary.variant].id},
                {"mean", summary.scored == 0 ? Value(Null{}) : NumberOrNull(summary.mean)},
                {"sd", NumberOrNull(summary.sd)},
                {"cells", CountValue(summary.cells)},
                {"scored", CountValue(summary.scored)},
                {"unscored", CountValue(summary.unscored)},
                {"errors", CountValue(summary.errors)},
                {"skipped", CountValue(summary.skipped)},
                {"partial", CountValue(summary.partial)},
                {"named", UnlessEmpty(std::move(named))}};
}

Map RunMembersWith(const Report& report, const RunFacts& facts, List variants) {
  Map map = RowMap(facts.record, facts.is_at_work, ScoresOf(report, facts.record));
  Map unanswered;
  for (const auto& [error_class, cells] : report.totals.unanswered)
    unanswered.Append(error_class, CountValue(cells));
  Extend(map, {{"asked_part", TextOrNull(report.stopped)},
               {"requests", CountValue(report.totals.requests)},
               {"request_errors", CountValue(report.totals.request_errors)},
               {"foreign_replies", CountValue(report.totals.foreign_replies)},
               {"unanswered", std::move(unanswered)},
               {"extracted", When(report.totals.extracted > 0, report.totals.extracted)},
               {"no_answer_found", When(report.totals.extracted > 0, report.totals.no_answer_found)},
               {"served", ServedCountsValue(report)},
               {"candidate_usage", UsageValue(report.totals.usage.OfAnswers())},
               {"judge_usage", UsageValue(report.totals.usage.OfJudging())},
               {"usage", UsageByRoleValue(report.totals.usage)},
               {"cost_usd", static_cast<double>(facts.cost.nano_usd) / kNanoPerUsd},
               {"cost_usd_estimated", static_cast<double>(facts.cost.estimated_nano_usd) / kNanoPerUsd},
               {"unpriced", CountValue(facts.cost.unpriced)},
               {"datasets", UnlessEmpty(List(report.suite->details.ListAt("datasets")))},
               {"variants", std::move(variants)},
               {"files", ArrayOf(facts.files)}});
  return map;
}

Map RunMembers(const Report& report, const RunFacts& facts) {
  Map map = RunMembersWith(report, facts, ArrayOf(report.variants, [&](const VariantSummary& summary) {
                             return VariantMembers(*report.suite, summary);
                           }));
  Extend(map, {{"exit", facts.exit}, {"up_to_date", facts.is_up_to_date}});
  return map;
}

}  // namespace assay
