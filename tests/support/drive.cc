// Runs the slots of a cell in order: every input of a step is a lower slot.
#include "tests/support/drive.h"

#include "spec/run/worker_state.h"

namespace assay {

namespace {

void AnswerAll(const Need& need, const AnswerFn& answer, std::vector<Exchange>& so_far) {
  for (const PlannedRequest& planned : need.requests) {
    Exchange& exchange = so_far.emplace_back();
    exchange.role = planned.tag.role;
    if (!std::holds_alternative<ModelRequest>(planned.request)) {
      exchange.error = Error{ErrorCode::kUnsupported, "only models answer here"};
      continue;
    }
    Result<ModelReply> reply = answer(std::get<ModelRequest>(planned.request), planned.tag);
    if (reply) {
      exchange.reply = std::move(reply).value();
    } else {
      exchange.error = std::move(reply).error();
    }
  }
}

StepOutcome DriveStep(const Plan& plan, const StepTemplate& step, const StepContext& context,
                      const AnswerFn& answer) {
  std::vector<Exchange> so_far;
  for (std::uint32_t rounds = 0;; ++rounds) {
    Action action = NextOf(plan, step, context, so_far, rounds);
    if (auto* done = std::get_if<Done>(&action)) return std::move(*done);
    if (auto* failed = std::get_if<Failed>(&action)) return std::move(*failed);
    AnswerAll(std::get<Need>(action), answer, so_far);
  }
}

}  // namespace

AttemptRecord DriveCell(const Plan& plan, const CellAddress& address, const AnswerFn& answer,
                        WorkerState& worker) {
  const std::vector<StepTemplate>& slots = plan.case_plan(address.case_index).slots;
  const RunContext run;
  std::vector<StepOutcome> outcomes;
  outcomes.reserve(slots.size());
  for (const StepTemplate& step : slots) {
    std::vector<const StepOutcome*> inputs;
    for (const SlotIndex input : step.inputs) inputs.push_back(&outcomes[input]);
    const StepContext context{.suite = plan.suite(),
                              .case_index = address.case_index,
                              .variant_index = address.variant,
                              .attempt = address.attempt,
                              .inputs = inputs,
                              .run = run,
                              .worker = worker,
                              .part = plan.part()};
    outcomes.push_back(DriveStep(plan, step, context, answer));
  }
  return std::get<AttemptRecord>(std::get<Done>(std::move(outcomes.back())).value);
}

}  // namespace assay
