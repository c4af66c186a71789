// Admits cells, runs their steps as replies come, and retires cells that are graded.
#include "run/executor/cells/cell_board.h"

#include <algorithm>

#include "base/errors/assert.h"

namespace assay {

namespace {

bool HasAnswer(const LiveCell& cell) {
  const auto* done = std::get_if<Done>(&cell.steps[kAnswerSlot].outcome);
  const auto* transcript = done == nullptr ? nullptr : std::get_if<Transcript>(&done->value);
  return transcript != nullptr && transcript->error.empty();
}

StepLink LinkOf(const StepTemplate& step) {
  StepLink link{.kind = LinkKind::kAnswer, .role = step.asks, .check = step.check};
  if (step.kind == StepKind::kAsk) link.kind = LinkKind::kAsk;
  if (step.kind == StepKind::kEmbed)
    link.kind = step.embeds == EmbeddedText::kIdeal ? LinkKind::kEmbedIdeal : LinkKind::kEmbedAnswer;
  return link;
}

}  // namespace

void CellBoard::Admit(CellIndex index) {
  auto owned = std::make_unique<LiveCell>();
  LiveCell& cell = *owned;
  cell.index = index;
  cell.address = plan_.CellAt(index);
  cell.plan = &plan_.case_plan(cell.address.case_index);
  cell.steps.resize(cell.plan->slots.size());
  cell.steps_open = cell.steps.size();
  live_.emplace(index, std::move(owned));
  for (SlotIndex slot = 0; slot < cell.steps.size(); ++slot) {
    cell.steps[slot].inputs_open = static_cast<std::uint32_t>(cell.plan->slots[slot].inputs.size());
    if (cell.steps[slot].inputs_open == 0) MakeReady(cell, slot);
  }
}

void CellBoard::MakeReady(LiveCell& cell, SlotIndex slot) {
  cell.steps[slot].state = StepState::kReady;
  ready_.push_back({&cell, slot});
}

std::vector<ReadyStep> CellBoard::TakeReady() {
  for (const auto& [cell, slot] : ready_) cell->steps[slot].state = StepState::kRunning;
  steps_running_ += ready_.size();
  return std::exchange(ready_, {});
}

std::vector<Question> CellBoard::OnStepRun(StepResult result) {
  --steps_running_;
  LiveCell& cell = *result.cell;
  if (std::holds_alternative<Need>(result.action))
    return QuestionsOf(cell, result.slot, std::move(result.requests));
  const bool is_last = result.slot + 1 == cell.steps.size();
  if (auto* failed = std::get_if<Failed>(&result.action)) {
    Settle(cell, result.slot, std::move(*failed));
  } else {
    Settle(cell, result.slot, std::move(std::get<Done>(result.action)));
  }
  if (is_last) Retire(cell, std::move(result));
  return {};
}

std::vector<Question> CellBoard::QuestionsOf(LiveCell& cell, SlotIndex slot,
                                             std::vector<PreparedRequest> requests) {
  ASSAY_ASSERT(!requests.empty());
  LiveStep& step = cell.steps[slot];
  step.state = StepState::kAsking;
  ++step.rounds;
  step.round_start = step.so_far.size();
  step.replies_open = static_cast<std::uint32_t>(requests.size());
  step.so_far.resize(step.round_start + requests.size());
  std::vector<Question> questions;
  questions.reserve(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    questions.push_back({.request = std::move(requests[i]),
                         .waiter = {.cell = &cell, .slot = slot, .position = step.round_start + i}});
  }
  return questions;
}

// The last one takes the exchange.
void CellBoard::OnAnswer(Answered answered) {
  const RequestRole role = answered.exchange.role;
  const bool is_answer = role == RequestRole::kCandidate || role == RequestRole::kSummary;
  const auto place_of = [](const Waiter& waiter) -> Exchange& {
    return waiter.cell->steps[waiter.slot].so_far[waiter.position];
  };
  const std::vector<Waiter>& waiters = answered.waiters;
  for (std::size_t i = 0; i + 1 < waiters.size(); ++i) place_of(waiters[i]) = answered.exchange;
  place_of(waiters.back()) = std::move(answered.exchange);
  for (const Waiter& waiter : waiters) {
    LiveCell& cell = *waiter.cell;
    cell.was_paid = cell.was_paid || answered.was_sent;
    cell.was_cut = cell.was_cut || answered.was_cut;
    cell.answer_cut = cell.answer_cut || (answered.was_cut && is_answer);
    if (--cell.steps[waiter.slot].replies_open == 0) MakeReady(cell, waiter.slot);
  }
}

void CellBoard::Settle(LiveCell& cell, SlotIndex slot, StepOutcome outcome) {
  LiveStep& step = cell.steps[slot];
  ASSAY_ASSERT(step.state != StepState::kSettled);
  step.outcome = std::move(outcome);
  step.state = StepState::kSettled;
  --cell.steps_open;
  if (const auto kind = WorkKindOf(cell.plan->slots[slot]))
    ++progress_.work[static_cast<std::size_t>(*kind)].done;
  SettleDependants(cell, slot);
}

void CellBoard::SettleDependants(LiveCell& cell, SlotIndex slot) {
  const bool failed = std::holds_alternative<Failed>(cell.steps[slot].outcome);
  for (SlotIndex next = slot + 1; next < cell.steps.size(); ++next) {
    const StepTemplate& step = cell.plan->slots[next];
    if (cell.steps[next].state != StepState::kWaiting) continue;
    if (std::find(step.inputs.begin(), step.inputs.end(), slot) == step.inputs.end()) continue;
    --cell.steps[next].inputs_open;
    if (failed && step.gate == Gate::kAllDone) {
      Settle(cell, next, Failed{{ErrorCode::kCancelled, "not asked: what it builds on failed"}});
    } else if (cell.steps[next].inputs_open == 0) {
      MakeReady(cell, next);
    }
  }
}

// A cell whose answer was not asked for stays without scores: it counts as skipped. What was asked of it is
// kept.
void CellBoard::Retire(LiveCell& cell, StepResult result) {
  ASSAY_ASSERT(cell.steps_open == 0);
  ++progress_.cells_done;
  if (cell.was_paid) ++progress_.cells_paid;
  CellResult graded{.cell = cell.index, .scores = {}, .steps = {}};
  if (!cell.answer_cut) {
    graded.scores = std::move(result.scores);
    graded.transcript = std::move(result.transcript);
    graded.marks = std::move(result.marks);
    graded.columns = result.columns;
  }
  for (SlotIndex slot = 0; slot < cell.steps.size(); ++slot) {
    if (cell.steps[slot].so_far.empty()) continue;
    StepLink& link = graded.steps.emplace_back(LinkOf(cell.plan->slots[slot]));
    for (const Exchange& exchange : cell.steps[slot].so_far) {
      if (exchange.id != 0) link.exchanges.push_back(exchange.id);
    }
  }
  if (options_.keeps_records) {
    graded_.told.push_back(
        {.address = cell.address, .record = cell.answer_cut ? nullptr : std::move(result.record)});
  }
  RetiredCell& retired =
      retired_.emplace_back(RetiredCell{.address = cell.address, .was_asked = !cell.answer_cut});
  if (graded.columns) retired.outcome = graded.columns->outcome;
  if (!cell.answer_cut || !graded.steps.empty()) graded_.results.push_back(std::move(graded));
  if (cell.answer_cut) {
    ++progress_.cells_skipped;
  } else {
    if (!HasAnswer(cell)) ++progress_.cells_failed;
    if (result.is_error && !cell.was_cut) ++progress_.cells_errors;
    const std::optional<ErrorLimit>& limit = options_.max_errors;
    if (limit && limit->IsExceeded(progress_.cells_errors, plan_.CellCount())) too_many_errors_ = true;
  }
  live_.erase(cell.index);
}

}  // namespace assay
