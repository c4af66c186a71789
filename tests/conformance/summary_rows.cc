// Golden rows of names in result files, and of executive summaries.
#include <fmt/core.h>

#include "dialects/blueprint/lower/model_names.h"
#include "dialects/blueprint/summary/names.h"
#include "dialects/blueprint/summary/reply.h"
#include "dialects/blueprint/write/names.h"
#include "dialects/blueprint/write/sentences.h"
#include "plan/plan.h"
#include "spec/run/worker_state.h"
#include "spec/suite/suite.h"
#include "tests/conformance/conformance.h"
#include "tests/support/drive.h"
#include "text/javascript/number.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

using blueprint::OpaqueNames;

// The original stamps texts; assay only ever stamps a clock's time.
void RunSafeTimestamp(const Value& row, Outcome& outcome) {
  WorkerState worker;
  const ScriptOutcome ms = worker.Script().Eval("new Date(iso).getTime()", {{"iso", Get(row, "iso")}});
  if (!ms.value.is_number() || !(ms.value.AsNumber() == ms.value.AsNumber())) {
    outcome.Skip("deliberate deviation: a run is stamped by a clock, never by a text that is no time");
    return;
  }
  outcome.Same("timestamp", Get(row, "result"),
               blueprint::SafeTimestamp(static_cast<std::int64_t>(ms.value.AsNumber())));
}

void RunParseModelId(const Value& row, Outcome& outcome) {
  const std::string id = GetText(row, "id");
  const blueprint::ModelName name = blueprint::ParseModelName(id);
  Map got;
  got.Append("baseId", name.base);
  got.Append("displayName", name.base);
  if (!name.system_hash.empty()) got.Append("systemPromptHash", name.system_hash);
  if (name.temperature) got.Append("temperature", *name.temperature);
  if (name.system_index) got.Append("systemPromptIndex", *name.system_index);
  got.Append("fullId", id);
  if (!name.maker.empty()) got.Append("maker", name.maker);
  outcome.Same("name", Get(row, "result"), got);
}

// Whether an answer with this text counts as none.
void RunCheckErrors(const Value& row, Outcome& outcome) {
  Suite suite;
  suite.error_marker = blueprint::AnswerErrorMarker();
  suite.variants.emplace_back();
  Case& the_case = suite.cases.emplace_back();
  the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = "hi", .span = {}},
                    {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}};
  Diagnostics diagnostics;
  const auto plan = Plan::Build(std::move(suite), {}, diagnostics);
  WorkerState worker;
  const auto answer = [&](const ModelRequest&, const RequestTag&) -> Result<ModelReply> {
    ModelReply reply;
    reply.text = GetText(row, "text");
    return reply;
  };
  const AttemptRecord record = DriveCell(*plan, {}, answer, worker);
  outcome.Same("is an error", Get(row, "result"), Value(!record.transcript.error.empty()));
}

void RunConfigFolder(const Value& row, Outcome& outcome) {
  outcome.Same("folder", Get(row, "result"), Value(blueprint::SummaryFolder(GetText(row, "id"))));
}

Value NumberOrNull(const std::optional<double>& number) { return number ? Value(*number) : Value(Null{}); }

void RunExtractScore(const Value& row, Outcome& outcome) {
  outcome.Same("score", Get(row, "result"), NumberOrNull(blueprint::GradeNumber(GetText(row, "input"))));
}

void RunGradeContent(const Value& row, Outcome& outcome) {
  const blueprint::Grade grade = blueprint::ParseGrade(GetText(row, "input"));
  Map got;
  got.Append("score", NumberOrNull(grade.score));
  got.Append("reasoning", grade.reasoning);
  outcome.Same("grade", Get(row, "result"), got);
}

OpaqueNames NamesOf(const Value& row) {
  std::vector<std::string> ids;
  for (const Value& id : Get(row, "models").AsList()) ids.push_back(id.AsString());
  return OpaqueNames(ids);
}

template <class T>
Value Listed(const std::vector<T>& items, std::string (*id_of)(std::size_t)) {
  Map map;
  for (std::size_t i = 0; i < items.size(); ++i) map.Append(id_of(i), items[i]);
  return map;
}

void RunAnonymization(const Value& row, Outcome& outcome) {
  const OpaqueNames names = NamesOf(row);
  Map by_id;
  for (const OpaqueNames::Entry& entry : names.entries()) {
    Map one;
    one.Append("realId", entry.variant_id);
    one.Append("maker", entry.maker);
    one.Append("model", entry.model);
    if (!entry.system.empty()) one.Append("sys", entry.system);
    if (!entry.temperature.empty()) one.Append("temp", entry.temperature);
    by_id.Set(entry.variant_id, std::move(one));
  }
  const List want = {Get(row, "realToAnonymized"), Get(row, "makers"), Get(row, "modelsMap"), Get(row, "sys"),
                     Get(row, "temps")};
  const List got = {by_id, Listed(names.makers(), OpaqueNames::MakerId),
                    Listed(names.models(), OpaqueNames::ModelId),
                    Listed(names.systems(), OpaqueNames::SystemId),
                    Listed(names.temperatures(), OpaqueNames::TemperatureId)};
  outcome.Same("names", want, got);
}

void RunStructuredSummary(const Value& row, Outcome& outcome) {
  outcome.Same("summary", Get(row, "result"), blueprint::ParseSummary(GetText(row, "input"), NamesOf(row)));
}

constexpr KindRow kSummaryKinds[] = {
    {"blueprint/misc_utils.jsonl", "safe_timestamp", RunSafeTimestamp},
    {"blueprint/misc_utils.jsonl", "parse_model_id", RunParseModelId},
    {"blueprint/misc_utils.jsonl", "check_errors", RunCheckErrors},
    {"blueprint/load_cases.jsonl", "config_base_path", RunConfigFolder},
    {"blueprint/summary_parse.jsonl", "extract_score", RunExtractScore},
    {"blueprint/summary_parse.jsonl", "grade_content", RunGradeContent},
    {"blueprint/summary_parse.jsonl", "anonymization", RunAnonymization},
    {"blueprint/summary_parse.jsonl", "structured_summary", RunStructuredSummary},
};

}  // namespace

std::span<const KindRow> SummaryKinds() { return kSummaryKinds; }

}  // namespace assay::conformance
