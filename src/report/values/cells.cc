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

namespace assay {

namespace {

void AppendSent(const SentOfCase& sent, std::pair<VariantIndex, AttemptIndex> at, const Pair& alone,
                Map& cell) {
  const auto found = sent.find(at);
  if (found != sent.end() && !IsSaidIn(found->second, alone.shown->transcript))
    cell.Append("sent", SentValue(found->second));
}

}  // namespace

Map AttemptMap(AttemptIndex attempt, const Pair& alone, const Suite& suite, AttemptWords words) {
  const bool has_words = words == AttemptWords::kTold;
  const Case& the_case = alone.GradedCase(suite);
  const AttemptRecord& record = *alone.shown;
  constexpr std::size_t kMembersMax = 32;  // with what the page adds
  Map cell;
  cell.Reserve(kMembersMax);
  cell.Append("case", suite.cases[alone.case_index].id);
  cell.Append("variant", suite.variants[alone.variant].id);
  cell.Append("attempt", static_cast<double>(attempt + 1));
  cell.Append("state", CellStateName(alone.state));
  cell.Append("score", NumberOrNull(alone.mean()));
  cell.Append("missing", static_cast<double>(alone.missing));
  cell.Append("answered_by", TextOrNull(AnsweredBy(record)));
  if (!record.served.empty()) cell.Append("served", ServedValue(record));
  cell.Append("cut", record.transcript.is_cut);
  cell.Append("answer",
              has_words && alone.answered() ? Value(record.transcript.SubjectText()) : Value(Null{}));
  cell.Append("reasoning", has_words ? TextOrNull(ThoughtsOf(record.transcript)) : Value(Null{}));
  if (!record.transcript.citations.empty()) cell.Append("citations", record.transcript.citations);
  cell.Append("error_class", TextOrNull(record.transcript.error_class));
  cell.Append("error", TextOrNull(alone.answered() ? record.grading_error : record.transcript.error));
  List points;
  for (std::size_t i = 0; i < record.scores.size(); ++i)
    points.push_back(PointInFull(the_case.checks[i], record.scores[i]));
  cell.Append("points", std::move(points));
  cell.Append("trace", TraceValue(record.transcript.told));
  return cell;
}

Value ServedValue(const AttemptRecord& record) {
  List list;
  for (const ServedAs& served : record.served) {
    Map map;
    map.Append("role", RequestRoleName(served.role));
    map.Append("asked", served.by.asked);
    map.Append("model", TextOrNull(served.by.model));
    map.Append("fingerprint", TextOrNull(served.by.fingerprint));
    map.Append("provider", TextOrNull(served.by.via));
    map.Append("is_other", served.by.is_other);
    list.emplace_back(std::move(map));
  }
  return Value(std::move(list));
}

std::string ThoughtsOf(const Transcript& transcript) {
  std::string text;
  for (const std::string& thoughts : transcript.generated_reasoning) {
    if (!thoughts.empty()) text += (text.empty() ? "" : "\n\n") + thoughts;
  }
  return text;
}

Value UsageValue(const Usage& usage) {
  Map map;
  map.Append("input_tokens", static_cast<double>(usage.input_tokens));
  map.Append("output_tokens", static_cast<double>(usage.output_tokens));
  return map;
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
        Map cell = AttemptMap(attempt, alone, *report.suite);
        if (choice.sent != nullptr) AppendSent(*choice.sent, {alone.variant, attempt}, alone, cell);
        cells.emplace_back(std::move(cell));
        return gathered.Add(HeldBytes(cells.back()));
      }));
  return Value(std::move(cells));
}

}  // namespace assay
