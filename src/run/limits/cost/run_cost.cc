// Reads the usage of a run's exchanges, 1,000 at a time, and adds it up.
#include "run/limits/cost/run_cost.h"

#include <algorithm>

#include "run/limits/cost/call_cost.h"
#include "spec/exchange/request.h"

namespace assay {

namespace {

constexpr std::size_t kIdsAtOnce = 1'000;

void AddTo(const StoredUsage& row, const ModelBook& models, RunCost& cost) {
  const std::optional<CallFacts> call = CallFactsOf(row.request);
  if (!call) return;
  if (row.usage.billing.estimated_nano_usd) {
    ++cost.unpriced;
    cost.estimated_nano_usd += *row.usage.billing.estimated_nano_usd;
    if (!row.usage.known) return;  // else another try said what it used
  }
  const std::optional<std::int64_t> paid =
      CostNanoUsd(models.PriceOf(call->provider, call->model), row.usage, row.price_factor);
  if (paid) {
    cost.nano_usd += *paid;
  } else if (!row.usage.billing.estimated_nano_usd) {
    ++cost.unpriced;
  }
}

}  // namespace

Result<RunCost> CostOfRun(Store& store, const RunRecord& run, const ModelBook& models) {
  if (run.cost) return *run.cost;
  ASSAY_TRY(const std::vector<ExchangeId> ids, store.ExchangesOf(run.context.run_id, RunPart::kRun));
  RunCost cost;
  for (std::size_t at = 0; at < ids.size(); at += kIdsAtOnce) {
    const std::size_t count = std::min(kIdsAtOnce, ids.size() - at);
    ASSAY_TRY(const std::vector<StoredUsage> rows, store.UsageOf(std::span(ids).subspan(at, count)));
    for (const StoredUsage& row : rows) AddTo(row, models, cost);
  }
  return cost;
}

}  // namespace assay
