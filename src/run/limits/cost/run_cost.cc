// Reads the usage of a run's exchanges, 64 at a time, and adds it up.
#include "run/limits/cost/run_cost.h"

#include <algorithm>
#include <map>
#include <utility>

#include "run/limits/cost/call_cost.h"
#include "spec/exchange/request.h"

namespace assay {

namespace {

constexpr std::size_t kIdsAtOnce = 64;  // each comes with its request

// Of few models there are many calls.
class Prices {
 public:
  explicit Prices(const ModelBook& models) : models_(models) {}

  const std::optional<Price>& Of(const CalledModel& call) {
    const auto [price, is_new] = known_.try_emplace({call.provider, call.model});
    if (is_new) price->second = models_.PriceOf(call.provider, call.model);
    return price->second;
  }

 private:
  const ModelBook& models_;
  std::map<std::pair<std::string, std::string>, std::optional<Price>> known_;
};

void AddTo(const StoredUsage& row, Prices& prices, RunCost& cost) {
  const std::optional<CalledModel> call = CalledModelOf(row.request);
  if (!call) return;
  if (row.usage.billing.estimated_nano_usd) {
    ++cost.unpriced;
    cost.estimated_nano_usd += *row.usage.billing.estimated_nano_usd;
    if (!row.usage.known) return;  // else another try said what it used
  }
  const std::optional<std::int64_t> paid = CostNanoUsd(prices.Of(*call), row.usage, row.price_factor);
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
  Prices prices(models);
  for (std::size_t at = 0; at < ids.size(); at += kIdsAtOnce) {
    const std::size_t count = std::min(kIdsAtOnce, ids.size() - at);
    ASSAY_TRY(const std::vector<StoredUsage> rows, store.UsageOf(std::span(ids).subspan(at, count)));
    for (const StoredUsage& row : rows) AddTo(row, prices, cost);
  }
  return cost;
}

}  // namespace assay
