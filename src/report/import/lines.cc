// Imports assay's own lines (docs/formats/jsonl.md), one JSON object for each attempt.
#include <algorithm>
#include <set>
#include <utility>

#include "base/limits.h"
#include "report/decide/groups/group_tables.h"
#include "report/import/import.h"
#include "report/import/import_builder.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/variant.h"
#include "text/found.h"
#include "text/json/json.h"

namespace assay {

namespace {

CellState StateNamed(std::string_view name) {
  if (name == "scored") return CellState::kScored;
  if (name == "partial") return CellState::kPartial;
  if (name == "error") return CellState::kError;
  return name == "skipped" ? CellState::kSkipped : CellState::kUnscored;
}

Case OwnCase(const Value& line) {
  Case the_case;
  List asked = line.ListAt("messages");
  // The last answer is the model's own.
  if (!asked.empty() && asked.back().TextAt("role") == "assistant") asked.pop_back();
  the_case.turns = TurnsOf(Value(std::move(asked)));
  if (const std::string ideal = line.TextAt("ideal"); !ideal.empty()) the_case.ideal = ideal;
  for (const Value& tag : line.ListAt("tags")) {
    if (tag.is_string()) the_case.tags.edit().push_back(tag.AsString());
  }
  for (std::size_t d = 0; d < limits::kGroupsMax; ++d) {
    the_case.groups.edit().push_back(line.TextAt(DimensionName(d)));
  }
  while (!the_case.groups->empty() && the_case.groups->back().empty()) the_case.groups.edit().pop_back();
  the_case.cluster = line.TextAt("cluster");
  for (const Value& point : line.ListAt("points")) {
    Check& check = the_case.checks.emplace_back();
    check.id = std::to_string(the_case.checks.size());
    check.kind = point.TextAt("kind");
    check.text = point.TextAt("text");
    check.weight = ScoreAt(point, "weight").value_or(1);
    check.invert = ScoreAt(point, "not").value_or(0) != 0;
  }
  return the_case;
}

using LinesJudgeNames = std::set<std::string>;

// Who judged a point, by the names of the votes.
Status AddLinesJudges(const Value& line, LinesJudgeNames& known, ImportBuilder& builder) {
  for (const Value& point : line.ListAt("points")) {
    for (const Value& vote : point.ListAt("votes")) {
      std::string name = vote.TextAt("judge");
      if (name.empty() || !known.insert(name).second) continue;
      ASSAY_CHECK_OK(builder.budget().Keep(2 * (sizeof(Judge) + name.size())));
      builder.suite().judges.emplace_back().label = std::move(name);
    }
  }
  return Ok();
}

Score OwnScore(const Value& point) {
  const std::optional<double> number = ScoreAt(point, "score");
  Score score = number ? Score::Of(*number) : Score{};
  score.max = ScoreAt(point, "max").value_or(1);
  score.explanation = point.TextAt("reason");
  score.error = point.TextAt("error");
  const std::string state = point.TextAt("state");
  if (state == "error") score.state = ScoreState::kError;
  if (state == "missing") score.state = ScoreState::kMissing;
  return score;
}

Cell OwnCell(const Value& line, std::size_t checks) {
  Cell cell = CellOfScore(ScoreAt(line, "score"));
  cell.state = StateNamed(line.TextAt("state"));
  Transcript& transcript = cell.record.transcript;
  transcript.answer = line.TextAt("answer");
  const bool has_answer = FindText(line, "answer") != nullptr;
  (has_answer ? cell.record.grading_error : transcript.error) = line.TextAt("error");
  transcript.error_class = line.TextAt("error_class");
  if (const Value* messages = line.Find("messages"); messages != nullptr) {
    std::vector<Message> history;
    for (const Turn& turn : TurnsOf(*messages)) {
      if (turn.kind == TurnKind::kText) history.push_back({.role = turn.role, .text = turn.text});
    }
    const auto answers = std::count_if(history.begin(), history.end(), [](const Message& message) {
      return message.role == Role::kAssistant;
    });
    // Of a single answer `answer` says all.
    if (answers > 1) transcript.history = std::move(history);
  }
  if (const List* points = FindList(line, "points"); has_answer && points != nullptr) {
    for (const Value& point : *points) cell.record.scores.push_back(OwnScore(point));
    cell.record.scores.resize(checks);
  }
  return cell;
}

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadOwnLines(const SharedBytes& bytes, const ImportAsk& ask) {
  ImportBuilder builder("jsonl", ImportBudget(bytes->size_bytes()));
  LinesJudgeNames judges;
  ASSAY_CHECK_OK(ForEachJsonLine(*bytes, builder.budget(), [&](const Value& line) -> Status {
    if (builder.suite().id.empty()) builder.suite().id = builder.suite().title = line.TextAt("suite");
    std::string digest = line.TextAt("digest");
    const CaseIndex index =
        builder.CaseOf({.label = line.TextAt("case"), .asked = digest}, [&line] { return OwnCase(line); });
    if (!digest.empty()) builder.SetDigest(index, std::move(digest));
    const VariantIndex variant = builder.VariantOf(line.TextAt("variant"), line.TextAt("model"));
    ASSAY_CHECK_OK(AddLinesJudges(line, judges, builder));
    return builder.Add(index, variant, OwnCell(line, builder.suite().cases[index].checks.size()));
  }));
  return builder.Finish(ask.name);
}

}  // namespace assay
