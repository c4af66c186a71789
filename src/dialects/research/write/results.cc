// Sums rows to summaries, and formats single values for the tables.
#include "dialects/research/write/results.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "dialects/research/read/lenient.h"
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
constexpr std::string_view kTokenKinds[] = {"input_tokens", "output_tokens", "total_tokens"};

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string Canonical(const Value& value) {
  return WritePythonJson(value, {.sorts_keys = true}).value_or(PythonRepr(value));
}

Value WholeNumber(std::int64_t number) { return Value(number); }

}  // namespace

Value ParseToolArguments(const Value& told) {
  if (told.is_nullish()) return Map();
  if (!told.is_string()) return told;
  if (PythonTrim(told.AsString()).empty()) return Map();
  Result<Value> parsed = ParsePythonJson(told.AsString());
  if (parsed) return std::move(*parsed);
  Map raw;
  raw.Append("_raw", Value(told.AsString()));
  return raw;
}

void ToolCalls::Add(std::string_view name, Value arguments, std::int64_t count) {
  const auto [found, is_new] =
      index_.emplace(std::pair(std::string(name), Canonical(arguments)), groups_.size());
  if (is_new) groups_.push_back({std::string(name), std::move(arguments)});
  groups_[found->second].count += count;
}

Value ToolCalls::Counts() const {
  Map counts;
  for (const Group& group : groups_) {
    const Value* known = counts.Find(group.name);
    counts.Set(group.name, WholeNumber((known == nullptr ? 0 : known->AsInt()) + group.count));
  }
  return counts;
}

Value ToolCalls::Breakdown() const {
  std::vector<const Group*> order;
  order.reserve(groups_.size());
  for (const Group& group : groups_) order.push_back(&group);
  std::stable_sort(order.begin(), order.end(), [](const Group* a, const Group* b) {
    return a->count != b->count ? a->count > b->count : a->name < b->name;
  });
  List list;
  for (const Group* group : order) {
    Map entry;
    entry.Append("tool_name", Value(group->name));
    entry.Append("arguments", group->arguments);
    entry.Append("count", WholeNumber(group->count));
    list.emplace_back(std::move(entry));
  }
  return list;
}

RunSummary::RunSummary(const RunProfile& run, std::string_view summarizer_alias)
    : run_(run), summarizer_alias_(summarizer_alias) {}

void RunSummary::Add(const Value& row) {
  ++total_;
  passed_ += IsTrue(row, "pass") ? 1 : 0;
  errors_ += IsTrue(row, "error") ? 1 : 0;
  halted_ += IsTrue(row, "halted") ? 1 : 0;
  elapsed_ms_ += NumberAt(row, "elapsed_ms");
  bool has_calls = false;
  if (const Value* calls = row.Find("tool_calls"); calls != nullptr && calls->is_list()) {
    for (const Value& call : calls->AsList()) {
      if (!call.is_map()) continue;
      has_calls = true;
      const Value* arguments = call.Find("arguments");
      tools_.Add(ToolName(call), arguments == nullptr ? Value(Map()) : *arguments);
    }
  }
  if (const Value* usage = row.Find("tool_usage"); !has_calls && usage != nullptr && usage->is_map()) {
    for (const Member& tool : usage->AsMap()) {
      if (const std::int64_t count = CountOf(tool.value); count > 0) tools_.Add(tool.key, Map(), count);
    }
  }
  const Value* timings = row.Find("timings_ms");
  for (const std::string_view name : kTimings) timings_ms_[std::string(name)] += NumberAt(timings, name);
  for (const std::string_view name : kCounts) timing_counts_[std::string(name)] += CountAt(timings, name);
  const Value* tokens = row.Find("token_usage");
  for (const std::string_view role : kRoles) {
    const Value* of_role = tokens == nullptr ? nullptr : tokens->Find(role);
    for (const std::string_view kind : kTokenKinds)
      tokens_[std::string(role)][std::string(kind)] += CountAt(of_role, kind);
  }
}

Value RunSummary::Finish(double run_wall_ms) const {
  const auto mean = [this](double sum) { return total_ == 0 ? 0.0 : sum / static_cast<double>(total_); };
  Map summary;
  summary.Append("run_id", Value(run_.id));
  summary.Append("model_alias", Value(run_.profile.model_alias));
  summary.Append("research_mode", Value(run_.profile.research_mode));
  summary.Append("source_provider", Value(run_.profile.source_provider));
  summary.Append("parameters", Value(run_.parameters));
  const auto& disabled = run_.profile.disabled_tools;
  summary.Append("disabled_tools", List(disabled.begin(), disabled.end()));
  summary.Append("total_cases", WholeNumber(total_));
  summary.Append("passed_cases", WholeNumber(passed_));
  summary.Append("failed_cases", WholeNumber(total_ - passed_));
  summary.Append("error_cases", WholeNumber(errors_));
  summary.Append("halted_cases", WholeNumber(halted_));
  summary.Append("pass_rate", Value(mean(static_cast<double>(passed_))));
  summary.Append("avg_elapsed_ms", Value(mean(elapsed_ms_)));
  summary.Append("tool_call_counts", tools_.Counts());
  summary.Append("tool_call_breakdown", tools_.Breakdown());
  Map tokens;
  for (const std::string_view role : kRoles) {
    Map of_role;
    const std::string_view alias = role == kMainRole         ? std::string_view(run_.profile.model_alias)
                                   : role == kSummarizerRole ? std::string_view(summarizer_alias_)
                                                             : kAuditPlannerAlias;
    of_role.Append("model_alias", Value(alias));
    const auto counted = tokens_.find(std::string(role));
    for (const std::string_view kind : kTokenKinds) {
      of_role.Append(std::string(kind),
                     WholeNumber(counted == tokens_.end() ? 0 : counted->second.at(std::string(kind))));
    }
    tokens.Append(std::string(role), Value(std::move(of_role)));
  }
  summary.Append("token_usage_totals", Value(std::move(tokens)));
  Map totals, averages, counts;
  for (const std::string_view name : kTimings) {
    const auto found = timings_ms_.find(std::string(name));
    const double sum = found == timings_ms_.end() ? 0.0 : found->second;
    totals.Append(std::string(name), Value(sum));
    averages.Append(std::string(name), Value(mean(sum)));
  }
  totals.Append("run_wall_ms", Value(run_wall_ms));
  for (const std::string_view name : kCounts) {
    const auto found = timing_counts_.find(std::string(name));
    counts.Append(std::string(name), WholeNumber(found == timing_counts_.end() ? 0 : found->second));
  }
  summary.Append("timing_totals_ms", Value(std::move(totals)));
  summary.Append("timing_averages_ms", Value(std::move(averages)));
  summary.Append("timing_counts", Value(std::move(counts)));
  return summary;
}

CaseStatus StatusOf(const Value& row) {
  if (IsTrue(row, "error")) return CaseStatus::kError;
  if (IsTrue(row, "halted")) return CaseStatus::kHalted;
  return IsTrue(row, "pass") ? CaseStatus::kPass : CaseStatus::kFail;
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
