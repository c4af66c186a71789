// Reserves and settles the cost of calls.
#include "run/executor/calls/tolls.h"

#include <cmath>
#include <utility>

#include "run/executor/batches/batches.h"
#include "spec/suite/asked_members.h"

namespace assay {

const CallCost& Tolls::WorstOf(Call& call) const {
  if (!call.worst) call.worst = WorstCost(call.prepared, models_);
  return *call.worst;
}

void Tolls::Take(Call& call) {
  call.mark = 0;
  if (call.prepared.recorded || pools_.IsBatched(call)) return;
  call.mark = world_.deps.pace.OnSend(call.pool, WorstOf(call).tokens, call.sent_at);
}

// A reply that says nothing of its usage, from a service that is paid.
void Tolls::NoteEstimate(Call& call, std::int64_t nano_usd) {
  ++world_.progress.unpriced;
  ++world_.progress.without_usage;
  world_.progress.cost_estimated_nano_usd += nano_usd;
  call.estimated_nano_usd = call.estimated_nano_usd.value_or(0) + nano_usd;
}

// Of what the table's price makes of a reply's tokens: at the tier that it names, and in a batch. Service
// tools cost the same everywhere.
std::int64_t Tolls::PaidOf(const Call& call, const ModelReply* reply, std::int64_t list_nano_usd) const {
  double factor = pools_.IsBatched(call) ? BatchInterfaceOf(call.prepared.request)->price_factor : 1;
  const auto* asked = std::get_if<ModelRequest>(&call.prepared.request);
  if (asked != nullptr && reply != nullptr && !reply->tier.empty())
    factor *= models_.TierFactor(asked->provider, ModelSent(*asked), reply->tier);
  return std::llround(static_cast<double>(list_nano_usd) * factor);
}

// A reply that does not say what it used is taken for what its texts may have cost; a failure that says
// nothing, for nothing.
CallCost Tolls::ActualOf(Call& call, const Result<Reply>& reply, const Usage& wasted) {
  if (!reply && !wasted.known) return {.tokens = 0, .nano_usd = 0};
  const auto* model = reply ? std::get_if<ModelReply>(&*reply) : nullptr;
  const Usage& usage = !reply ? wasted : model != nullptr ? model->usage : std::get<EmbedReply>(*reply).usage;
  std::optional<CallCost> stated = ActualCost(call.prepared.request, usage, models_);
  if (!stated) {
    const CallCost estimated = EstimatedCost(call.prepared.request, *reply, models_);
    if (estimated.nano_usd != 0) NoteEstimate(call, estimated.nano_usd.value_or(0));
    return estimated;
  }
  if (!stated->nano_usd) {
    ++world_.progress.unpriced;
    return *stated;
  }
  if (!usage.billing.cost_nano_usd) {
    const std::int64_t list = *stated->nano_usd - usage.billing.tools_nano_usd;
    const std::int64_t paid = PaidOf(call, model, list);
    call.list_nano_usd += list;
    call.paid_nano_usd += paid;
    stated->nano_usd = paid + usage.billing.tools_nano_usd;
  }
  world_.progress.cost_nano_usd += *stated->nano_usd;
  return *stated;
}

void Tolls::Settle(Call& call, const Result<Reply>& reply, const Usage& wasted) {
  if (call.prepared.recorded || !AsksModel(call.prepared.request)) return;
  const CallCost actual = ActualOf(call, reply, wasted);
  if (call.mark != 0) world_.deps.pace.Return(call.pool, WorstOf(call).tokens - actual.tokens);
  if (!std::exchange(call.is_reserved, false)) return;
  world_.deps.budget.Settle(*call.worst, actual);
}

double Tolls::PriceFactor(const Call& call) const {
  if (call.list_nano_usd > 0)
    return static_cast<double>(call.paid_nano_usd) / static_cast<double>(call.list_nano_usd);
  return pools_.IsBatched(call) ? BatchInterfaceOf(call.prepared.request)->price_factor : 1;
}

}  // namespace assay
