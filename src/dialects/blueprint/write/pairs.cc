// Builds the entries that result files hold for a pair: its response, coverage, errors and spread over
// attempts.
#include "dialects/blueprint/write/pairs.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/text/utf8.h"
#include "dialects/blueprint/write/sentences.h"
#include "spec/report/statistics.h"
#include "spec/score/item_words.h"
#include "spec/suite/suite.h"
#include "text/javascript/number.h"
#include "text/javascript/own_keys.h"

namespace assay::blueprint {
namespace {

constexpr int kScoreDigits = 2;

const Value kUndefined;

// By their ids, those of one id in the suite's order.
std::vector<CaseIndex> CasesById(const Suite& suite) {
  std::vector<CaseIndex> cases(suite.cases.size());
  std::iota(cases.begin(), cases.end(), 0u);
  std::stable_sort(cases.begin(), cases.end(), [&suite](CaseIndex a, CaseIndex b) {
    const std::string& id = suite.cases[a].id;
    const std::string& other = suite.cases[b].id;
    const int order = CompareUtf16(id, other);
    return order != 0 ? order < 0 : id < other;  // ill-formed ones may differ and compare equal
  });
  return cases;
}

// JavaScript's own-key order of their ids.
std::vector<CaseIndex> InKeyOrder(const Suite& suite, std::vector<CaseIndex> cases) {
  const auto index_of = [&suite](CaseIndex each) { return ArrayIndex(suite.cases[each].id); };
  const auto others = std::stable_partition(cases.begin(), cases.end(),
                                            [&](CaseIndex each) { return index_of(each).has_value(); });
  std::sort(cases.begin(), others, [&](CaseIndex a, CaseIndex b) { return index_of(a) < index_of(b); });
  return cases;
}

// Those that answered a case of the files, and the ideals'.
std::vector<std::string> EffectiveModels(const FileFrame& frame) {
  const Suite& suite = frame.suite;
  std::vector<std::string> ids;
  for (VariantIndex i = 0; i < suite.variants.size(); ++i) {
    if (LastCaseOf(frame, i)) ids.push_back(suite.variants[i].id);
  }
  if (std::any_of(suite.cases.begin(), suite.cases.end(), HasIdeal)) ids.emplace_back(kIdealBenchmark);
  std::sort(ids.begin(), ids.end(), [](const auto& a, const auto& b) { return CompareUtf16(a, b) < 0; });
  return ids;
}

// What repeats add to an entry; nothing for a single attempt.
void WriteSpread(const Suite& suite, const Pair& pair, JsonStream& json) {
  if (suite.attempts < 2) return;
  json.Number("sampleCount", static_cast<double>(pair.counted.size()));
  if (const auto deviation = SampleStandardDeviation(pair.counted)) json.Number("stdDev", *deviation);
}

void WriteScore(const Pair& pair, JsonStream& json) {
  if (const std::optional<double> score = CoverageScoreOf(pair)) json.Number("avgCoverageExtent", *score);
}

void WriteAgreement(const Pair& pair, JsonStream& json) {
  json.Member(kJudgeAgreement, Detail(pair.shown->details, kJudgeAgreement));
}

// What stands in the place of points that there are not.
void WriteCoverageError(const Suite& suite, const Pair& pair, JsonStream& json) {
  json.Text("error", CoverageErrorOf(suite, pair));
  const std::string& error_class = pair.shown->transcript.error_class;
  if (!pair.answered() && suite.compat != Compat::kWeval && !error_class.empty())
    json.Text("errorClass", error_class);
}

// The points of a pair, in the order of result files: those of its case, or the key points of its own.
std::vector<PointPlace> PlacesOf(const std::vector<PointPlace>& order, const Pair& pair) {
  return pair.case_with_key_points ? PointOrder(*pair.case_with_key_points) : order;
}

PointResult ResultOf(const Pair& pair, CheckIndex check) {
  return {&pair.shown->scores[check], pair.points[check]};
}

// An entry: what `members` writes of its points, in the order of its file, or why there are none.
template <class Members>
void WriteEntry(const Suite& suite, const std::vector<PointPlace>& order, const Pair& pair, JsonStream& json,
                const Members& members) {
  json.OpenMap();
  if (pair.answered() && pair.shown->grading_error.empty()) {
    members(PlacesOf(order, pair));
  } else {
    WriteCoverageError(suite, pair, json);
  }
  json.Close();
}

// Each by `write`, as its file keeps it.
template <class Write>
void WritePoints(const Suite& suite, const std::vector<PointPlace>& places, const Pair& pair,
                 JsonStream& json, const Write& write) {
  const Case& the_case = pair.GradedCase(suite);
  json.Key("pointAssessments");
  json.OpenList();
  for (const PointPlace& place : places) write(place, the_case.checks[place.check]);
  json.Close();
}

void WriteMessage(std::string_view role, std::string_view content, std::string_view answered_by,
                  JsonStream& json) {
  json.OpenMap();
  json.Text("role", role);
  json.Text("content", content);
  if (!answered_by.empty()) json.Text("answeredBy", answered_by);
  json.Close();
}

// Of a failed generation what was to be said, then the failure.
void WriteFailedHistory(const Suite& suite, const Pair& pair, JsonStream& json) {
  const Case& the_case = suite.cases[pair.case_index];
  const std::optional<std::string> system = SystemPromptOf(the_case, suite.variants[pair.variant]);
  if (system && !system->empty()) WriteMessage(RoleName(Role::kSystem), *system, {}, json);
  for (const Turn& turn : the_case.turns) {
    if (turn.kind == TurnKind::kText) WriteMessage(RoleName(turn.role), turn.text, {}, json);
  }
  WriteMessage(RoleName(Role::kAssistant), AnswerOf(suite, pair), {}, json);
}

}  // namespace

FileFrame::FileFrame(const Report& the_report) : report(the_report), suite(*the_report.suite) {
  // Of several cases with one id the last counts, at the place of the first; the answers to the others are
  // dropped.
  constexpr CaseIndex kDropped = std::numeric_limits<CaseIndex>::max();
  const std::vector<CaseIndex> sorted = CasesById(suite);
  std::vector<CaseIndex> counting(sorted.size(), kDropped);  // by the place in the suite
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t next = first + 1;
    while (next < sorted.size() && suite.cases[sorted[next]].id == suite.cases[sorted[first]].id) ++next;
    counting[sorted[first]] = sorted[next - 1];
    cases_by_id.push_back(sorted[next - 1]);
    first = next;
  }
  std::erase(counting, kDropped);
  cases_in_order = counting;
  cases = InKeyOrder(suite, std::move(counting));
  effective_models = EffectiveModels(*this);
  pairs = static_cast<std::uint64_t>(cases.size()) * suite.variants.size();
  const Value& methods = Detail(suite.details, "evalMethodsUsed");
  if (!methods.is_list()) return;
  for (const Value& method : methods.AsList()) {
    judges_coverage = judges_coverage || (method.is_string() && method.AsString() == "llm-coverage");
  }
}

