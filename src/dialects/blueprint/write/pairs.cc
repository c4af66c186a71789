// Builds the entries that result files hold for a pair: its response, coverage, errors and spread over
// attempts.
#include "dialects/blueprint/write/pairs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text/utf8.h"
#include "dialects/blueprint/write/sentences.h"
#include "spec/report/statistics.h"
#include "spec/score/item_words.h"
#include "text/javascript/number.h"

namespace assay::blueprint {
namespace {

constexpr int kScoreDigits = 2;

const Value kUndefined;

// Of several cases with one id the last counts, at the place of the first; the answers to the others are
// dropped.
std::vector<CaseIndex> CasesInKeyOrder(const Suite& suite) {
  std::vector<CaseIndex> last;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const auto [found, is_new] = places.emplace(suite.cases[i].id, last.size());
    if (is_new) last.push_back({});
    last[found->second] = static_cast<CaseIndex>(i);
  }
  Map by_id;
  for (const CaseIndex index : last) by_id.Append(suite.cases[index].id, static_cast<double>(index));
  by_id.SortLikeJavaScript();
  std::vector<CaseIndex> cases;
  cases.reserve(by_id.size());
  for (const Member& member : by_id) cases.push_back(static_cast<CaseIndex>(member.value.AsNumber()));
  return cases;
}

std::vector<std::string> EffectiveModels(const Suite& suite) {
  std::vector<std::string> ids;
  for (const Variant& variant : suite.variants) ids.push_back(variant.id);
  if (std::any_of(suite.cases.begin(), suite.cases.end(), HasIdeal)) ids.emplace_back(kIdealBenchmark);
  std::sort(ids.begin(), ids.end(), [](const auto& a, const auto& b) { return CompareUtf16(a, b) < 0; });
  return ids;
}

std::optional<double> MeanScore(const Pair& pair) {
  const std::optional<double> mean = pair.counted_mean();
  return mean ? std::optional<double>(RoundToFixed(*mean, kScoreDigits)) : std::nullopt;
}

// What repeats add to an entry; nothing for a single attempt.
void AppendSpread(Map& map, const Suite& suite, const Pair& pair) {
  if (suite.attempts < 2) return;
  map.Append("sampleCount", static_cast<double>(pair.counted.size()));
  if (const auto deviation = SampleStandardDeviation(pair.counted)) map.Append("stdDev", *deviation);
}

Value ErrorEntry(const Suite& suite, const Pair& pair) {
  Map map;
  map.Append("error",
             CoverageFailure(GenerationFailure(pair.shown.transcript, suite.variants[pair.variant].id)));
  const std::string& error_class = pair.shown.transcript.error_class;
  if (suite.compat != Compat::kWeval && !error_class.empty()) map.Append("errorClass", error_class);
  return map;
}

// The points of a pair, in the order of result files: those of its case, or the key points of its own.
std::vector<PointPlace> PlacesOf(const std::vector<PointPlace>& order, const Pair& pair) {
  return pair.case_with_key_points ? PointOrder(*pair.case_with_key_points) : order;
}

// An answer that could not be graded; the original leaves it out, as if it were not there.
Value UngradedEntry(const Suite& suite, const Pair& pair) {
  if (suite.compat == Compat::kWeval) return {};
  Map map;
  map.Append("error", pair.shown.grading_error);
  return map;
}

PointResult ResultOf(const Pair& pair, CheckIndex check) {
  return {&pair.shown.scores[check], pair.points[check]};
}

Value MessageValue(std::string_view role, std::string_view content) {
  Map map;
  map.Append("role", role);
  map.Append("content", content);
  return map;
}

}  // namespace

FileFrame::FileFrame(const Report& the_report)
    : report(the_report),
      suite(*the_report.suite),
      cases(CasesInKeyOrder(suite)),
      effective_models(EffectiveModels(suite)),
      pairs(static_cast<std::uint64_t>(cases.size()) * suite.variants.size()) {
  const Value& methods = Detail(suite.details, "evalMethodsUsed");
  if (!methods.is_list()) return;
  for (const Value& method : methods.AsList()) {
    judges_coverage = judges_coverage || (method.is_string() && method.AsString() == "llm-coverage");
  }
}

bool HasIdeal(const Case& the_case) { return the_case.ideal && !the_case.ideal->empty(); }

