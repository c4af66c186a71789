// Key points: extracted from the ideal answer by a model, then judged. One kind of step, because how many
// judges are asked is known only when the points are, and the plan is frozen before the first call.
// Source of the rules: weval 51dc4d3 (spec blueprint 12.2, 12.7).
//
// Rounds: the extraction, by one model after the other until one gives points; then every judge on every
// point at once; then, where replies could not be read, their repairs; then the backup on the points of which
// a judge failed.
#include <fmt/core.h>

#include <algorithm>

#include "checks/judge/judge.h"
#include "checks/judge/key_points.h"
#include "plan/steps.h"
#include "plan/verdict.h"

namespace assay {

namespace {

using Exchanges = std::span<const Exchange>;

// No attempt enters the request: all answers to a case are measured by the same points.
Need AskForKeyPoints(const Judge& extractor, const StepContext& context) {
  ModelRequest request = RequestTo(extractor, extractor.params);
  request.messages = BuildKeyPointPrompt(context.TheCase());
  RequestTag tag = TagOf(context, RequestRole::kExtraction);
  tag.judge_model = extractor.model_id;
  return Need{{{.request = std::move(request), .tag = std::move(tag)}}};
}

Result<std::vector<std::string>> KeyPointsOf(const Exchange& exchange) {
  if (exchange.error) return *exchange.error;
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  return ParseKeyPoints(reply == nullptr ? std::string_view() : std::string_view(reply->text));
}

// The first model that gives points; or what to ask next, or why none did. Takes what it read from `left`.
std::variant<std::vector<std::string>, Action> Extract(const StepContext& context, Exchanges& left) {
  std::string causes;
  for (const Judge& extractor : context.suite.extractors) {
    if (left.empty()) return AskForKeyPoints(extractor, context);
    Result<std::vector<std::string>> points = KeyPointsOf(left.front());
    left = left.subspan(1);
    if (points) return std::move(points).value();
    causes += fmt::format("{}{}: {}", causes.empty() ? "" : "; ", extractor.model_id, points.error().message);
  }
  return Failed{{ErrorCode::kInvalidInput, "no model gave key points of the ideal answer: " + causes}};
}

// What one judge says of one point, among others that are asked at the same time.
struct Dialogue {
  JudgeCall call;
  std::vector<Exchange> said = {};
  StepOutcome outcome = Done{Skipped{}};
};

// Carries all dialogues on with the replies in `left`, one each a round; what to ask in the next round, or
// nothing once all have ended.
std::vector<PlannedRequest> CarryOn(std::vector<Dialogue>& dialogues, const StepContext& context,
                                    Exchanges& left) {
  while (true) {
    std::vector<PlannedRequest> requests;
    std::vector<Dialogue*> open;
    for (Dialogue& dialogue : dialogues) {
      Action action = NextVerdict(dialogue.call, context, dialogue.said);
      if (auto* need = std::get_if<Need>(&action)) {
        requests.push_back(std::move(need->requests.front()));
        open.push_back(&dialogue);
      } else if (auto* failed = std::get_if<Failed>(&action)) {
        dialogue.outcome = std::move(*failed);
      } else {
        dialogue.outcome = std::move(std::get<Done>(action));
      }
    }
    if (requests.empty() || left.empty()) return requests;
    ASSAY_ASSERT(left.size() >= open.size());
    for (Dialogue* dialogue : open) {
      dialogue->said.push_back(left.front());
      left = left.subspan(1);
    }
  }
}

std::vector<Dialogue> AllJudges(const Plan& plan, const std::vector<std::string>& points) {
  const Suite& suite = plan.suite();
  std::vector<Dialogue> dialogues;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const Judge& judge : suite.judges) {
      dialogues.push_back({{.judge = judge,
                            .role = RequestRole::kJudge,
                            .check = static_cast<CheckIndex>(i),
                            .criterion = points[i],
                            .repairs = suite.judge_repairs,
                            .form = plan.verdict_form()}});
    }
  }
  return dialogues;
}

std::span<const Dialogue> OfPoint(const Suite& suite, const std::vector<Dialogue>& judges,
                                  std::size_t point) {
  return std::span(judges).subspan(point * suite.judges.size(), suite.judges.size());
}

// One for each point of which a judge failed, in the order of the points.
std::vector<Dialogue> Backups(const Plan& plan, const std::vector<std::string>& points,
                              const std::vector<Dialogue>& judges) {
  const Suite& suite = plan.suite();
  std::vector<Dialogue> dialogues;
  for (std::size_t i = 0; i < points.size() && suite.backup_judge; ++i) {
    const auto of_point = OfPoint(suite, judges, i);
    const bool any_failed = std::any_of(of_point.begin(), of_point.end(), [](const Dialogue& dialogue) {
      return std::holds_alternative<Failed>(dialogue.outcome);
    });
    if (!any_failed) continue;
    dialogues.push_back({{.judge = *suite.backup_judge,
                          .role = RequestRole::kBackupJudge,
                          .check = static_cast<CheckIndex>(i),
                          .criterion = points[i],
                          .repairs = 0,
                          .form = plan.verdict_form()}});
  }
  return dialogues;
}

std::vector<Score> Scores(const Suite& suite, std::size_t points, const std::vector<Dialogue>& judges,
                          const std::vector<Dialogue>& backups) {
  const StepOutcome not_needed = Done{Skipped{}};
  std::vector<Score> scores;
  for (std::size_t i = 0; i < points; ++i) {
    std::vector<const StepOutcome*> outcomes;
    for (const Dialogue& judge : OfPoint(suite, judges, i)) outcomes.push_back(&judge.outcome);
    const auto backup = std::find_if(backups.begin(), backups.end(),
                                     [i](const Dialogue& dialogue) { return dialogue.call.check == i; });
    ConsensusInput input{.judges = outcomes};
    if (suite.backup_judge) input.backup = backup == backups.end() ? &not_needed : &backup->outcome;
    scores.push_back(JudgeConsensus(input));
  }
  return scores;
}

}  // namespace

Action NextKeyPoints(const Plan& plan, const StepTemplate&, const StepContext& context, Exchanges so_far) {
  if (!TranscriptOf(context).error.empty()) return Done{Skipped{}};
  auto extracted = Extract(context, so_far);
  if (auto* action = std::get_if<Action>(&extracted)) return std::move(*action);
  auto& points = std::get<std::vector<std::string>>(extracted);
  std::vector<Dialogue> judges = AllJudges(plan, points);
  if (auto requests = CarryOn(judges, context, so_far); !requests.empty()) return Need{std::move(requests)};
  std::vector<Dialogue> backups = Backups(plan, points, judges);
  if (auto requests = CarryOn(backups, context, so_far); !requests.empty()) return Need{std::move(requests)};
  std::vector<Score> scores = Scores(plan.suite(), points.size(), judges, backups);
  return Done{JudgedKeyPoints{std::move(points), std::move(scores)}};
}

}  // namespace assay
