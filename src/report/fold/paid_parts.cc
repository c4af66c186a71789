// Reads the usage of a run's exchanges, 64 at a time, and prices each three times.
#include "report/fold/paid_parts.h"

#include <algorithm>
#include <optional>

#include "spec/exchange/request.h"

namespace assay {

namespace {

constexpr std::size_t kIdsAtOnce = 64;  // each comes with its request

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
  ASSAY_TRY(const std::vector<ExchangeId> ids, store.ExchangesOf(run.context.run_id, RunPart::kRun));
  PaidParts parts;
  for (std::size_t at = 0; at < ids.size(); at += kIdsAtOnce) {
    const std::size_t count = std::min(kIdsAtOnce, ids.size() - at);
    ASSAY_TRY(const std::vector<StoredUsage> rows, store.UsageOf(std::span(ids).subspan(at, count)));
    for (const StoredUsage& row : rows) AddTo(row, run.context.started_ms, price, parts);
  }
  return parts;
}

}  // namespace assay
