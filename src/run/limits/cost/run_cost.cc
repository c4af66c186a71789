// Adds up the usage of a run's exchanges.
#include "run/limits/cost/run_cost.h"

#include <map>
#include <utility>

#include "run/limits/cost/call_cost.h"
#include "spec/exchange/request.h"
#include "store/run_walks.h"

namespace assay {

namespace {

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
  RunCost cost;
  Prices prices(models);
  ASSAY_CHECK_OK(
      VisitUsage(store, run.context.run_id, [&](const StoredUsage& row) { AddTo(row, prices, cost); }));
  return cost;
}

}  // namespace assay
