// The loop: what keeps a call from being sent, and what a stalled run waits for.
#include <fmt/core.h>

#include <algorithm>

#include "plan/models_of.h"
#include "run/executor/executor_loop.h"

namespace assay {

namespace {

bool AsksModel(const Request& request) {
  return std::holds_alternative<ModelRequest>(request) || std::holds_alternative<EmbedRequest>(request);
}

std::string Seconds(TimePoint::duration time) {
  return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

double Usd(std::int64_t nano_usd) { return static_cast<double>(nano_usd) / kNanoPerUsd; }

// Nothing is reserved.
CallCost LeftOf(const Ledger& ledger) {
  const Budget& budget = ledger.budget();
  return {.tokens = std::max<std::int64_t>(budget.tokens.value_or(0) - ledger.spent_tokens(), 0),
          .nano_usd = std::max<std::int64_t>(budget.nano_usd.value_or(0) - ledger.spent_nano_usd(), 0)};
}

// Which limit it is, what the call may cost and what is left.
Error BudgetSpent(const Budget& budget, const CallCost& left, const CallCost& worst) {
  std::string what;
  if (budget.nano_usd && worst.nano_usd.value_or(0) > left.nano_usd.value_or(0)) {
    what =
        fmt::format("it may cost up to ${:.6g}, and ${:.6g} is left of --budget-usd {:.6g}",
                    Usd(worst.nano_usd.value_or(0)), Usd(left.nano_usd.value_or(0)), Usd(*budget.nano_usd));
  }
  if (budget.tokens && worst.tokens > left.tokens) {
    what += fmt::format("{}it may take up to {} tokens, and {} are left of --budget-tokens {}",
                        what.empty() ? "" : "; ", worst.tokens, left.tokens, *budget.tokens);
  }
  return {ErrorCode::kCancelled, "not asked: " + what};
}

}  // namespace

void Executor::Loop::MakeLimiters() {
  std::map<std::string, std::size_t, std::less<>> places;
  for (const Pool& pool : plan_.pools()) {
    const std::string_view provider = ProviderOfPool(pool.name);
    const auto [place, is_new] = places.try_emplace(std::string(provider), limiters_.size());
    limiter_of_pool_.push_back(place->second);
    if (!is_new) continue;
    const ProviderLimits limits = options_.limits.Of(provider);
    Limiter& limiter = limiters_.emplace_back();
    if (limits.requests_per_min) limiter.requests = RequestBucket(*limits.requests_per_min);
    if (limits.tokens_per_min) limiter.tokens = TokenBucket(*limits.tokens_per_min);
  }
}

const CallCost& Executor::Loop::WorstOf(Call& call) {
  if (!call.worst) call.worst = WorstCost(call.prepared, models_);
  return *call.worst;
}

// While other calls are under way they may turn out cheaper than what was reserved for them.
Executor::Loop::Passage Executor::Loop::PassageByBudget(Call& call) {
  const Budget& budget = deps_.ledger->budget();
  const CallCost& worst = WorstOf(call);
  if (deps_.ledger->Fits(worst)) return {};
  if (budget.nano_usd && !worst.nano_usd) {
    return {.door = Door::kShut,
            .reason = {ErrorCode::kCancelled,
                       fmt::format("not asked: no price is known of {}, and there is a budget",
                                   ModelNameOf(call.prepared.request))}};
  }
  if (deps_.ledger->HasReservations()) return {.door = Door::kLater};
  budget_spent_ = true;
  const CallCost left = LeftOf(*deps_.ledger);
  if (!progress_.shortfall) {
    progress_.shortfall =
        Shortfall{.budget = budget, .left = left, .first = worst, .all = {.tokens = 0, .nano_usd = 0}};
  }
  Shortfall& shortfall = *progress_.shortfall;
  ++shortfall.calls;
  shortfall.all.tokens += worst.tokens;
  *shortfall.all.nano_usd += worst.nano_usd.value_or(0);
  return {.door = Door::kShut, .reason = BudgetSpent(budget, left, worst)};
}

Executor::Loop::Passage Executor::Loop::PassageOf(Call& call, TimePoint now) {
  if (call.prepared.recorded) return {};
  if (too_many_errors_) {
    return {.door = Door::kShut,
            .reason = {ErrorCode::kCancelled, "not asked: too many cells ended in an error (--max-errors)"}};
  }
  if (now >= ends_at_) {
    out_of_time_ = true;
    return {.door = Door::kShut,
            .reason = {ErrorCode::kCancelled, "not asked: the time of the run is over (--max-time)"}};
  }
  if (!HasPatience(pools_[call.pool])) {
    std::string reason =
        fmt::format("{} has said for {:g} s that calls are to wait, and answered none (--patience)",
                    plan_.pools()[call.pool % plan_.pools().size()].name,
                    std::chrono::duration<double>(options_.retry.patience).count());
    if (noted_.insert(reason).second) findings_.AddNote(reason + "; the same command asks again");
    return {.door = Door::kShut,
            .reason = {ErrorCode::kCancelled, "not asked: " + std::move(reason)},
            .is_down = true};
  }
  if (const Error* broken = breakers_.Cut(call.prepared.request))
    return {.door = Door::kShut, .reason = *broken, .is_down = true};
  if (deps_.ledger != nullptr && AsksModel(call.prepared.request)) {
    Passage passage = PassageByBudget(call);
    if (passage.door != Door::kOpen) return passage;
  }
  const Limiter& limiter = limiters_[limiter_of_pool_[call.pool]];
  TimePoint ready = now;
  if (limiter.requests) ready = std::max(ready, limiter.requests->ReadyAt(1, now));
  if (limiter.tokens)
    ready = std::max(ready, limiter.tokens->ReadyAt(static_cast<double>(WorstOf(call).tokens), now));
  return ready > now ? Passage{.door = Door::kLater, .ready_at = ready} : Passage{};
}

void Executor::Loop::TakeTolls(Call& call, TimePoint now) {
  if (call.prepared.recorded) return;
  Limiter& limiter = limiters_[limiter_of_pool_[call.pool]];
  if (limiter.requests) limiter.requests->Take(1, now);
  if (limiter.tokens) limiter.tokens->Take(static_cast<double>(WorstOf(call).tokens), now);
  if (deps_.ledger == nullptr || !AsksModel(call.prepared.request)) return;
  deps_.ledger->Reserve(WorstOf(call));
  call.is_reserved = true;
}

// A reply that does not say what it used is taken for the worst; a failure that says nothing, for nothing.
void Executor::Loop::SettleTolls(Call& call, const Result<Reply>& reply, const Usage& wasted) {
  if (call.prepared.recorded || !AsksModel(call.prepared.request)) return;
  CallCost actual{.tokens = 0, .nano_usd = 0};
  if (reply || wasted.known) {
    const auto* model = reply ? std::get_if<ModelReply>(&*reply) : nullptr;
    const Usage& usage = !reply             ? wasted
                         : model != nullptr ? model->usage
                                            : std::get<EmbedReply>(*reply).usage;
    std::optional<CallCost> stated = ActualCost(call.prepared.request, usage, models_);
    if (stated && stated->nano_usd) {
      call.list_nano_usd += *stated->nano_usd;
      if (IsBatched(call)) stated->nano_usd = BatchPrice(call, *stated->nano_usd);
      call.paid_nano_usd += *stated->nano_usd;
      progress_.cost_nano_usd += *stated->nano_usd;
    } else {
      ++progress_.unpriced;
    }
    actual = stated ? *stated : WorstOf(call);
  }
  Limiter& limiter = limiters_[limiter_of_pool_[call.pool]];
  if (limiter.tokens) limiter.tokens->Return(static_cast<double>(WorstOf(call).tokens - actual.tokens));
  if (!call.is_reserved) return;
  deps_.ledger->Settle(*call.worst, actual);
  call.is_reserved = false;
}

// Whether another model is asked in place of the one that this call is for.
bool Executor::Loop::HasStandIn(const Call& call) const {
  const auto* model = std::get_if<ModelRequest>(&call.prepared.request);
  if (model == nullptr || call.prepared.tag.role != RequestRole::kCandidate) return false;
  return assay::HasStandIn(plan_.suite().variants[call.prepared.tag.variant], *model);
}

void Executor::Loop::NoteStandIn(const Call& call) {
  const auto* model = std::get_if<ModelRequest>(&call.prepared.request);
  if (model == nullptr || call.prepared.recorded || call.prepared.tag.role != RequestRole::kCandidate) return;
  const Variant& variant = plan_.suite().variants[call.prepared.tag.variant];
  if (!IsStandIn(variant, *model)) return;
  std::string note = fmt::format("{} was down: {} stood in for it, and is named with its answers", variant.id,
                                 ModelNameOf(call.prepared.request));
  if (noted_.insert(note).second) findings_.AddNote(std::move(note));
}

// Nothing was asked, so nothing enters the store, and nobody failed.
void Executor::Loop::Cut(Call& call, Error reason) {
  ++progress_.cut;
  const RequestRole role = call.prepared.tag.role;
  const bool is_answer = role == RequestRole::kCandidate || role == RequestRole::kSummary;
  for (const Waiter& waiter : call.waiters) {
    waiter.cell->was_cut = true;
    waiter.cell->answer_cut = waiter.cell->answer_cut || is_answer;
  }
  Exchange exchange;
  exchange.key = call.prepared.key;
  exchange.kind = KindOf(call.prepared.request);
  exchange.role = role;
  exchange.error = std::move(reason);
  Wake(std::move(exchange));
}

std::string Executor::Loop::CallName(const Call& call) const {
  return fmt::format("{} of {}, case {}", RequestRoleName(call.prepared.tag.role),
                     ModelNameOf(call.prepared.request),
                     plan_.suite().cases[call.prepared.tag.case_index].id);
}

std::string Executor::Loop::WaitsFor(TimePoint now) const {
  std::string text;
  const auto add = [&text](std::string part) { text += (text.empty() ? "" : "; ") + part; };
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
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    const LivePool& pool = pools_[i];
    if (pool.waiting.empty()) continue;
    const std::string& name = plan_.pools()[i % plan_.pools().size()].name;
    if (pool.paused_until > now) {
      std::string text_of_pool = fmt::format("{} wait because {} asked for a pause, {} more",
                                             pool.waiting.size(), name, Seconds(pool.paused_until - now));
      if (pool.waits_since) {
        text_of_pool += fmt::format("; without an answer they are given up in {} (--patience)",
                                    Seconds(*pool.waits_since + options_.retry.patience - now));
      }
      add(std::move(text_of_pool));
    } else if (pool.ready_at > now && pool.ready_at != kNever) {
      add(fmt::format("{} wait for the limits a minute of {}, {} more", pool.waiting.size(), name,
                      Seconds(pool.ready_at - now)));
    }
  }
  if (batches_) {
    if (std::string waiting = batches_->Text(deps_.clock.WallMs()); !waiting.empty()) add(std::move(waiting));
  }
  if (commit_open_) add("the store");
  return text;
}

}  // namespace assay
