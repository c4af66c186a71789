// One judge's verdict on one criterion of an answer: the dialogue that the judging steps have in common.
#pragma once

#include <string_view>

#include "checks/judge/judge.h"
#include "spec/step.h"

namespace assay {

struct JudgeCall {
  const Judge& judge;
  RequestRole role = RequestRole::kJudge;
  CheckIndex check = 0;        // of the case, or the number of the key point
  std::string_view criterion;  // must outlive the call
  std::uint32_t repairs = 0;   // how often a reply that cannot be read is asked for again
  VerdictForm form = VerdictForm::kTags;
};

// What was said in the attempt: the outcome of a step's input 0.
const Transcript& TranscriptOf(const StepContext& context);

// Need with one request, Done{Judgement}, or Failed. The answer in the transcript has no error.
Action NextVerdict(const JudgeCall& call, const StepContext& context, std::span<const Exchange> so_far);

}  // namespace assay
