// Several judges, one score (spec: blueprint 12.6).
#include <fmt/core.h>

#include "checks/judge/judge.h"
#include "checks/judge/strings.h"
#include "text/javascript/number.h"

namespace assay {
namespace {

// Why judges gave no verdict: "judge 2: ...; judge 3: ...".
std::string Causes(const ConsensusInput& input) {
  std::string causes;
  const auto add = [&causes](std::string_view who, const Vote& vote) {
    if (!vote) causes += fmt::format("{}{}: {}", causes.empty() ? "" : "; ", who, vote.error().message);
  };
  for (std::size_t i = 0; i < input.judges.size(); ++i) add(fmt::format("judge {}", i + 1), input.judges[i]);
  if (input.backup != nullptr) add("backup judge", *input.backup);
  return causes;
}

}  // namespace

Score JudgeConsensus(const ConsensusInput& input) {
  std::vector<const Judgement*> verdicts;
  for (const Vote& vote : input.judges) {
    if (vote) verdicts.push_back(&*vote);
  }
  const std::size_t failed = input.judges.size() - verdicts.size();
  const bool backed_up = failed > 0 && input.backup != nullptr && input.backup->has_value();
  if (backed_up) verdicts.push_back(&**input.backup);
  if (verdicts.empty()) {
    return Score::Missing("expected a verdict from at least one judge, all failed: " + Causes(input));
  }

  double sum = 0;
  std::string ids;
  Score score;
  for (const Judgement* verdict : verdicts) {
    sum += verdict->score;
    ids += (ids.empty() ? "" : ", ") + verdict->judge;
    score.evidence.push_back({.source = verdict->judge,
                              .value = verdict->score,
                              .text = verdict->reflection,
                              .repaired = verdict->repaired});
  }
  const double mean = sum / static_cast<double>(verdicts.size());
  score.state = ScoreState::kScored;
  score.value = RoundToFixed(mean, 2);
  score.grader = "consensus(" + ids + ")";
  score.explanation = ConsensusSentence(verdicts.size(), JsToFixed(mean, 2));
  if (backed_up) {
    score.explanation += kBackupNote;
  } else if (failed > 0) {
    const std::string partial = PartialConsensusSentence(failed, input.judges.size());
    score.explanation += std::string(kWarningPrefix) + partial;
    score.error = partial + " (" + Causes(input) + ")";
  }
  return score;
}

}  // namespace assay
