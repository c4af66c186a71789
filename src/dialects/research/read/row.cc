// Fills in the members of a row in the original's order.
#include "dialects/research/read/row.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "dialects/research/research.h"
#include "dialects/research/write/results.h"
#include "spec/score/expectations.h"
#include "spec/suite/suite.h"
#include "spec/turn/turn_details.h"
#include "text/found.h"
#include "text/object.h"
#include "text/python/json.h"

namespace assay {

namespace research {

namespace {

constexpr std::string_view kExecutionFailed = "execution failed: ";
constexpr std::string_view kRowTimes[] = {"client_init_ms", "run_turn_ms",        "llm_total_ms",
                                          "tool_total_ms",  "local_ingestion_ms", "shortlist_ms"};
constexpr std::string_view kRowCounts[] = {"llm_calls", "tool_calls", "local_ingestion_calls",
                                           "shortlist_calls"};

Value Whole(std::int64_t number) { return Value(number); }

double TimingOf(const AttemptFacts& told, std::string_view name) {
  for (const auto& [known, ms] : told.timings_ms) {
    if (known == name) return ms;
  }
  return 0;
}

// Everything that the turn told, and what is derived of it.
struct TurnFacts {
  TurnDetails turn;
  std::string query;
  std::int64_t ended_us = 0;
};

TurnFacts FactsOfTurn(const AttemptFacts& facts) {
  TurnFacts told;
  if (!facts.details.is_map()) return told;
  if (const Value* turn = facts.details.Find("turn")) told.turn = DecodeTurnDetails(*turn);
  told.query = facts.details.TextAt("query");
  told.ended_us = static_cast<std::int64_t>(facts.details.NumberAt("ended_us").value_or(0));
  return told;
}

List Texts(const std::vector<std::string>& texts) { return ArrayOf(texts); }

// A model that was not told of is the configured one.
std::string_view AliasOf(const Suite& suite, const TurnDetails& turn, std::string_view role,
                         const Profile& profile) {
  if (role == kMainRole) return profile.model_alias;
  for (const auto& [known, alias] : turn.role_aliases) {
    if (known == role) return alias;
  }
  if (const std::string* alias = FindText(suite.details, role)) return *alias;
  return role == kAuditPlannerRole ? kAuditPlannerAlias : std::string_view();
}

Value TokensOf(std::string_view alias, const Usage& usage) {
  return Object{{"model_alias", alias},
                {"input_tokens", Whole(usage.input_tokens)},
                {"output_tokens", Whole(usage.output_tokens)},
                {"total_tokens", Whole(usage.input_tokens + usage.output_tokens)}};
}

// The three roles always, those that a program told beside them behind.
Value TokenUsage(const Suite& suite, const AttemptRecord& record, const TurnDetails& turn,
                 const Profile& profile) {
  const AttemptFacts& facts = record.transcript.told;
  Map map;
  for (const std::string_view role : kRoles)
    map.Append(std::string(role), TokensOf(AliasOf(suite, turn, role, profile), {}));
  for (const auto& [role, usage] : facts.usage_by_role)
    map.Set(role, TokensOf(AliasOf(suite, turn, role, profile), usage));
  if (const Usage judging = record.usage.OfJudging(); judging.known)
    map.Set("judge", TokensOf("judge", judging));
  return Value(std::move(map));
}

Value CallsOf(const std::vector<ToolCall>& calls) {
  return ArrayOf(calls, [&](const ToolCall& call) {
    return Object{{"tool_name", call.name}, {"arguments", ParseToolArguments(Value(call.arguments))}};
  });
}

Value TimingsOf(const AttemptFacts& facts, double total_ms) {
  // The queries are built before the run.
  Map map = Object{{"case_total_ms", total_ms}, {"source_prepare_ms", 0.0}};
  for (const std::string_view name : kRowTimes) map.Append(std::string(name), Value(TimingOf(facts, name)));
  for (const std::string_view name : kRowCounts)
    map.Append(std::string(name), Whole(static_cast<std::int64_t>(TimingOf(facts, name))));
  return Value(std::move(map));
}

// Counts, as far as they are whole; whoever stored them knew doubles only.
Value ToolUsageOf(const Value& told) {
  Map map;
  if (!told.is_map()) return map;
  for (const Member& tool : told.AsMap()) {
    constexpr double kMost = 1e15;
    const bool is_count = tool.value.is_number() && std::abs(tool.value.AsNumber()) <= kMost &&
                          std::trunc(tool.value.AsNumber()) == tool.value.AsNumber();
    map.Append(tool.key, is_count ? Whole(static_cast<std::int64_t>(tool.value.AsNumber())) : tool.value);
  }
  return Value(std::move(map));
}

struct Outcome {
  bool passed = false;
  std::string detail;
};

// Why an expectation that has parts holds or does not: the words of those that decided.
std::string DetailOf(const Case& the_case, const std::vector<Score>& scores, bool passed) {
  if (scores.size() == 1) return scores.front().explanation;
  std::string decisive;
  std::size_t held = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::optional<bool> holds = Holds(the_case.checks[i], scores[i]);
    held += holds == true ? 1 : 0;
    if (passed || holds == true) continue;
    const std::string& words = scores[i].failed() ? scores[i].error : scores[i].explanation;
    decisive +=
        fmt::format("; {}{}: {}", the_case.checks[i].invert ? "not " : "", the_case.checks[i].text, words);
  }
  return fmt::format("{} of {} parts hold{}", held, scores.size(), decisive);
}

// The first check that has no score, if that may decide.
const Score* FailedOf(const Case& the_case, const std::vector<Score>& scores) {
  if (Holds(the_case, scores)) return nullptr;
  const auto failed =
      std::find_if(scores.begin(), scores.end(), [](const Score& score) { return score.failed(); });
  return failed == scores.end() ? nullptr : &*failed;
}

Outcome OutcomeOf(const Case& the_case, const AttemptRecord& record) {
  const std::string& error = record.transcript.error;
  if (!error.empty()) return {.detail = fmt::format("{}{}", kExecutionFailed, error)};
  if (!record.grading_error.empty()) return {.detail = record.grading_error};
  if (const Score* failed = FailedOf(the_case, record.scores)) return {.detail = failed->error};
  const bool passed = Holds(the_case, record.scores).value_or(false);
  return {.passed = passed, .detail = DetailOf(the_case, record.scores, passed)};
}

// A check that could not be graded is an error of the row as well: nobody looked at the answer.
Value ErrorOf(const Case& the_case, const AttemptRecord& record) {
  if (!record.transcript.error.empty()) return Value(record.transcript.error);
  if (!record.grading_error.empty()) return Value(record.grading_error);
  if (const Score* failed = FailedOf(the_case, record.scores)) return Value(failed->error);
  return Value(Null{});
}

Value PartOf(const Value& owner, std::string_view name) {
  const Value* part = owner.Find(name);
  return part == nullptr ? Value(Map()) : *part;
}

}  // namespace

std::string PythonTimestamp(std::int64_t time_us) {
  constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;
  const std::time_t seconds = static_cast<std::time_t>(time_us / kMicrosecondsPerSecond);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  const std::int64_t rest = time_us % kMicrosecondsPerSecond;
  // Python leaves a fraction of nothing away.
  const std::string fraction = rest == 0 ? std::string() : fmt::format(".{:06}", rest);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}+00:00", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, fraction);
}

