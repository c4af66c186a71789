// Exports one JSON object a line for each cell, with everything that is known of it (layout:
// docs/formats/jsonl.md).
#include <optional>

#include "report/decide/comparison.h"
#include "report/export/cells.h"
#include "report/values/cells.h"
#include "report/values/json.h"
#include "report/values/points.h"
#include "report/values/words/served.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"

namespace assay {

namespace {

Value CellLine(const Report& report, const Cell& cell, const std::string& digest, const AnswerTook* took,
               const Value& parameters, const PassRule& pass) {
  const Suite& suite = *report.suite;
  const Case& the_case = suite.cases[cell.case_index];
  const Variant& variant = suite.variants[cell.variant];
  const Transcript& transcript = cell.record.transcript;
  const bool has_answer = cell.state != CellState::kSkipped && transcript.error.empty();
  Map map;
  map.Append("run", report.run.run_id);
  map.Append("suite", suite.id);
  map.Append("case", the_case.id);
  map.Append("digest", digest);
  List tags;
  for (const std::string& tag : *the_case.tags) tags.emplace_back(tag);
  map.Append("tags", std::move(tags));
  map.Append("variant", variant.id);
  map.Append("model", variant.model_id);
  map.Append("attempt", static_cast<double>(cell.attempt + 1));
  map.Append("state", CellStateName(cell.state));
  map.Append("score", cell.state == CellState::kScored ? NumberOrNull(cell.score) : Value(Null{}));
  map.Append("passed", cell.state == CellState::kScored ? Value(IsPassed(suite, cell, pass)) : Value(Null{}));
  map.Append("messages",
             MessagesValue(transcript.history.empty() ? FixedTurns(the_case) : transcript.history));
  map.Append("ideal", the_case.ideal ? Value(*the_case.ideal) : Value(Null{}));
  map.Append("answer", has_answer ? Value(transcript.SubjectText()) : Value(Null{}));
  map.Append("answered_by", TextOrNull(AnsweredBy(cell.record)));
  map.Append("served", ServedValue(cell.record));
  map.Append("cut", transcript.is_cut);
  map.Append("error", TextOrNull(has_answer ? cell.record.grading_error : transcript.error));
  map.Append("error_class", TextOrNull(transcript.error_class));
  map.Append("points", PointsValue(suite, cell));
  map.Append("usage", UsageByRoleValue(cell.record.usage));
  map.Append("seconds", took == nullptr || !took->seconds ? Value(Null{}) : Value(*took->seconds));
  map.Append("cost_usd", took == nullptr || !took->usd ? Value(Null{}) : Value(*took->usd));
  map.Append("parameters", parameters);
  map.Append("group", TextOrNull(*the_case.cluster));
  return Value(std::move(map));
}

}  // namespace

Status ExportJsonl(const Report& report, const ExportAsk& ask, Sink& sink) {
  PieceWriter lines(sink);
  ASSAY_TRY(const AnswerUses uses, AnswerUses::Of(report, ask));
  List parameters;  // by variant
  for (const std::string& text : ParametersTexts(*report.suite))
    parameters.push_back(ParseJson(text).value_or(Value()));
  std::optional<CaseIndex> known;
  std::string digest;  // of that case
  ASSAY_CHECK_OK(report.for_each_cell(CellsOf(ask), CellParts::kAll, [&](const Cell& cell) {
    if (known != cell.case_index) digest = CaseDigest(report.suite->cases[cell.case_index]);
    known = cell.case_index;
    AppendJson(CellLine(report, cell, digest, uses.Find(cell), parameters[cell.variant], ask.pass),
               JsonStyle::kJavaScript, lines.out());
    return lines.EndLine();
  }));
  return lines.Finish();
}

}  // namespace assay
