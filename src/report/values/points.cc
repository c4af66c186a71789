// Builds one JSON object for each check of a cell, with its votes and items.
#include "report/values/points.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/fold/cell_counts.h"
#include "report/values/json.h"
#include "spec/score/graded_case.h"
#include "spec/score/item_words.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/object.h"

namespace assay {

namespace {

Value ItemValues(const std::vector<ScoreItem>& items) {
  List values;
  for (const ScoreItem& item : items) {
    const bool has_points = !item.is_alone() && !item.is_remark();
    values.emplace_back(Object{{"wanted", TextOrNull(item.wanted)},
                               {"found", TextOrNull(FoundText(item))},
                               {"note", TextOrNull(item.sentence)},
                               {"share", item.is_alone() ? Value(Null{}) : NumberOrNull(item.share)},
                               {"points", has_points ? NumberOrNull(item.points) : Value(Null{})},
                               {"weight", has_points ? NumberOrNull(item.weight) : Value(Null{})},
                               {"program", TextOrNull(item.program)}});
  }
  return Value(std::move(values));
}

}  // namespace

const Case& CheckedCase(const Suite& suite, const Cell& cell, Case& extracted) {
  const Case& the_case = suite.cases[cell.case_index];
  if (cell.record.key_points.empty()) return the_case;
  extracted = WithKeyPoints(the_case, cell.record.key_points);
  return extracted;
}

std::string CitationText(const Value& citation) {
  if (citation.is_string()) return citation.AsString();
  std::string text;
  for (const std::string_view key : {"title", "name", "url"}) {
    if (const std::string* part = FindText(citation, key))
      text += fmt::format("{}{}", text.empty() ? "" : ", ", *part);
  }
  return text;
}

Map PointMap(const Check& check, const Score& score) {
  constexpr std::size_t kMembersMax = 19;  // with what others add
  Map point;
  point.Reserve(kMembersMax);
  Extend(point, {{"kind", check.kind},
                 {"text", check.text},
                 {"not", check.invert},
                 {"weight", check.weight},
                 {"state", ScoreStateName(score.state)},
                 {"score", score.state == ScoreState::kScored ? NumberOrNull(score.value) : Value(Null{})},
                 {"max", NumberOrNull(score.max)},
                 {"metric", UnlessEmpty(score.metric)},
                 {"no_answer_found", When(score.found_nothing, true)},
                 {"reason", TextOrNull(score.explanation)},
                 {"error", TextOrNull(score.error)}});
  List votes;
  for (const Evidence& voice : score.evidence) {
    Map vote = Object{
        {"judge", voice.source}, {"score", NumberOrNull(voice.value)}, {"reason", TextOrNull(voice.text)}};
    if (!voice.votes.empty()) {
      vote.Append("each", ArrayOf(voice.votes, NumberOrNull));
    }
    Extend(vote,
           {{"against", When(voice.against > 0, voice.against)}, {"repaired", When(voice.repaired, true)}});
    votes.emplace_back(std::move(vote));
  }
  point.Append("votes", std::move(votes));
  return point;
}

Value PointsValue(const Suite& suite, const Cell& cell) {
  Case extracted;
  const Case& the_case = CheckedCase(suite, cell, extracted);
  List points;
  for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case.checks.size()); ++i) {
    points.emplace_back(PointMap(the_case.checks[i], cell.record.scores[i]));
  }
  return Value(std::move(points));
}

Map PointInFull(const Check& check, const Score& score) {
  Map point = PointMap(check, score);
  Extend(point, {{"items", ItemValues(score.items)}, {"citation", TextOrNull(CitationText(check.citation))}});
  return point;
}

}  // namespace assay
