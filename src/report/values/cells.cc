// Builds one JSON object for each attempt.
#include "report/values/cells.h"

#include "report/fold/cell_counts.h"
#include "report/values/failures.h"
#include "report/values/held_bytes.h"
#include "report/values/json.h"
#include "report/values/points.h"
#include "report/values/traces.h"
#include "report/values/words/served.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {

namespace {

void AppendSent(const SentOfCase& sent, std::pair<VariantIndex, AttemptIndex> at, const Pair& alone,
                Map& cell) {
  const auto found = sent.find(at);
  if (found != sent.end() && !IsSaidIn(found->second, alone.shown->transcript))
    cell.Append("sent", SentValue(found->second));
}

Value PointsInFull(const Case& graded, const AttemptRecord& record) {
  List points;
  for (std::size_t i = 0; i < record.scores.size(); ++i)
    points.emplace_back(PointInFull(graded.checks[i], record.scores[i]));
  return points;
}

}  // namespace

Map AttemptMap(AttemptIndex attempt, const Pair& alone, const Suite& suite, AttemptWords words) {
  const bool has_words = words == AttemptWords::kTold;
  const AttemptRecord& record = *alone.shown;
  constexpr std::size_t kMembersMax = 32;  // with what the page adds
  Map cell;
  cell.Reserve(kMembersMax);
  Extend(cell,
         {{"case", suite.cases[alone.case_index].id},
          {"variant", suite.variants[alone.variant].id},
          {"attempt", attempt + 1},
          {"state", CellStateName(alone.state)},
          {"score", NumberOrNull(alone.mean())},
          {"missing", alone.missing},
          {"answered_by", TextOrNull(AnsweredBy(record))},
          {"served", !record.served.empty() ? ServedValue(record) : Value()},
          {"cut", record.transcript.is_cut},
          {"answer", has_words && alone.answered() ? Value(record.transcript.SubjectText()) : Value(Null{})},
          {"reasoning", has_words ? TextOrNull(ThoughtsOf(record.transcript)) : Value(Null{})},
          {"citations", UnlessEmpty(record.transcript.citations)},
          {"error_class", TextOrNull(record.transcript.error_class)},
          {"error", TextOrNull(alone.answered() ? record.grading_error : record.transcript.error)}});
  return cell;
}

Value ServedValue(const AttemptRecord& record) {
  return ArrayOf(record.served, [&](const ServedAs& served) {
    return Object{{"role", RequestRoleName(served.role)},  {"asked", served.by.asked},
                  {"model", TextOrNull(served.by.model)},  {"fingerprint", TextOrNull(served.by.fingerprint)},
                  {"provider", TextOrNull(served.by.via)}, {"is_other", served.by.is_other}};
  });
}

std::string ThoughtsOf(const Transcript& transcript) {
  std::string text;
  for (const std::string& thoughts : transcript.generated_reasoning) {
    if (!thoughts.empty()) text += (text.empty() ? "" : "\n\n") + thoughts;
  }
  return text;
}

Value UsageValue(const Usage& usage) {
  return Object{{"input_tokens", Number(usage.input_tokens)}, {"output_tokens", Number(usage.output_tokens)}};
}

Value UsageByRoleValue(const UsageByRole& usage) {
  Map roles;
  for (const auto& [role, used] : usage.parts())
    roles.Append(std::string(RequestRoleName(role)), UsageValue(used));
  return roles;
}

Result<Value> CellsValue(const Report& report, CaseIndex index, const CellChoice& choice) {
  List cells;
  GatheredBytes gathered(report.suite->cases[index].id);
  const CellRange range = CellRange::OfCase(index);
  ASSAY_CHECK_OK(
      ForEachAttemptIn(report, range, CellParts::kAll, [&](AttemptIndex attempt, const Pair& alone) {
        if (choice.variant && alone.variant != *choice.variant) return Ok();
        if (choice.only_failed && PairPassed(alone, *report.suite, choice.pass)) return Ok();
        Map cell = AttemptMap(attempt, alone, *report.suite, AttemptWords::kTold);
        Extend(cell, {{"points", PointsInFull(alone.GradedCase(*report.suite), *alone.shown)},
                      {"trace", TraceValue(alone.shown->transcript.told)}});
        if (choice.sent != nullptr) AppendSent(*choice.sent, {alone.variant, attempt}, alone, cell);
        cells.emplace_back(std::move(cell));
        return gathered.Add(HeldBytes(cells.back()));
      }));
  return Value(std::move(cells));
}

}  // namespace assay
