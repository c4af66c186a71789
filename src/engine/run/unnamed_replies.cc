// Reads the replies of a run in parts, and looks at the requests of those that name no model.
#include "engine/run/unnamed_replies.h"

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

#include "providers/provider.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kRepliesBytesMax = 4'000'000;  // that are read at once
constexpr std::size_t kRepliesMax = 4'096;           // likewise

bool NamesNoModel(const Exchange& exchange) {
  const auto* reply = exchange.error ? nullptr : std::get_if<ModelReply>(&exchange.reply);
  return reply != nullptr && reply->served->model.empty();
}

// Whether a service or a program answered, and not a recording or echo:.
Result<bool> HasAnswerer(Store& store, ExchangeId id) {
  ASSAY_TRY(const std::string text, store.RequestOf(id));
  ASSAY_TRY(const Value request, ParseJson(text));
  const ProviderRow* provider = FindProvider(request.TextAt("model_call"));
  const bool is_asked = provider == nullptr || provider->route != Route::kLocal;
  return is_asked && request.TextAt("source").empty();
}

}  // namespace

Result<std::uint64_t> CountUnnamed(Store& store, const std::string& run_id) {
  ASSAY_TRY(const std::vector<ExchangeId> ids, store.ExchangesOf(run_id, RunPart::kRun));
  std::uint64_t unnamed = 0;
  for (std::size_t at = 0; at < ids.size();) {
    const std::size_t count = std::min(kRepliesMax, ids.size() - at);
    ASSAY_TRY(const std::vector<SizedExchange> some,
              store.GetSome(std::span(ids).subspan(at, count), kRepliesBytesMax));
    if (some.empty()) return Error{ErrorCode::kCorrupt, "a reply of the run is missing"};
    at += some.size();
    for (const SizedExchange& each : some) {
      if (!NamesNoModel(each.exchange)) continue;
      ASSAY_TRY(const bool is_asked, HasAnswerer(store, each.exchange.id));
      unnamed += is_asked ? 1 : 0;
    }
  }
  return unnamed;
}

}  // namespace assay
