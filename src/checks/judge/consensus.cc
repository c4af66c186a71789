// Combines the votes of several judges into one Score, and says which judges gave no verdict and why (spec:
// blueprint 12.6).
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

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

Vote VerdictOfVotes(std::span<const Vote> votes) {
  ASSAY_ASSERT(!votes.empty());
  if (votes.size() == 1) return votes.front();
  std::vector<const Judgement*> readable;
  for (const Vote& vote : votes) {
    if (vote) readable.push_back(&*vote);
  }
  // That the answer is the cause says more than a service that failed.
  if (readable.size() < votes.size()) {
    const auto is_doubted = [](const Vote& vote) {
      const std::string_view why = vote ? std::string_view() : vote.error().message;
      return why.starts_with(kAnswerHoldsVerdicts) || why.starts_with(kVerdictDoubted);
    };
    const auto doubted = std::find_if(votes.begin(), votes.end(), is_doubted);
    const auto missing =
        std::find_if(votes.begin(), votes.end(), [](const Vote& vote) { return !vote.has_value(); });
    Error why = (doubted != votes.end() ? *doubted : *missing).error();
    if (!readable.empty()) why.message += fmt::format("; {}", kVotesAreMissing);
    return why;
  }
  Judgement verdict = *readable.front();
  verdict.against = 0;
  for (const Judgement* vote : readable) {
    verdict.votes.push_back(vote->score);
    verdict.against += vote->against;
  }
  std::vector<double> sorted = verdict.votes;
  std::sort(sorted.begin(), sorted.end());
  verdict.score = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
  const auto distance = [&verdict](const Judgement* vote) { return std::abs(vote->score - verdict.score); };
  const auto next = std::min_element(
      readable.begin(), readable.end(),
      [&distance](const Judgement* a, const Judgement* b) { return distance(a) < distance(b); });
  verdict.reflection = (*next)->reflection;
  verdict.repaired = (*next)->repaired;
  return verdict;
}

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
                              .repaired = verdict->repaired,
                              .votes = verdict->votes,
                              .against = verdict->against});
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
