// Walks the exchanges of a run: groups those that failed by model and message, and looks at the requests of
// replies that name no model.
#include "engine/run/run_requests.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <variant>
#include <vector>

#include "providers/provider.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"

namespace assay {

namespace {

// As ModelNameOf of the request.
Result<std::string> ModelNameOf(Store& store, const Exchange& exchange) {
  if (exchange.kind == RequestKind::kHttp) return std::string("a service");
  if (exchange.kind == RequestKind::kProcess) return std::string("a program");
  if (exchange.kind == RequestKind::kCorpus) return std::string("the documents");
  ASSAY_TRY(const std::string request, store.RequestOf(exchange.id));
  const std::optional<CalledModel> model = CalledModelOf(request);
  return model ? fmt::format("{}:{}", model->provider, model->model) : std::string("a model");
}

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

Result<FailedRequests> FailedRequestsOf(Store& store, const std::string& run_id, const Plan& plan) {
  FailedRequests failed;
  std::set<ExchangeId> seen;
  std::int64_t first_ms = std::numeric_limits<std::int64_t>::max();
  const auto visit = [&](const CellResult& cell, std::span<const Exchange> exchanges) -> Status {
    for (const Exchange& exchange : exchanges) {
      const std::optional<Error> failure = FailureOf(exchange);
      if (!failure || !seen.insert(exchange.id).second) continue;
      ++failed.requests;
      if (exchange.started_ms < first_ms) {
        first_ms = exchange.started_ms;
        failed.first = failure->message;
      }
      ASSAY_TRY(const std::string model, ModelNameOf(store, exchange));
      failed.findings.AddFailure(model, failure->message,
                                 plan.CaseOf(plan.grid().At(cell.cell).case_index).id);
    }
    return Ok();
  };
  ASSAY_CHECK_OK(store.VisitAnswered(run_id, RunPart::kRun, kEveryCell, nullptr, visit));
  return failed;
}

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
