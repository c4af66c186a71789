// Decides whether a summary is wanted, plans its request, and reads its reply from the store.
#include "engine/write/closing.h"

#include <fmt/core.h>

#include "dialects/habits.h"
#include "providers/facts/price.h"
#include "report/fold/stored_tables.h"
#include "run/limits/cost/budget.h"
#include "spec/exchange/request.h"
#include "spec/suite/suite.h"
#include "store/run_walks.h"

namespace assay {

bool WantsSummary(const RunSpec& spec) {
  return !spec.skip_summary && (spec.require_summary || HabitsOf(spec.compat).sums_up_unasked);
}

Result<std::shared_ptr<const Plan>> ClosingPlan(const DialectRow& dialect, const Suite& suite) {
  Report report;
  report.suite = &suite;
  report.for_each_cell = [](const CellRange&, CellParts, const Report::Visitor&) { return Ok(); };
  ASSAY_TRY(Suite closing, dialect.closing->ask(report));
  Diagnostics diagnostics;
  std::shared_ptr<const Plan> plan =
      Plan::Build(std::move(closing), {.part = RunPart::kClosing}, diagnostics);
  ASSAY_ASSERT(plan != nullptr);
  return plan;
}

Result<ClosingAnswer> ClosingReply(Store& store, const std::string& run_id) {
  std::vector<Exchange> asked;
  ASSAY_CHECK_OK(store.VisitAnswered(run_id, RunPart::kClosing, kEveryCell, nullptr,
                                     [&asked](const CellResult&, std::span<Exchange> exchanges) {
                                       asked = TakeAll(exchanges);
                                       return Ok();
                                     }));
  if (asked.empty()) return Error{ErrorCode::kNotFound, "nobody was asked"};
  const Exchange& last = asked.back();
  if (last.error) return *last.error;
  const auto* reply = std::get_if<ModelReply>(&last.reply);
  if (reply == nullptr || reply->text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Error{ErrorCode::kNotFound, "the reply is empty"};
  }
  const std::optional<CalledModel> asked_of = CalledModelOf(last.request);
  return ClosingAnswer{
      .model_id = asked_of ? fmt::format("{}:{}", asked_of->provider, asked_of->model) : std::string(),
      .text = reply->text};
}

CostOfAnswer CostsBy(const ModelBook& models) {
  return [&models](const ModelRef& model, const Usage& usage) -> std::optional<double> {
    const std::optional<Price> price = models.PriceOf(model.provider, model.model);
    if (!price) return std::nullopt;
    const std::int64_t nano_usd = CostNanoUsd(*price, {.input = usage.input_tokens,
                                                       .output = usage.output_tokens,
                                                       .cached_read = usage.cached_read_tokens,
                                                       .cached_write = usage.cached_write_tokens});
    return static_cast<double>(nano_usd) / kNanoPerUsd;
  };
}

Retelling::PriceTeller PricesBy(ModelBook models) {
  return [models = std::move(models)](const ModelRef& model, const Usage& usage,
                                      double price_factor) mutable -> std::optional<double> {
    models.Remember(model.provider, model.model);
    const std::optional<std::int64_t> nano_usd =
        CostNanoUsd(models.PriceOf(model.provider, model.model), usage, price_factor);
    if (!nano_usd) return std::nullopt;
    return static_cast<double>(*nano_usd) / kNanoPerUsd;
  };
}

Status AddDialectParts(Store& store, const RunRecord& run, const ModelBook& models, Report& report) {
  if (AddStoredTables(run, report)) return Ok();
  const DialectRow* dialect = FindDialect(report.suite->dialect);
  if (dialect == nullptr) return Ok();
  if (dialect->closing) {
    const Result<ClosingAnswer> reply = ClosingReply(store, run.context.run_id);
    if (reply) dialect->closing->add(*reply, report);
  }
  return dialect->tables ? dialect->tables->add(report, CostsBy(models)) : Ok();
}

}  // namespace assay