RowVerdict VerdictOf(const Case& the_case, const AttemptRecord& record) {
  return {.passed = OutcomeOf(the_case, record).passed,
          .is_error = !ErrorOf(the_case, record).is_nullish(),
          .halted = HaltOf(record.transcript.told).has_value()};
}

CaseStatus RowVerdict::status() const {
  if (is_error) return CaseStatus::kError;
  if (halted) return CaseStatus::kHalted;
  return passed ? CaseStatus::kPass : CaseStatus::kFail;
}

std::string_view StatusName(CaseStatus status) {
  switch (status) {
    case CaseStatus::kPass:
      return "PASS";
    case CaseStatus::kFail:
      return "FAIL";
    case CaseStatus::kError:
      return "ERROR";
    case CaseStatus::kHalted:
      return "HALTED";
  }
  return "FAIL";
}

namespace {

// The model that answered in place of the requested one; "": none.
std::string OtherModelOf(const AttemptRecord& record) {
  for (const ServedAs& served : record.served) {
    if (served.role == RequestRole::kCandidate && served.by.is_other) return served.by.model;
  }
  return {};
}

}  // namespace

RowTime TimeOf(const AttemptRecord& record) {
  const AttemptFacts& facts = record.transcript.told;
  const double turn_ms = TimingOf(facts, "run_turn_ms");
  return {.ended_us = FactsOfTurn(facts).ended_us,
          .turn_ms = turn_ms,
          .total_ms = TimingOf(facts, "client_init_ms") + turn_ms};
}

