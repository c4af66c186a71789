// The dispatcher's rules about sending: pools, pace, budget, breakers and time; and why a stalled run waits.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "plan/models_of.h"
#include "run/executor/calls/dispatcher.h"
#include "run/model_name.h"
#include "spec/suite/asked_members.h"
#include "spec/suite/case.h"
#include "spec/suite/variant.h"

namespace assay {

namespace {

bool AsksModel(const Request& request) {
  return std::holds_alternative<ModelRequest>(request) || std::holds_alternative<EmbedRequest>(request);
}

std::string Seconds(TimePoint::duration time) {
  return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

double Usd(std::int64_t nano_usd) { return static_cast<double>(nano_usd) / kNanoPerUsd; }

// Which limit it is, what the call may cost and what is left.
Error BudgetSpent(const BudgetLimits& limits, const CallCost& left, const CallCost& worst) {
  std::string what;
  if (limits.nano_usd && worst.nano_usd.value_or(0) > left.nano_usd.value_or(0)) {
    what =
        fmt::format("it may cost up to ${:.6g}, and ${:.6g} is left of --budget-usd {:.6g}",
                    Usd(worst.nano_usd.value_or(0)), Usd(left.nano_usd.value_or(0)), Usd(*limits.nano_usd));
  }
  if (limits.tokens && worst.tokens > left.tokens) {
    what += fmt::format("{}it may take up to {} tokens, and {} are left of --budget-tokens {}",
                        what.empty() ? "" : "; ", worst.tokens, left.tokens, *limits.tokens);
  }
  return {ErrorCode::kCancelled, "not asked: " + what};
}

// A call that was sent, in vain, is an error, however its waiting ended.
Error OutOfPatience(Error refusal, const Error& why) {
  refusal.message += fmt::format("; then {}", why.message);
  return refusal;
}

std::string_view WhyClosed(StopReason why) {
  return why == StopReason::kTooManyErrors ? "too many cells ended in an error (--max-errors)"
                                           : "the time of the run is over (--max-time)";
}

}  // namespace

// Of two reasons, errors are the one to tell.
void Dispatcher::Close(StopReason why) {
  if (closed_ != StopReason::kTooManyErrors) closed_ = why;
}

RunEnd Dispatcher::end() const {
  if (closed_ == StopReason::kTooManyErrors) return RunEnd::kTooManyErrors;
  if (out_of_time_) return RunEnd::kOutOfTime;
  return budget_spent_ ? RunEnd::kBudgetSpent : RunEnd::kFinished;
}

const CallCost& Dispatcher::WorstOf(Call& call) {
  if (!call.worst) call.worst = WorstCost(call.prepared, models_);
  return *call.worst;
}

void Dispatcher::NoteOnce(std::string note, std::string_view more) {
  if (noted_.insert(note).second) findings_.AddNote(std::move(note.append(more)));
}

Dispatcher::Passage Dispatcher::PassageOf(Call& call, TimePoint now) {
  if (call.prepared.recorded) return {};
  if (closed_) {
    out_of_time_ = out_of_time_ || closed_ == StopReason::kOutOfTime;
    return {.door = Door::kShut,
            .reason = {ErrorCode::kCancelled, fmt::format("not asked: {}", WhyClosed(*closed_))}};
  }
  const PoolPace pace = world_.pace.Of(PlanPool(call.pool));
  if (!IsBatched(call) && pace.gives_up_at && now >= *pace.gives_up_at) {
    std::string reason =
        fmt::format("{} has said for {:g} s that calls are to wait, and answered none (--patience)",
                    world_.plan.pools()[call.pool].name,
                    std::chrono::duration<double>(world_.options.retry.patience).count());
    NoteOnce(reason, "; the same command sends it again");
    return {.door = Door::kShut,
            .reason = {ErrorCode::kCancelled, "not asked: " + std::move(reason)},
            .is_down = true};
  }
  if (const std::string* down = outages_.GivenUp(call.prepared.request)) {
    NoteOnce(*down, "; the same command sends it again");
    breakers_.GiveUp(call.prepared.request, *down);
  }
  if (const Error* broken = breakers_.Cut(call.prepared.request))
    return {.door = Door::kShut, .reason = *broken, .is_down = true};
  if (IsBatched(call)) return {};
  const TimePoint ready = world_.pace.ReadyAt(call.pool, WorstOf(call).tokens, now);
  return ready > now ? Passage{.door = Door::kLater, .ready_at = ready} : Passage{};
}

// The last gate: what passes is reserved.
Dispatcher::Passage Dispatcher::PassageByBudget(Call& call) {
  Budget* budget = world_.deps.budget;
  if (budget == nullptr || call.prepared.recorded || !AsksModel(call.prepared.request)) return {};
  const CallCost& worst = WorstOf(call);
  switch (budget->Reserve(worst)) {
    case Budget::Grant::kGiven:
      call.is_reserved = true;
      return {};
    case Budget::Grant::kLater:
      return {.door = Door::kLater};
    case Budget::Grant::kNoPrice:
      return {.door = Door::kShut,
              .reason = {ErrorCode::kCancelled,
                         fmt::format("not asked: no price is known of {}, and there is a budget",
                                     ModelNameOf(call.prepared.request))}};
    case Budget::Grant::kSpent:
      break;
  }
  budget_spent_ = true;
  const CallCost left = budget->left();
  std::optional<Shortfall>& shortfall = world_.progress.shortfall;
  if (!shortfall) {
    shortfall = Shortfall{
        .limits = budget->limits(), .left = left, .first = worst, .all = {.tokens = 0, .nano_usd = 0}};
  }
  ++shortfall->calls;
  shortfall->all.tokens += worst.tokens;
  *shortfall->all.nano_usd += worst.nano_usd.value_or(0);
  return {.door = Door::kShut, .reason = BudgetSpent(budget->limits(), left, worst)};
}

// The budget has it reserved already.
void Dispatcher::TakeTolls(Call& call) {
  call.mark = 0;
  if (call.prepared.recorded || IsBatched(call)) return;
  call.mark = world_.pace.OnSend(call.pool, WorstOf(call).tokens, call.sent_at);
}

void Dispatcher::NoteEstimate(Call& call, std::int64_t nano_usd) {
  ++world_.progress.unpriced;
  ++world_.progress.without_usage;
  world_.progress.cost_estimated_nano_usd += nano_usd;
  call.estimated_nano_usd = call.estimated_nano_usd.value_or(0) + nano_usd;
}

// Of what the table's price makes of a reply's tokens: at the tier that it names, and in a batch. Service
// tools cost the same everywhere.
std::int64_t Dispatcher::PaidOf(const Call& call, const ModelReply* reply, std::int64_t list_nano_usd) const {
  double factor = IsBatched(call) ? BatchInterfaceOf(call.prepared.request)->price_factor : 1;
  const auto* asked = std::get_if<ModelRequest>(&call.prepared.request);
  if (asked != nullptr && reply != nullptr && !reply->tier.empty())
    factor *= models_.TierFactor(asked->provider, ModelSent(*asked), reply->tier);
  return std::llround(static_cast<double>(list_nano_usd) * factor);
}

// A reply that does not say what it used is taken for what its texts may have cost; a failure that says
// nothing, for nothing.
void Dispatcher::SettleTolls(Call& call, const Result<Reply>& reply, const Usage& wasted) {
  if (call.prepared.recorded || !AsksModel(call.prepared.request)) return;
  CallCost actual{.tokens = 0, .nano_usd = 0};
  if (reply || wasted.known) {
    const auto* model = reply ? std::get_if<ModelReply>(&*reply) : nullptr;
    const Usage& usage = !reply             ? wasted
                         : model != nullptr ? model->usage
                                            : std::get<EmbedReply>(*reply).usage;
    std::optional<CallCost> stated = ActualCost(call.prepared.request, usage, models_);
    if (stated && stated->nano_usd) {
      if (!usage.billing.cost_nano_usd) {
        const std::int64_t list = *stated->nano_usd - usage.billing.tools_nano_usd;
        const std::int64_t paid = PaidOf(call, model, list);
        call.list_nano_usd += list;
        call.paid_nano_usd += paid;
        stated->nano_usd = paid + usage.billing.tools_nano_usd;
      }
      world_.progress.cost_nano_usd += *stated->nano_usd;
    } else if (stated) {
      ++world_.progress.unpriced;
    }
    actual = stated ? *stated : EstimatedCost(call.prepared.request, *reply, models_);
    if (!stated && actual.nano_usd != 0) NoteEstimate(call, actual.nano_usd.value_or(0));
  }
  if (call.mark != 0) world_.pace.Return(call.pool, WorstOf(call).tokens - actual.tokens);
  if (!std::exchange(call.is_reserved, false)) return;
  world_.deps.budget->Settle(*call.worst, actual);
}

// Whether another model is asked in place of the one that this call is for.
bool Dispatcher::HasStandIn(const Call& call) const {
  const auto* model = std::get_if<ModelRequest>(&call.prepared.request);
  if (model == nullptr || call.prepared.tag.role != RequestRole::kCandidate) return false;
  return assay::HasStandIn(world_.plan.VariantOf(call.prepared.tag.variant), *model);
}

void Dispatcher::NoteStandIn(const Call& call) {
  const auto* model = std::get_if<ModelRequest>(&call.prepared.request);
  if (model == nullptr || call.prepared.recorded || call.prepared.tag.role != RequestRole::kCandidate) return;
  const Variant& variant = world_.plan.VariantOf(call.prepared.tag.variant);
  if (!IsStandIn(variant, *model)) return;
  NoteOnce(fmt::format("{} was down: {} stood in for it, and is named with its answers", variant.id,
                       ModelNameOf(call.prepared.request)));
}

void Dispatcher::TurnAway(Call& call, Passage passage) {
  if (passage.is_down && HasStandIn(call)) {
    // What follows from it has to be found again: it is kept as if it had been asked.
    Answer(call, {.reply = std::move(passage.reason)});
  } else if (passage.is_down && call.told_to_wait) {
    Answer(call, {.reply = OutOfPatience(*call.told_to_wait, passage.reason)});
  } else {
    Cut(call, std::move(passage.reason));
  }
}

std::string Dispatcher::CallName(const Call& call) const {
  const RequestRole role = call.prepared.tag.role;
  const std::string& case_id = world_.plan.CaseOf(call.prepared.tag.case_index).id;
  if (role == RequestRole::kProgram) return fmt::format("program of a check, case {}", case_id);
  return fmt::format("{} of {}, case {}", RequestRoleName(role), ModelNameOf(call.prepared.request), case_id);
}

// What those wait for who stand in the line of a pool; "" if nothing keeps them.
std::string Dispatcher::PoolText(PoolIndex pool, TimePoint now) const {
  const LivePool& live = pools_[pool];
  const std::size_t waiting = live.CountWaiting();
  if (waiting == 0) return {};
  const std::string& name = world_.plan.pools()[pool].name;
  const PoolPace pace = world_.pace.Of(pool);
  if (pace.paused_until > now) {
    std::string text = fmt::format("{} wait because {} asked for a pause, {} more", waiting, name,
                                   Seconds(pace.paused_until - now));
    if (pace.gives_up_at) {
      text += fmt::format("; without an answer they are given up in {} (--patience)",
                          Seconds(*pace.gives_up_at - now));
    }
    return text;
  }
  if (live.ready_at <= now || live.ready_at == kNever) return {};
  return fmt::format("{} wait for the limits a minute of {}, {} more", waiting, name,
                     Seconds(live.ready_at - now));
}

std::string Dispatcher::WaitsFor(TimePoint now) const {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  };
  // Tickets are given in the order of sending.
  const auto oldest = std::min_element(on_wire_.begin(), on_wire_.end(),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
  if (oldest != on_wire_.end()) {
    add(fmt::format("{} under way, the oldest for {} ({})", on_wire_.size(),
                    Seconds(now - oldest->second->sent_at), CallName(*oldest->second)));
  }
  if (!retries_.empty()) {
    add(fmt::format("{} to be tried again, the next in {}", retries_.size(),
                    Seconds(std::max(retries_.begin()->first - now, TimePoint::duration{}))));
  }
  if (!elsewhere_.empty()) {
    const std::string& told = world_.progress.elsewhere;
    add(told.empty() ? fmt::format("{} that another process makes", elsewhere_.size()) : told);
  }
  add(outages_.Text(now));
  for (PoolIndex i = 0; i < FirstBatchPool(); ++i) add(PoolText(i, now));
  if (batches_) add(batches_->Text(world_.deps.clock.WallMs()));
  return text;
}

}  // namespace assay