const Value& Detail(const Value& map, std::string_view key) {
  const Value* found = map.Find(key);
  return found != nullptr ? *found : kUndefined;
}

const Value& KeptPromptOf(const Suite& suite, const Case& the_case) {
  const Value& prompts = Detail(Detail(suite.details, "config"), "prompts");
  const Value& index = Detail(the_case.details, "promptIndex");
  if (!prompts.is_list() || !index.is_number()) return kUndefined;
  const auto at = static_cast<std::size_t>(index.AsNumber());
  return at < prompts.AsList().size() ? prompts.AsList()[at] : kUndefined;
}

std::optional<std::string> SystemPromptOf(const Case& the_case, const Variant& variant) {
  switch (the_case.system->kind) {
    case SystemOverride::Kind::kInherit:
      return variant.system;
    case SystemOverride::Kind::kNone:
      return std::nullopt;
    case SystemOverride::Kind::kText:
      return the_case.system->text;
  }
  return variant.system;
}

Value CoverageEntry(const Suite& suite, const std::vector<PointPlace>& order, const Pair& pair) {
  if (!pair.answered()) return ErrorEntry(suite, pair);
  if (!pair.shown.grading_error.empty()) return UngradedEntry(suite, pair);
  const Case& the_case = pair.GradedCase(suite);
  const std::vector<PointPlace> places = PlacesOf(order, pair);
  List points;
  for (const PointPlace& place : places) {
    points.push_back(
        PointAssessment(suite, the_case.checks[place.check], place.path_id, ResultOf(pair, place.check)));
  }
  Map map;
  map.Append("keyPointsCount", static_cast<double>(places.size()));
  if (const auto mean = MeanScore(pair)) map.Append("avgCoverageExtent", *mean);
  AppendSpread(map, suite, pair);
  map.Append("pointAssessments", std::move(points));
  const Value& agreement = Detail(pair.shown.details, kJudgeAgreement);
  if (!agreement.is_undefined()) map.Append(std::string(kJudgeAgreement), agreement);
  return map;
}

Value CoreCoverageEntry(const Suite& suite, const std::vector<PointPlace>& order, const Pair& pair) {
  if (!pair.answered()) return ErrorEntry(suite, pair);
  if (!pair.shown.grading_error.empty()) return UngradedEntry(suite, pair);
  const Case& the_case = pair.GradedCase(suite);
  const std::vector<PointPlace> places = PlacesOf(order, pair);
  Map map;
  if (const auto mean = MeanScore(pair)) map.Append("avgCoverageExtent", *mean);
  map.Append("keyPointsCount", static_cast<double>(places.size()));
  AppendSpread(map, suite, pair);
  const Value& agreement = Detail(pair.shown.details, kJudgeAgreement);
  if (!agreement.is_undefined()) map.Append(std::string(kJudgeAgreement), agreement);
  List points;
  for (const PointPlace& place : places) {
    points.push_back(
        CorePointAssessment(the_case.checks[place.check], place.path_id, ResultOf(pair, place.check)));
  }
  map.Append("pointAssessments", std::move(points));
  return map;
}

Value HistoryOf(const Suite& suite, const Pair& pair) {
  const Transcript& transcript = pair.shown.transcript;
  List history;
  if (pair.answered()) {
    for (const Message& message : transcript.history) {
      history.push_back(MessageValue(RoleName(message.role), message.text));
    }
    const bool was_stood_in_for = !transcript.answered_by.empty() && !history.empty();
    if (was_stood_in_for) history.back().AsMap().Append("answeredBy", transcript.answered_by);
    return history;
  }
  const Case& the_case = suite.cases[pair.case_index];
  const std::optional<std::string> system = SystemPromptOf(the_case, suite.variants[pair.variant]);
  if (system && !system->empty()) history.push_back(MessageValue(RoleName(Role::kSystem), *system));
  for (const Turn& turn : the_case.turns) {
    if (turn.kind == TurnKind::kText) history.push_back(MessageValue(RoleName(turn.role), turn.text));
  }
  history.push_back(MessageValue(RoleName(Role::kAssistant), AnswerOf(suite, pair)));
  return history;
}

std::string AnswerOf(const Suite& suite, const Pair& pair) {
  const Transcript& transcript = pair.shown.transcript;
  return pair.answered() ? transcript.answer : FailedAnswerText(transcript, suite.variants[pair.variant].id);
}

}  // namespace assay::blueprint