Row RowOf(const Suite& suite, const Case& the_case, const Variant& variant, AttemptIndex attempt,
          const AttemptRecord& record) {
  const Profile& profile = *variant.profile;
  const AttemptFacts& facts = record.transcript.told;
  const TurnFacts told = FactsOfTurn(facts);
  const CaseAsking* query = AskingOf(the_case, variant);
  const Outcome outcome = OutcomeOf(the_case, record);
  const double total_ms = TimeOf(record).total_ms;
  Map row = Object{{"timestamp", PythonTimestamp(told.ended_us)},
                   {"run_id", variant.id},
                   {"model_alias", profile.model_alias},
                   {"research_mode", profile.research_mode},
                   {"source_provider", profile.source_provider},
                   {"parameters", PartOf(variant.details, "parameters")},
                   {"test_id", the_case.id},
                   {"attempt", suite.attempts > 1 ? Value(Whole(attempt + 1)) : Value()},
                   {"doc_ids", PartOf(the_case.details, "doc_ids")},
                   {"source_identifiers", query == nullptr ? List() : Texts(query->sources)},
                   {"query", told.query.empty() && query != nullptr
                                 ? WithAffixes(profile.query_prefix, query->text, profile.query_suffix)
                                 : told.query},
                   {"expected", PartOf(the_case.details, "expected")},
                   {"answer", record.transcript.answer},
                   {"pass", outcome.passed},
                   {"assertion_detail", outcome.detail},
                   {"elapsed_ms", total_ms},
                   {"halted", told.turn.halted},
                   {"halt_reason", OrNull(told.turn.halt_reason)},
                   {"notices", Texts(told.turn.notices)},
                   {"tool_usage", ToolUsageOf(told.turn.tool_usage)},
                   {"tool_calls", CallsOf(facts.tool_calls)},
                   {"token_usage", TokenUsage(suite, record, told.turn, profile)},
                   {"timings_ms", TimingsOf(facts, total_ms)},
                   {"error", ErrorOf(the_case, record)}};
  // The original has no such member, and no row of a model that answers for itself.
  if (const std::string other = OtherModelOf(record); !other.empty() && suite.compat != Compat::kAsky)
    row.Append("answered_by", other);
  return {.members = Value(std::move(row)),
          .summarizer = std::string(AliasOf(suite, told.turn, kSummarizerRole, profile))};
}

}  // namespace research

std::string ResearchRowsPath(const Suite& suite, VariantIndex variant) {
  return suite.variants[variant].id + "/artifacts/results.jsonl";
}

std::string ResearchRowLine(const Suite& suite, const CellAddress& cell, const AttemptRecord& record) {
  const research::Row row = research::RowOf(suite, suite.cases[cell.case_index], suite.variants[cell.variant],
                                            cell.attempt, record);
  // Parameters that JSON cannot hold were refused when the matrix was read.
  return WritePythonJson(row.members).value_or("{}") + "\n";
}

}  // namespace assay
