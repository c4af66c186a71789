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

namespace assay {

namespace {

// What ran programs where the run began.
Value ToolchainsValue(const RunRecord& record) {
  const Result<std::vector<Toolchain>> toolchains = DecodeToolchains(record.toolchains);
  if (!toolchains) return Null{};
  List list;
  for (const Toolchain& toolchain : *toolchains) {
    Map map;
    map.Append("language", toolchain.language);
    map.Append("digest", TextOrNull(toolchain.digest));
    map.Append("missing", TextOrNull(toolchain.missing));
    map.Append("absent", List(toolchain.absent.begin(), toolchain.absent.end()));
    list.emplace_back(std::move(map));
  }
  return Value(std::move(list));
}

// By role, model that was asked and model that answered; of candidates by variant.
Value ServedCountsValue(const Report& report) {
  List list;
  for (const ServedCount& each : report.totals.served) {
    Map map;
    map.Append("role", RequestRoleName(each.role));
    if (each.role == RequestRole::kCandidate) map.Append("variant", report.suite->variants[each.variant].id);
    map.Append("asked", each.asked);
    map.Append("model", each.model);
    map.Append("is_other", each.is_other);
    map.Append("cells", CountValue(each.cells));
    list.emplace_back(std::move(map));
  }
  return Value(std::move(list));
}

}  // namespace

std::string CommandWords(const RunRecord& run, bool is_own) {
  // Without it another run would have the answers of older ones.
  const bool asks_afresh = run.state != RunState::kFinished && run.first_epoch > 0;
  return (is_own ? OwnWords(run.source) : PastableWords(run.source)) + (asks_afresh ? " --fresh" : "");
}

std::string_view StopName(const RunRecord& run, bool is_at_work) {
  if (is_at_work || !run.stop) return {};
  switch (*run.stop) {
    case RunStop::kOpen:
      return run.state == RunState::kFinished ? "" : "cut off";
    case RunStop::kWhole:
      return "";
    case RunStop::kInterrupted:
      return "interrupted";
    case RunStop::kBudget:
      return "budget";
    case RunStop::kTooManyErrors:
      return "max-errors";
    case RunStop::kOutOfTime:
      return "max-time";
    case RunStop::kError:
      return "error";
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

Value RecordValue(const RunRecord& record, bool is_at_work) {
  Map map;
  map.Append("run", record.context.run_id);
  map.Append("title", record.title);
  map.Append("dialect", record.dialect);
  map.Append("command", "assay run " + CommandWords(record));
  const std::vector<std::string> left_out = LeftOutOptions(record.source);
  map.Append("left_out", List(left_out.begin(), left_out.end()));
  map.Append("state", record.state == RunState::kFinished ? "finished" : "unfinished");
  map.Append("started_ms", CountValue(static_cast<std::uint64_t>(record.context.started_ms)));
  map.Append(
      "finished_ms",
      CountValue(record.state == RunState::kFinished ? static_cast<std::uint64_t>(record.finished_ms) : 0));
  map.Append("cells", CountValue(record.cells));
  map.Append("requests_sent", CountValue(record.requests_sent));
  map.Append("mean", NumberOrNull(record.mean_score));
  const std::optional<SummaryValue> value = ValueOfSummary(record.summary);
  map.Append("value", value ? value->title : "mean");
  map.Append("plain_mean", NumberOrNull(value ? value->plain_mean : record.mean_score));
  map.Append("pass_rate", NumberOrNull(PassRateOfSummary(record.summary)));
  map.Append("toolchains", ToolchainsValue(record));
  map.Append("stopped", TextOrNull(StopName(record, is_at_work)));
  const std::vector<std::string> given_up = GivenUpModels(record);
  map.Append("given_up", List(given_up.begin(), given_up.end()));
  return map;
}

Value RunValue(const Report& report, const RunFacts& facts) {
  Value run = RecordValue(facts.record, facts.is_at_work);
  Map& map = run.AsMap();
  // As the report has it, whatever the stored one says: with --reduce, of a file, of a stranger's store.
  if (facts.record.state == RunState::kFinished || !std::isnan(facts.record.mean_score))
    map.Set("mean", NumberOrNull(MeanOf(report)));
  if (FindReducer(report.suite->aggregation.reduce)) map.Set("value", ValueTitleOf(*report.suite));
  if (!map.NumberAt("pass_rate")) map.Set("pass_rate", NumberOrNull(PassShareOf(report)));
  map.Append("requests", CountValue(report.totals.requests));
  map.Append("request_errors", CountValue(report.totals.request_errors));
  map.Append("foreign_replies", CountValue(report.totals.foreign_replies));
  Map unanswered;
  for (const auto& [error_class, cells] : report.totals.unanswered)
    unanswered.Append(error_class, CountValue(cells));
  map.Append("unanswered", std::move(unanswered));
  map.Append("served", ServedCountsValue(report));
  map.Append("candidate_usage", UsageValue(report.totals.usage.OfAnswers()));
  map.Append("judge_usage", UsageValue(report.totals.usage.OfJudging()));
  map.Append("usage", UsageByRoleValue(report.totals.usage));
  map.Append("cost_usd", static_cast<double>(facts.cost.nano_usd) / kNanoPerUsd);
  map.Append("cost_usd_estimated", static_cast<double>(facts.cost.estimated_nano_usd) / kNanoPerUsd);
  map.Append("unpriced", CountValue(facts.cost.unpriced));
  List variants;
  for (const VariantSummary& summary : report.variants) {
    Map variant;
    variant.Append("id", report.suite->variants[summary.variant].id);
    variant.Append("mean", summary.scored == 0 ? Value(Null{}) : NumberOrNull(summary.mean));
    variant.Append("sd", NumberOrNull(summary.sd));
    variant.Append("cells", CountValue(summary.cells));
    variant.Append("scored", CountValue(summary.scored));
    variant.Append("unscored", CountValue(summary.unscored));
    variant.Append("errors", CountValue(summary.errors));
    variant.Append("skipped", CountValue(summary.skipped));
    variant.Append("partial", CountValue(summary.partial));
    variants.emplace_back(std::move(variant));
  }
  map.Append("variants", std::move(variants));
  List files;
  for (const std::string& file : facts.files) files.emplace_back(file);
  map.Append("files", std::move(files));
  map.Append("exit", facts.exit);
  map.Append("up_to_date", facts.is_up_to_date);
  return run;
}

}  // namespace assay
