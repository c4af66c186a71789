// Prices the usage of each of a run's exchanges three times.
#include "report/fold/paid_parts.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include "spec/exchange/request.h"
#include "spec/run/run_cost.h"
#include "store/run_walks.h"

namespace assay {

namespace {

// In billionths of a dollar, so that sums do not depend on the order of the calls, which is another one where
// several processes work on a run.
struct NanoParts {
  std::int64_t list = 0;
  std::int64_t earlier = 0;
  std::int64_t found = 0;
  std::int64_t batched = 0;
  std::uint64_t earlier_calls = 0;
  std::int64_t found_tokens = 0;
  std::map<RequestRole, std::int64_t> by_role = {};
};

std::int64_t NanoOf(double usd) { return std::llround(usd * kNanoPerUsd); }
double UsdOf(std::int64_t nano) { return static_cast<double>(nano) / kNanoPerUsd; }

void AddTo(const StoredUsage& row, std::int64_t began_ms, const Retelling::PriceTeller& price,
           NanoParts& parts) {
  const std::optional<CalledModel> call = CalledModelOf(row.request);
  if (!call || !row.usage.known) return;
  ModelRef model;
  model.provider = call->provider;
  model.model = call->model;
  Usage alone = row.usage;
  alone.cached_read_tokens = 0;
  const std::optional<double> at_list = price(model, alone, 1);
  const std::optional<double> with_found = price(model, row.usage, 1);
  const std::optional<double> at_last = price(model, row.usage, row.price_factor);
  if (!at_list || !with_found || !at_last) return;
  const std::int64_t list = NanoOf(*at_list);
  const std::int64_t found = NanoOf(*with_found);
  const std::int64_t paid = NanoOf(*at_last);
  parts.list += list;
  if (row.started_ms < began_ms) {
    parts.earlier += list;
    ++parts.earlier_calls;
    return;
  }
  parts.found += list - found;
  parts.found_tokens += row.usage.cached_read_tokens;
  parts.batched += found - paid;
  parts.by_role[row.role] += paid;
}

}  // namespace

Result<PaidParts> PaidPartsOf(Store& store, const RunRecord& run, const Retelling::PriceTeller& price) {
  NanoParts sums;
  ASSAY_CHECK_OK(VisitUsage(store, run.context.run_id, [&](const StoredUsage& row) {
    AddTo(row, run.context.started_ms, price, sums);
  }));
  PaidParts parts{.list = UsdOf(sums.list),
                  .earlier = UsdOf(sums.earlier),
                  .found = UsdOf(sums.found),
                  .batched = UsdOf(sums.batched),
                  .earlier_calls = sums.earlier_calls,
                  .found_tokens = sums.found_tokens};
  for (const auto& [role, paid] : sums.by_role) parts.by_role[role] = UsdOf(paid);
  return parts;
}

}  // namespace assay
