// The check of extracted key points: asks models in turn to extract them from the ideal answer, then puts
// them to the panel. No file names it; a case without checks of its own gets it (Case::extracts_key_points).
// Source of the rules: weval 51dc4d3 (spec blueprint 12.2, 12.7).
#include <fmt/core.h>

#include "checks/judge/key_points.h"
#include "checks/judge/panel.h"
#include "checks/limits.h"
#include "spec/extraction.h"
#include "spec/suite/variant.h"

namespace assay {
namespace {

// No attempt enters the request: all answers to a case are measured by the same points.
Need AskForKeyPoints(const Judge& extractor, const AskInput& input) {
  ModelRequest request{extractor};
  request.params = extractor.params;
  request.messages = BuildKeyPointPrompt(input.grade.the_case);
  RequestTag tag = input.tag;
  tag.role = RequestRole::kExtraction;
  tag.judge_model = extractor.model_id;
  return Need{{{.request = std::move(request), .tag = std::move(tag)}}};
}

Result<std::vector<std::string>> KeyPointsOf(const Exchange& exchange, EmptyKeyPoints empty_ones) {
  if (exchange.error) return *exchange.error;
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  return ParseKeyPoints(reply == nullptr ? std::string_view() : std::string_view(reply->text), empty_ones);
}

// The first model that gives points; or what to ask next, or why none did. Takes what it read from `left`.
std::variant<std::vector<std::string>, Action> Extract(const AskInput& input,
                                                       std::span<const Exchange>& left) {
  std::string causes;
  for (const Judge& extractor : input.panel->extractors) {
    if (left.empty()) return AskForKeyPoints(extractor, input);
    Result<std::vector<std::string>> points = KeyPointsOf(
        left.front(), IsBeforeAnswers(extractor) ? EmptyKeyPoints::kKept : EmptyKeyPoints::kDropped);
    left = left.subspan(1);
    if (points) return std::move(points).value();
    causes += fmt::format("{}{}: {}", causes.empty() ? "" : "; ", extractor.model_id, points.error().message);
  }
  return Failed{{ErrorCode::kInvalidInput, "no model gave key points of the ideal answer: " + causes}};
}

CheckArgs ParseKeyPointsArgs(const ParseInput&, Diagnostics&) { return std::make_shared<const int>(); }

std::vector<StepParty> PartiesOfKeyPoints(const JudgePanel& panel, const CheckArgs&) {
  std::vector<StepParty> parties = PanelParties(panel, limits::kKeyPointsMax);
  for (const Judge& extractor : panel.extractors)
    parties.push_back({.role = RequestRole::kExtraction,
                       .model = &extractor,
                       .id = extractor.model_id,
                       .params = &extractor.params});
  return parties;
}

Action NextKeyPoints(const AskInput& input, const CheckArgs&) {
  std::span<const Exchange> left = input.so_far;
  auto extracted = Extract(input, left);
  if (auto* action = std::get_if<Action>(&extracted)) return std::move(*action);
  auto& points = std::get<std::vector<std::string>>(extracted);
  if (!input.grade.transcript.error.empty()) return Done{JudgedKeyPoints{std::move(points), {}}};
  PanelAction action = NextOfPanel(input, points, left);
  if (auto* need = std::get_if<Need>(&action)) return std::move(*need);
  return Done{JudgedKeyPoints{std::move(points), std::move(std::get<std::vector<Score>>(action))}};
}

constexpr CheckRow kKeyPointsRow{
    .name = "key points",
    .help = "models extract criteria (key points) from the ideal answer, judges judge each",
    .parse = ParseKeyPointsArgs,
    .asks = Asking{.role = RequestRole::kJudge, .next = NextKeyPoints, .parties = PartiesOfKeyPoints}};

}  // namespace

const CheckRow& KeyPointsRow() { return kKeyPointsRow; }

}  // namespace assay
