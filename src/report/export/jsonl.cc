// Exports one JSON object a line for each cell, with everything that is known of it (layout:
// docs/formats/jsonl.md).
#include <algorithm>
#include <optional>

#include "report/decide/comparison.h"
#include "report/decide/groups/group_tables.h"
#include "report/export/cells.h"
#include "report/export/kept_columns.h"
#include "report/values/cells.h"
#include "report/values/json.h"
#include "report/values/points.h"
#include "report/values/words/served.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

Value CellLine(const Report& report, const Cell& cell, const std::string& digest, const AnswerTook* took,
               const Value& parameters, const PassRule& pass, const std::vector<std::string>& kept) {
  const Suite& suite = *report.suite;
  const Case& the_case = suite.cases[cell.case_index];
  const Variant& variant = suite.variants[cell.variant];
  const Transcript& transcript = cell.record.transcript;
  const bool has_answer = cell.state != CellState::kSkipped && transcript.error.empty();
  Map line = Object{
      {"run", report.run.run_id},
      {"suite", suite.id},
      {"case", the_case.id},
      {"digest", digest},
      {"tags", ArrayOf(*the_case.tags)},
      {"variant", variant.id},
      {"model", variant.model_id},
      {"attempt", cell.attempt + 1},
      {"state", CellStateName(cell.state)},
      {"score", cell.state == CellState::kScored ? NumberOrNull(cell.score) : Value(Null{})},
      {"passed", cell.state == CellState::kScored ? Value(IsPassed(suite, cell, pass)) : Value(Null{})},
      {"messages", MessagesValue(transcript.history.empty() ? FixedTurns(the_case) : transcript.history)},
      {"ideal", OrNull(the_case.ideal)},
      {"answer", has_answer ? Value(transcript.SubjectText()) : Value(Null{})},
      {"answered_by", TextOrNull(AnsweredBy(cell.record))},
      {"served", ServedValue(cell.record)},
      {"cut", transcript.is_cut},
      {"error", TextOrNull(has_answer ? cell.record.grading_error : transcript.error)},
      {"error_class", TextOrNull(transcript.error_class)},
      {"points", PointsValue(suite, cell)},
      {"usage", UsageByRoleValue(cell.record.usage)},
      {"seconds", took == nullptr || !took->seconds ? Value(Null{}) : Value(*took->seconds)},
      {"cost_usd", took == nullptr || !took->usd ? Value(Null{}) : Value(*took->usd)},
      {"parameters", parameters}};
  for (std::size_t d = 0; d < std::max<std::size_t>(the_case.groups->size(), 1); ++d) {
    const bool is_named = d < the_case.groups->size();
    line.Append(DimensionName(d), is_named ? TextOrNull((*the_case.groups)[d]) : Value(Null{}));
  }
  Extend(line, {{"cluster", TextOrNull(*the_case.cluster)},
                {"skipped", IsLeftByDecision(report, cell) ? Value(kDecided) : Value(Null{})},
                {"stopped", TextOrNull(report.stopped)}});
  AppendKept(kept, the_case, line);
  return Value(std::move(line));
}

}  // namespace

Status ExportJsonl(const Report& report, const ExportAsk& ask, Sink& sink) {
  PieceWriter lines(sink);
  ASSAY_TRY(const AnswerUses uses, AnswerUses::Of(report, ask));
  List parameters;  // by variant
  for (const std::string& text : ParametersTexts(*report.suite))
    parameters.push_back(ParseJson(text).value_or(Value()));
  const std::vector<std::string> kept = KeptColumns(*report.suite);
  std::optional<CaseIndex> known;
  std::string digest;  // of that case
  ASSAY_CHECK_OK(report.for_each_cell(CellsOf(ask), CellParts::kAll, [&](const Cell& cell) {
    if (known != cell.case_index) digest = CaseDigest(report.suite->cases[cell.case_index]);
    known = cell.case_index;
    AppendJson(CellLine(report, cell, digest, uses.Find(cell), parameters[cell.variant], ask.pass, kept),
               JsonStyle::kJavaScript, lines.out());
    return lines.EndLine();
  }));
  return lines.Finish();
}

}  // namespace assay