std::optional<CaseIndex> LastCaseOf(const FileFrame& frame, VariantIndex variant) {
  const std::vector<CaseIndex>& cases = frame.cases_in_order;
  const auto last = std::find_if(cases.rbegin(), cases.rend(),
                                 [&](CaseIndex i) { return frame.suite.cases[i].Asks(variant); });
  return last == cases.rend() ? std::nullopt : std::optional(*last);
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
  const double at = index.AsNumber();
  const bool is_there = at >= 0 && at < static_cast<double>(prompts.AsList().size());
  return is_there ? prompts.AsList()[static_cast<std::size_t>(at)] : kUndefined;
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

std::optional<double> CoverageScoreOf(const Pair& pair) {
  const std::optional<double> mean = pair.counted_mean();
  return mean ? std::optional<double>(RoundToFixed(*mean, kScoreDigits)) : std::nullopt;
}

std::string CoverageErrorOf(const Suite& suite, const Pair& pair) {
  if (pair.answered()) return pair.shown->grading_error;
  return CoverageFailure(GenerationFailure(pair.shown->transcript, suite.variants[pair.variant].id));
}

bool HasCoverage(const Suite& suite, const Pair& pair) {
  if (suite.compat != Compat::kWeval) return true;
  // Key points come before any answer: without them the prompt has no entry at all.
  const bool lacks_points =
      suite.cases[pair.case_index].extracts_key_points && pair.shown->key_points.empty();
  return pair.shown->grading_error.empty() && !lacks_points;
}

void WriteCoverage(const Suite& suite, const std::vector<PointPlace>& order, const Pair& pair,
                   JsonStream& json) {
  WriteEntry(suite, order, pair, json, [&](const std::vector<PointPlace>& places) {
    json.Number("keyPointsCount", static_cast<double>(places.size()));
    WriteScore(pair, json);
    WriteSpread(suite, pair, json);
    WritePoints(suite, places, pair, json, [&](const PointPlace& place, const Check& check) {
      WritePoint(suite, check, place.path_id, ResultOf(pair, place.check), json);
    });
    WriteAgreement(pair, json);
  });
}

void WriteCoreCoverage(const Suite& suite, const std::vector<PointPlace>& order, const Pair& pair,
                       JsonStream& json) {
  WriteEntry(suite, order, pair, json, [&](const std::vector<PointPlace>& places) {
    WriteScore(pair, json);
    json.Number("keyPointsCount", static_cast<double>(places.size()));
    WriteSpread(suite, pair, json);
    WriteAgreement(pair, json);
    WritePoints(suite, places, pair, json, [&](const PointPlace& place, const Check& check) {
      WriteCorePoint(check, place.path_id, ResultOf(pair, place.check), json);
    });
  });
}

void WriteHistory(const Suite& suite, const Pair& pair, JsonStream& json) {
  const Transcript& transcript = pair.shown->transcript;
  json.OpenList();
  if (pair.answered() || IsMarkedAsError(transcript)) {
    for (const Message& message : transcript.history) {
      const bool is_last = &message == &transcript.history.back();
      WriteMessage(RoleName(message.role), message.text,
                   is_last ? std::string_view(transcript.answered_by) : std::string_view(), json);
    }
  } else {
    WriteFailedHistory(suite, pair, json);
  }
  json.Close();
}

std::string AnswerOf(const Suite& suite, const Pair& pair) {
  const Transcript& transcript = pair.shown->transcript;
  return pair.answered() ? transcript.answer : FailedAnswerText(transcript, suite.variants[pair.variant].id);
}

}  // namespace assay::blueprint
