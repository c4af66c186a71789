// Sums rows to summaries, and formats single values for the tables.
#include "dialects/research/write/results.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "dialects/research/read/lenient.h"
#include "text/object.h"
#include "text/python/json.h"
#include "text/python/repr.h"
#include "text/python/text.h"

namespace assay::research {

namespace {

constexpr std::string_view kTimings[] = {"case_total_ms",      "source_prepare_ms", "client_init_ms",
                                         "run_turn_ms",        "llm_total_ms",      "tool_total_ms",
                                         "local_ingestion_ms", "shortlist_ms"};
constexpr std::string_view kCounts[] = {"llm_calls", "tool_calls", "local_ingestion_calls",
                                        "shortlist_calls"};
constexpr std::pair<std::string_view, std::int64_t RoleTokens::*> kTokenKinds[] = {
    {"input_tokens", &RoleTokens::input},
    {"output_tokens", &RoleTokens::output},
    {"total_tokens", &RoleTokens::total}};

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string Canonical(const Value& value) {
  return WritePythonJson(value, {.sorts_keys = true}).value_or(PythonRepr(value));
}

Value WholeNumber(std::int64_t number) { return Value(number); }

// Zero, of a run without a row.
template <class Sum>
Sum ValueOr(const std::map<std::string_view, Sum>& sums, std::string_view name) {
  const auto found = sums.find(name);
  return found == sums.end() ? Sum() : found->second;
}

}  // namespace

Value ParseToolArguments(const Value& told) {
  if (told.is_nullish()) return Map();
  if (!told.is_string()) return told;
  if (PythonTrim(told.AsString()).empty()) return Map();
  Result<Value> parsed = ParsePythonJson(told.AsString());
  if (parsed) return std::move(*parsed);
  return Object{{"_raw", told.AsString()}};
}

void ToolCalls::Add(std::string_view name, Value arguments, std::int64_t count) {
  const auto [found, is_new] =
      index_.emplace(std::pair(std::string(name), Canonical(arguments)), groups_.size());
  if (is_new) groups_.push_back({std::string(name), std::move(arguments)});
  groups_[found->second].count += count;
}

void SortByCount(std::vector<ToolTotal>& totals) {
  std::sort(totals.begin(), totals.end(), [](const ToolTotal& a, const ToolTotal& b) {
    return a.count != b.count ? a.count > b.count : a.name < b.name;
  });
}

std::vector<ToolTotal> ToolCalls::Totals() const {
  std::vector<ToolTotal> totals;
  for (const Group& group : groups_) {
    const auto found = std::find_if(totals.begin(), totals.end(),
                                    [&](const ToolTotal& total) { return total.name == group.name; });
    if (found == totals.end()) {
      totals.push_back({group.name, group.count});
    } else {
      found->count += group.count;
    }
  }
  return totals;
}

Value ToolCalls::Breakdown() const {
  std::vector<const Group*> order;
  order.reserve(groups_.size());
  for (const Group& group : groups_) order.push_back(&group);
  std::stable_sort(order.begin(), order.end(), [](const Group* a, const Group* b) {
    return a->count != b->count ? a->count > b->count : a->name < b->name;
  });
  return ArrayOf(order, [&](const Group* group) {
    return Object{
        {"tool_name", group->name}, {"arguments", group->arguments}, {"count", WholeNumber(group->count)}};
  });
}

RunSummary::RunSummary(RunProfile run, std::string_view summarizer_alias)
    : run_(std::move(run)), summarizer_alias_(summarizer_alias) {}

void RunSummary::Add(const Value& row) {
  ++totals_.cases;
  totals_.passed += IsTrue(row, "pass") ? 1 : 0;
  totals_.errors += IsTrue(row, "error") ? 1 : 0;
  totals_.halted += IsTrue(row, "halted") ? 1 : 0;
  totals_.elapsed_ms += NumberAt(row, "elapsed_ms");
  bool has_calls = false;
  for (const Value& call : row.ListAt("tool_calls")) {
    if (!call.is_map()) continue;
    has_calls = true;
    const Value* arguments = call.Find("arguments");
    totals_.tools.Add(ToolName(call), arguments == nullptr ? Value(Map()) : *arguments);
  }
  for (const Member& tool : row.MapAt("tool_usage")) {
    const std::int64_t count = has_calls ? 0 : CountOf(tool.value);
    if (count > 0) totals_.tools.Add(tool.key, Map(), count);
  }
  const Value* timings = row.Find("timings_ms");
  for (const std::string_view name : kTimings) totals_.timings_ms[name] += NumberAt(timings, name);
  for (const std::string_view name : kCounts) totals_.timing_counts[name] += CountAt(timings, name);
  for (const std::string_view role : kRoles) {
    const Value* of_role = row.MapAt("token_usage").Find(role);
    for (const auto& [kind, part] : kTokenKinds) totals_.tokens[role].*part += CountAt(of_role, kind);
  }
}

Value RunSummary::ToValue() const {
  const auto mean = [this](double sum) {
    return totals_.cases == 0 ? 0.0 : sum / static_cast<double>(totals_.cases);
  };
  const auto& disabled = run_.profile.disabled_tools;
  Map calls;
  for (const ToolTotal& total : totals_.tools.Totals()) calls.Append(total.name, WholeNumber(total.count));
  Map tokens;
  for (const std::string_view role : kRoles) {
    Map of_role;
    const std::string_view alias = role == kMainRole         ? std::string_view(run_.profile.model_alias)
                                   : role == kSummarizerRole ? std::string_view(summarizer_alias_)
                                                             : kAuditPlannerAlias;
    of_role.Append("model_alias", Value(alias));
    const RoleTokens counted = ValueOr(totals_.tokens, role);
    for (const auto& [kind, part] : kTokenKinds)
      of_role.Append(std::string(kind), WholeNumber(counted.*part));
    tokens.Append(std::string(role), Value(std::move(of_role)));
  }
  Map summary = Object{{"run_id", run_.id},
                       {"model_alias", run_.profile.model_alias},
                       {"research_mode", run_.profile.research_mode},
                       {"source_provider", run_.profile.source_provider},
                       {"parameters", run_.parameters},
                       {"disabled_tools", ArrayOf(disabled)},
                       {"total_cases", WholeNumber(totals_.cases)},
                       {"passed_cases", WholeNumber(totals_.passed)},
                       {"failed_cases", WholeNumber(totals_.failed())},
                       {"error_cases", WholeNumber(totals_.errors)},
                       {"halted_cases", WholeNumber(totals_.halted)},
                       {"pass_rate", mean(static_cast<double>(totals_.passed))},
                       {"avg_elapsed_ms", mean(totals_.elapsed_ms)},
                       {"tool_call_counts", std::move(calls)},
                       {"tool_call_breakdown", totals_.tools.Breakdown()},
                       {"token_usage_totals", std::move(tokens)}};
  Map totals, averages, counts;
  for (const std::string_view name : kTimings) {
    const double sum = ValueOr(totals_.timings_ms, name);
    totals.Append(std::string(name), Value(sum));
    averages.Append(std::string(name), Value(mean(sum)));
  }
  totals.Append("run_wall_ms", Value(totals_.run_wall_ms));
  for (const std::string_view name : kCounts)
    counts.Append(std::string(name), WholeNumber(ValueOr(totals_.timing_counts, name)));
  Extend(summary, {{"timing_totals_ms", std::move(totals)},
                   {"timing_averages_ms", std::move(averages)},
                   {"timing_counts", std::move(counts)}});
  return summary;
}

CaseStatus StatusOf(const Value& row) {
  if (IsTrue(row, "error")) return CaseStatus::kError;
  if (IsTrue(row, "halted")) return CaseStatus::kHalted;
  return IsTrue(row, "pass") ? CaseStatus::kPass : CaseStatus::kFail;
}

Result<std::vector<Value>> ReadRows(std::string_view jsonl) {
  std::vector<Value> rows;
  for (std::size_t number = 1; !jsonl.empty(); ++number) {
    const std::size_t end = std::min(jsonl.find('\n'), jsonl.size());
    const std::string_view line = PythonTrim(jsonl.substr(0, end));
    jsonl.remove_prefix(std::min(end + 1, jsonl.size()));
    if (line.empty()) continue;
    Result<Value> row = ParsePythonJson(line);
    if (!row) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("line {} is no row of results ({}); remove it, or run again", number,
                               row.error().message)};
    }
    if (row->is_map()) rows.push_back(std::move(*row));
  }
  return rows;
}

std::string EscapedCell(const Value& value) {
  if (!PythonTruth(value)) return {};
  return Replaced(Replaced(PythonStr(value), "\n", " "), "|", "\\|");
}

std::string CompactText(const Value& value) {
  constexpr std::size_t kMax = 100;
  constexpr std::size_t kKept = 97;
  if (!PythonTruth(value)) return {};
  const std::string line = Replaced(PythonStr(value), "\n", " ");
  std::string_view text = PythonTrim(line);
  if (CountCodePoints(text) <= kMax) return std::string(text);
  std::size_t end = 0;
  for (std::size_t count = 0; count < kKept; ++count) end += DecodeUtf8(text, end).size_bytes;
  // str.rstrip(): the text begins with no white space.
  return std::string(PythonTrim(text.substr(0, end))) + "...";
}

std::string ToolArgumentsCell(const Value& arguments) {
  return "`" + Replaced(Replaced(Canonical(arguments), "|", "\\|"), "`", "'") + "`";
}

}  // namespace assay::research
