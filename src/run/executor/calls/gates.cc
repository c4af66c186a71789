// The rules about sending.
#include "run/executor/calls/gates.h"

#include <fmt/core.h>

#include "base/limits.h"
#include "checks/judge/judge.h"
#include "plan/models_of.h"
#include "plan/plan.h"
#include "run/model_name.h"
#include "spec/exchange/unread_reply.h"
#include "spec/suite/variant.h"

namespace assay {

namespace {

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

std::string_view WhyClosed(RunEnding why) {
  return why == RunEnding::kTooManyErrors ? "too many cells ended in an error (--max-errors)"
                                          : "the time of the run is over (--max-time)";
}

}  // namespace

void Gates::Close(RunEnding why) {
  if (closed_ != RunEnding::kTooManyErrors) closed_ = why;
}

RunEnding Gates::ending() const {
  if (closed_ == RunEnding::kTooManyErrors) return RunEnding::kTooManyErrors;
  if (out_of_time_) return RunEnding::kOutOfTime;
  return budget_spent_ ? RunEnding::kBudget : RunEnding::kWhole;
}

bool Gates::HasRoom(PoolIndex pool, TimePoint now) const {
  const LivePool& live = pools_[pool];
  if (live.somebody_is_alone) return false;
  // A batch is one request of its provider, however many calls are in it: no limit holds for them.
  if (pool >= pools_.plan_size()) return live.in_flight < limits::kMaxInFlightMax;
  const PoolPace pace = world_.deps.pace.Of(pool);
  return live.in_flight < pace.width && pace.paused_until <= now;
}

Gates::Passage Gates::PassageOf(Call& call, TimePoint now) {
  if (call.prepared.recorded) return {};
  if (closed_) {
    out_of_time_ = out_of_time_ || closed_ == RunEnding::kOutOfTime;
    return {.door = Door::kShut,
            .reason = {ErrorCode::kCancelled, fmt::format("not asked: {}", WhyClosed(*closed_))}};
  }
  const PoolPace pace = world_.deps.pace.Of(pools_.PlanPool(call.pool));
  if (!pools_.IsBatched(call) && pace.gives_up_at && now >= *pace.gives_up_at) {
    std::string reason =
        fmt::format("{} has said for {:g} s that calls are to wait, and answered none (--patience)",
                    world_.plan.pools()[call.pool].name,
                    std::chrono::duration<double>(world_.options.retry.patience).count());
    findings_.AddNoteOnce(reason, "; the same command sends it again");
    if (IsJudge(call.prepared.tag.role)) reason += fmt::format("; {}", kJudgeFellSilent);
    return {.door = Door::kShut,
            .reason = {ErrorCode::kCancelled, "not asked: " + std::move(reason)},
            .is_down = true};
  }
  if (const std::string* down = outages_.GivenUp(call.prepared.request)) {
    findings_.AddNoteOnce(*down, "; the same command sends it again");
    if (IsJudge(call.prepared.tag.role)) breakers_.NoteOnceOpen(call.prepared.request, kJudgeFellSilent);
    breakers_.GiveUp(call.prepared.request, *down);
  }
  if (const Error* broken = breakers_.Cut(call.prepared.request))
    return {.door = Door::kShut, .reason = *broken, .is_down = true};
  if (pools_.IsBatched(call)) return {};
  const TimePoint ready = world_.deps.pace.ReadyAt(call.pool, tolls_.WorstOf(call).tokens, now);
  return ready > now ? Passage{.door = Door::kLater, .ready_at = ready} : Passage{};
}

Gates::Passage Gates::PassageByBudget(Call& call) {
  Budget& budget = world_.deps.budget;
  if (call.prepared.recorded || !AsksModel(call.prepared.request)) return {};
  const CallCost& worst = tolls_.WorstOf(call);
  switch (budget.Reserve(worst)) {
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
  const CallCost left = budget.left();
  std::optional<Shortfall>& shortfall = world_.progress.shortfall;
  if (!shortfall) {
    shortfall = Shortfall{
        .limits = budget.limits(), .left = left, .first = worst, .all = {.tokens = 0, .nano_usd = 0}};
  }
  ++shortfall->calls;
  shortfall->all.tokens += worst.tokens;
  *shortfall->all.nano_usd += worst.nano_usd.value_or(0);
  // A long answer makes a dear judge too dear, and would choose who judges it.
  Error spent = BudgetSpent(budget.limits(), left, worst);
  if (IsJudge(call.prepared.tag.role)) spent.message += fmt::format("; {}", kJudgeFellSilent);
  return {.door = Door::kShut, .reason = std::move(spent)};
}

bool Gates::HasStandIn(const Call& call) const {
  const auto* model = std::get_if<ModelRequest>(&call.prepared.request);
  if (model == nullptr || call.prepared.tag.role != RequestRole::kCandidate) return false;
  return assay::HasStandIn(world_.plan.VariantOf(call.prepared.tag.variant), *model);
}

bool Gates::MayWaitForService(const Call& call) const {
  return !call.prepared.recorded && !call.prepared.retry && !pools_.IsBatched(call) && !HasStandIn(call);
}

std::string Gates::Text(PoolIndex pool, TimePoint now) const {
  const LivePool& live = pools_[pool];
  const std::size_t waiting = live.CountWaiting();
  if (waiting == 0) return {};
  const std::string& name = world_.plan.pools()[pool].name;
  const PoolPace pace = world_.deps.pace.Of(pool);
  if (pace.paused_until > now) {
    std::string text = fmt::format("{} wait because {} asked for a pause, {} more", waiting, name,
                                   SecondsText(pace.paused_until - now));
    if (pace.gives_up_at) {
      text += fmt::format("; without an answer they are given up in {} (--patience)",
                          SecondsText(*pace.gives_up_at - now));
    }
    return text;
  }
  if (live.ready_at <= now || live.ready_at == kNever) return {};
  return fmt::format("{} wait for the limits a minute of {}, {} more", waiting, name,
                     SecondsText(live.ready_at - now));
}

}  // namespace assay
