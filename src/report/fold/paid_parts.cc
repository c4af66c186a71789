// Prices the usage of each of a run's exchanges three times.
#include "report/fold/paid_parts.h"

#include <optional>

#include "spec/exchange/request.h"
#include "store/run_walks.h"

namespace assay {

namespace {

void AddTo(const StoredUsage& row, std::int64_t began_ms, const Retelling::PriceTeller& price,
           PaidParts& parts) {
  const std::optional<CalledModel> call = CalledModelOf(row.request);
  if (!call || !row.usage.known) return;
  ModelRef model;
  model.provider = call->provider;
  model.model = call->model;
  Usage alone = row.usage;
  alone.cached_read_tokens = 0;
  const std::optional<double> list = price(model, alone, 1);
  const std::optional<double> found = price(model, row.usage, 1);
  const std::optional<double> paid = price(model, row.usage, row.price_factor);
  if (!list || !found || !paid) return;
  parts.list += *list;
  if (row.started_ms < began_ms) {
    parts.earlier += *list;
    ++parts.earlier_calls;
    return;
  }
  parts.found += *list - *found;
  parts.found_tokens += row.usage.cached_read_tokens;
  parts.batched += *found - *paid;
  parts.by_role[row.role] += *paid;
}

}  // namespace

Result<PaidParts> PaidPartsOf(Store& store, const RunRecord& run, const Retelling::PriceTeller& price) {
  PaidParts parts;
  ASSAY_CHECK_OK(VisitUsage(store, run.context.run_id, [&](const StoredUsage& row) {
    AddTo(row, run.context.started_ms, price, parts);
  }));
  return parts;
}

}  // namespace assay
