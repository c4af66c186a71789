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

namespace assay {

namespace {

Value ItemValues(const std::vector<ScoreItem>& items) {
  List values;
  for (const ScoreItem& item : items) {
    Map value;
    value.Append("wanted", TextOrNull(item.wanted));
    value.Append("found", TextOrNull(FoundText(item)));
    value.Append("note", TextOrNull(item.sentence));
    const bool has_points = !item.is_alone() && !item.is_remark();
    value.Append("share", item.is_alone() ? Value(Null{}) : NumberOrNull(item.share));
    value.Append("points", has_points ? NumberOrNull(item.points) : Value(Null{}));
    value.Append("weight", has_points ? NumberOrNull(item.weight) : Value(Null{}));
    value.Append("program", TextOrNull(item.program));
    values.emplace_back(std::move(value));
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
  constexpr std::size_t kMembersMax = 18;  // with what others add
  Map point;
  point.Reserve(kMembersMax);
  point.Append("kind", check.kind);
  point.Append("text", check.text);
  point.Append("not", check.invert);
  point.Append("weight", check.weight);
  point.Append("state", ScoreStateName(score.state));
  point.Append("score", score.state == ScoreState::kScored ? NumberOrNull(score.value) : Value(Null{}));
  point.Append("max", NumberOrNull(score.max));
  if (!score.metric.empty()) point.Append("metric", score.metric);
  point.Append("reason", TextOrNull(score.explanation));
  point.Append("error", TextOrNull(score.error));
  List votes;
  for (const Evidence& voice : score.evidence) {
    Map vote;
    vote.Append("judge", voice.source);
    vote.Append("score", NumberOrNull(voice.value));
    vote.Append("reason", TextOrNull(voice.text));
    if (!voice.votes.empty()) {
      List each;
      for (const double value : voice.votes) each.push_back(NumberOrNull(value));
      vote.Append("each", std::move(each));
    }
    if (voice.against > 0) vote.Append("against", static_cast<double>(voice.against));
    if (voice.repaired) vote.Append("repaired", true);
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

Value PointInFull(const Check& check, const Score& score) {
  Map point = PointMap(check, score);
  point.Append("items", ItemValues(score.items));
  point.Append("citation", TextOrNull(CitationText(check.citation)));
  return point;
}

}  // namespace assay
