// Walks the exchanges of a run, and groups those that failed by model and message.
#include "engine/run/failed_requests.h"

#include <fmt/core.h>

#include <limits>
#include <optional>
#include <set>
#include <span>

#include "spec/suite/suite.h"

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

}  // namespace assay
