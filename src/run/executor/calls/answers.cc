// Makes exchanges of final replies.
#include "run/executor/calls/answers.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "plan/models_of.h"
#include "plan/plan.h"
#include "run/model_name.h"
#include "spec/suite/case.h"
#include "spec/suite/variant.h"

namespace assay {

Exchange Answers::ExchangeOf(Call& call, const FinalReply& final) const {
  Exchange exchange;
  exchange.key = call.prepared.key;
  exchange.epoch = world_.run.epoch;
  exchange.kind = KindOf(call.prepared.request);
  exchange.role = call.prepared.tag.role;
  exchange.takes_silence = call.prepared.takes_silence;
  exchange.request = std::move(call.prepared.canonical);
  exchange.started_ms = call.started_ms;
  exchange.first_token_us = final.first.count();
  exchange.duration_us = final.duration.count();
  exchange.tries = static_cast<std::uint32_t>(std::max(call.tries, 1));
  if (const auto* model = std::get_if<ModelRequest>(&call.prepared.request)) {
    exchange.room = model->room;
    for (const Message& message : model->messages)
      exchange.media.insert(exchange.media.end(), message.media.begin(), message.media.end());
  }
  return exchange;
}

void Answers::Add(Call& call, FinalReply final) {
  WireVerdict& verdict = final.verdict;
  Exchange exchange = ExchangeOf(call, final);
  exchange.raw = std::move(verdict.raw);
  if (verdict.reply) {
    NoteStandIn(call);
    exchange.reply = std::move(verdict.reply).value();
    if (const auto* model = std::get_if<ModelReply>(&exchange.reply)) {
      exchange.usage = model->usage;
      exchange.finish_reason = model->finish_reason;
    } else if (const auto* embed = std::get_if<EmbedReply>(&exchange.reply)) {
      exchange.usage = embed->usage;
    }
  } else {
    exchange.finish_reason = std::move(verdict.stated.finish);
    exchange.error = std::move(verdict.reply).error();
  }
  if (const std::optional<Error> failure = FailureOf(exchange)) CountError(call, *failure);
  if (!exchange.Reusable()) ++world_.progress.open;
  world_.listener.OnCall(call, RunEvent::Kind::kAnswered, {});
  exchange.price_factor = tolls_.PriceFactor(call);
  // Tries before this one were paid for as well.
  if (call.wasted.known) exchange.usage += call.wasted;
  exchange.usage.billing.estimated_nano_usd = call.estimated_nano_usd;
  world_.progress.usage += exchange.usage;
  if (call.prepared.recorded) {
    ++world_.progress.recorded;
  } else if (call.tries > 0 && !IsAnsweredHere(call.prepared.request)) {
    ++world_.progress.sent;
    ++sent_;
    call.was_sent = true;
  }
  answers_.push_back(std::move(exchange));
}

std::vector<Exchange> Answers::Take(std::size_t most) {
  if (answers_.size() <= most) return std::exchange(answers_, {});
  const auto end = answers_.begin() + static_cast<std::ptrdiff_t>(most);
  std::vector<Exchange> taken(std::make_move_iterator(answers_.begin()), std::make_move_iterator(end));
  answers_.erase(answers_.begin(), end);
  return taken;
}

void Answers::CountError(const Call& call, const Error& error) {
  Progress& progress = world_.progress;
  if (progress.errors++ == 0) progress.first_error = error.message;
  ++CountOf(progress.errors_by_class, error.code);
  findings_.AddFailure(ModelNameOf(call.prepared.request), error.message,
                       world_.plan.CaseOf(call.prepared.tag.case_index).id);
}

void Answers::NoteStandIn(const Call& call) {
  const auto* model = std::get_if<ModelRequest>(&call.prepared.request);
  if (model == nullptr || call.prepared.recorded || call.prepared.tag.role != RequestRole::kCandidate) return;
  const Variant& variant = world_.plan.VariantOf(call.prepared.tag.variant);
  if (!IsStandIn(variant, *model)) return;
  findings_.AddNoteOnce(fmt::format("{} was down: {} stood in for it, and is named with its answers",
                                    variant.id, ModelNameOf(call.prepared.request)));
}

}  // namespace assay
