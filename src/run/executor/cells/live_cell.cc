// Runs one step function on a worker thread, and completes the attempt's record.
#include "run/executor/cells/live_cell.h"

#include <algorithm>

#include "corpus/index/corpus.h"
#include "run/executor/attempt_use.h"
#include "spec/suite/variant.h"
#include "spec/turn/stored_transcript.h"

namespace assay {

namespace {

// What the attempt's requests used. Every other step of the cell is settled when the last one runs.
void SumUsage(const LiveCell& cell, AttemptRecord& record) {
  for (const LiveStep& step : cell.steps) {
    for (const Exchange& exchange : step.so_far) record.usage.Add(exchange.role, exchange.usage);
  }
}

// Who answered, as far as replies say it.
void AddServed(const LiveCell& cell, AttemptRecord& record) {
  constexpr std::size_t kMost = 64;
  for (const LiveStep& step : cell.steps) {
    for (const Exchange& exchange : step.so_far) {
      const auto* reply = exchange.error ? nullptr : std::get_if<ModelReply>(&exchange.reply);
      if (reply == nullptr || reply->served->empty() || record.served.size() >= kMost) continue;
      ServedAs served{exchange.role, *reply->served};
      if (std::find(record.served.begin(), record.served.end(), served) == record.served.end())
        record.served.push_back(std::move(served));
    }
  }
}

// How far what its checks look for came, of a case with documents.
void AddEvidence(const StepWorld& world, const LiveCell& cell, AttemptRecord& record) {
  record.evidence = world.documents.EvidenceOf(cell.address.case_index, cell.steps[kAnswerSlot].so_far,
                                               record.transcript.SubjectText());
}

// What the answer took, for checks that look at it.
AttemptUse UseFor(const StepWorld& world, const LiveCell& cell, const StepTemplate& step) {
  if (!cell.plan->reads_use || step.kind == StepKind::kGenerate) return {};
  const LiveStep& answer = cell.steps[kAnswerSlot];
  const auto* done = std::get_if<Done>(&answer.outcome);
  const auto* said = done == nullptr ? nullptr : std::get_if<Transcript>(&done->value);
  return UseOf({.suite = world.plan.suite(),
                .variant = world.plan.VariantOf(cell.address.variant),
                .answered_by = said == nullptr ? std::string_view() : said->answered_by,
                .exchanges = answer.so_far,
                .models = world.models});
}

bool Fails(const AttemptRecord& record, const std::optional<CellColumns>& columns) {
  if (columns)
    return columns->outcome.state == CellState::kError || columns->outcome.state == CellState::kPartial;
  if (!record.transcript.error.empty()) return true;
  const bool none_has_a_score =
      !record.scores.empty() && std::all_of(record.scores.begin(), record.scores.end(),
                                            [](const Score& score) { return score.failed(); });
  return none_has_a_score || record.MissingPoints() > 0;
}

}  // namespace

StepResult RunStep(const StepWorld& world, LiveCell& cell, SlotIndex slot, WorkerState& worker) {
  const StepTemplate& step = cell.plan->slots[slot];
  std::vector<const StepOutcome*> inputs;
  inputs.reserve(step.inputs.size());
  for (const SlotIndex input : step.inputs) inputs.push_back(&cell.steps[input].outcome);
  const StepContext context{.suite = world.plan.suite(),
                            .case_index = cell.address.case_index,
                            .variant_index = cell.address.variant,
                            .attempt = cell.address.attempt,
                            .inputs = inputs,
                            .run = world.run,
                            .worker = worker,
                            .part = world.plan.part(),
                            .use = UseFor(world, cell, step),
                            .memory = &cell.steps[slot].memory};
  StepResult result{
      .cell = &cell,
      .slot = slot,
      .action = NextOf(world.plan, step, context, cell.steps[slot].so_far, cell.steps[slot].rounds),
      .requests = {},
      .scores = {}};
  if (!std::holds_alternative<Need>(result.action)) cell.steps[slot].memory.reset();
  if (auto* need = std::get_if<Need>(&result.action)) {
    result.told = std::move(need->told);
    for (PlannedRequest& request : need->requests) {
      if (auto* documents = std::get_if<CorpusRequest>(&request.request))
        documents->corpus = world.documents.DigestOf(documents->documents);
      result.requests.push_back(world.router.Prepare(world.plan.suite(), std::move(request)));
    }
    need->requests.clear();
  } else if (auto* done = std::get_if<Done>(&result.action)) {
    result.told = std::move(done->told);
    if (auto* record = std::get_if<AttemptRecord>(&done->value)) {
      SumUsage(cell, *record);
      AddServed(cell, *record);
      AddEvidence(world, cell, *record);
      result.scores = EncodeScores(*record);
      result.marks = EncodeMarks(*record);
      const GeneratorRow& answerer = cell.plan->AnswererOf(cell.address.variant);
      if (world.plan.part() == RunPart::kRun && KeepsTranscript(answerer, world.versions))
        result.transcript = EncodeTranscript(record->transcript);
      if (world.columns_of) result.columns = world.columns_of(cell.address, *record);
      result.is_error = Fails(*record, result.columns);
      if (world.keeps_records) result.record = std::make_unique<const AttemptRecord>(std::move(*record));
      // Nothing else reads a graded attempt again: drop it here, on the worker.
      done->value = Skipped{};
    }
  }
  return result;
}

}  // namespace assay
