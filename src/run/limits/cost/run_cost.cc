// Adds up the usage of a run's exchanges.
#include "run/limits/cost/run_cost.h"

#include "run/limits/cost/call_cost.h"
#include "spec/exchange/request.h"
#include "store/run_walks.h"

namespace assay {

namespace {

void AddTo(const StoredUsage& row, ModelBook& models, RunCost& cost) {
  const std::optional<CalledModel> call = CalledModelOf(row.request);
  if (!call) return;
  if (row.usage.billing.estimated_nano_usd) {
    ++cost.unpriced;
    cost.estimated_nano_usd += *row.usage.billing.estimated_nano_usd;
    if (!row.usage.known) return;  // else another try said what it used
  }
  models.Remember(call->provider, call->model);
  const std::optional<Price> price = models.PriceOf(call->provider, call->model);
  const std::optional<std::int64_t> paid = CostNanoUsd(price, row.usage, row.price_factor);
  if (paid) {
    cost.nano_usd += *paid;
  } else if (!row.usage.billing.estimated_nano_usd) {
    ++cost.unpriced;
  }
}

}  // namespace

Result<RunCost> CostOfRun(Store& store, const RunRecord& run, const ModelBook& models) {
  if (run.cost) return *run.cost;
  RunCost cost;
  ModelBook known = models;
  ASSAY_CHECK_OK(
      VisitUsage(store, run.context.run_id, [&](const StoredUsage& row) { AddTo(row, known, cost); }));
  return cost;
}

}  // namespace assay
