// Adding up, some exchanges at a time.
#include "run/limits/cost/run_cost.h"

#include <algorithm>
#include <cmath>

#include "spec/exchange/request.h"

namespace assay {

namespace {

constexpr std::size_t kIdsAtOnce = 1'000;

void AddTo(const StoredUsage& row, const ModelBook& models, RunCost& cost) {
  const std::optional<CallFacts> call = CallFactsOf(row.request);
  if (!call) return;
  const std::optional<Price> price = models.PriceOf(call->provider, call->model);
  if (!price) {
    ++cost.unpriced;
    return;
  }
  const std::int64_t list = CostNanoUsd(*price, {.input = row.usage.input_tokens,
                                                 .output = row.usage.output_tokens,
                                                 .cached_read = row.usage.cached_read_tokens,
                                                 .cached_write = row.usage.cached_write_tokens});
  cost.nano_usd += std::llround(static_cast<double>(list) * row.price_factor);
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
