// Makes the result files of a research run from its rows, as pure functions: summary.json, results.md and
// report.md.
//   source  asky-cli 14f1a9e, evals/research_pipeline/{evaluator,report}.py (spec: research, 6 and 7)
//   cases   golden research/{summaries,units}.jsonl, research/report_cases
//
// A row is one line of results.jsonl, a summary the object of summary.json. Both are read back from files
// that anyone may have written, so every member may be missing or of another kind: what Python makes of it
// counts (int("7") is 7, null is 0, a text that is no number is 0 here and an error there).
//   known deviations: whole numbers beyond 64 bits are doubles
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "dialects/research/read/matrix.h"
#include "dialects/research/read/row.h"
#include "text/value.h"

namespace assay::research {

// The roles of whom tokens are counted for, as rows and summaries name them.
inline constexpr std::string_view kMainRole = "main";
inline constexpr std::string_view kSummarizerRole = "summarizer";
inline constexpr std::string_view kAuditPlannerRole = "audit_planner";
inline constexpr std::string_view kRoles[] = {kMainRole, kSummarizerRole, kAuditPlannerRole};
inline constexpr std::string_view kAuditPlannerAlias = "audit-planner";

// What a tool was called with, of what an agent told: texts are read as JSON, null and blank ones are {}, and
// what is no JSON is {"_raw": text}.
Value ParseToolArguments(const Value& told);
struct ToolTotal {
  std::string name;
  std::int64_t count = 0;
};
// Most calls first.
void SortByCount(std::vector<ToolTotal>& totals);
// {tool_name, arguments} grouped by name and arguments, as summaries list them.
class ToolCalls {
 public:
  void Add(std::string_view name, Value arguments, std::int64_t count = 1);
  std::vector<ToolTotal> Totals() const;  // in order of first use
  Value Breakdown() const;                // [{tool_name, arguments, count}], most frequent first

 private:
  struct Group {
    std::string name;
    Value arguments;
    std::int64_t count = 0;
  };
  std::vector<Group> groups_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;  // by name and canonical arguments
};

struct RoleTokens {
  std::int64_t input = 0, output = 0, total = 0;
};

// What came of the rows of one run, summed: summary.json and the closing words are made of it.
struct RowTotals {
  std::int64_t cases = 0, passed = 0, errors = 0, halted = 0;
  double elapsed_ms = 0;
  ToolCalls tools;
  std::map<std::string_view, double> timings_ms;           // of all rows, by the members of `timings_ms`
  std::map<std::string_view, std::int64_t> timing_counts;  // and of its counts
  std::map<std::string_view, RoleTokens> tokens;           // by role
  double run_wall_ms = 0;

  std::int64_t failed() const { return cases - passed; }
};

// Sums up the rows of one run, one by one.
class RunSummary {
 public:
  explicit RunSummary(RunProfile run, std::string_view summarizer_alias = {});
  const std::string& summarizer_alias() const { return summarizer_alias_; }
  void SetSummarizer(std::string alias) { summarizer_alias_ = std::move(alias); }
  void Add(const Value& row);
  void End(double run_wall_ms) { totals_.run_wall_ms = run_wall_ms; }
  const RowTotals& totals() const { return totals_; }
  // summary.json but for its layout: insertion order is that of the original's own object.
  Value ToValue() const;

 private:
  RunProfile run_;
  std::string summarizer_alias_;
  RowTotals totals_;
};

CaseStatus StatusOf(const Value& row);

// results.md of one run. `folder` is where its artifacts lie.
std::string ResultsMarkdown(std::string_view run_id, std::string_view folder, const Value& summary,
                            const std::vector<Value>& rows);

struct RunResults {
  std::string run_id;
  Value summary;
  std::vector<Value> rows;
  bool has_rows = true;                                  // false: there is no results.jsonl
  std::map<std::string, std::size_t> other_models = {};  // that answered for the requested one, by rows
};
// By `answered_by` of the rows.
std::map<std::string, std::size_t> OtherModelsOf(const std::vector<Value>& rows);
// report.md of a session. kCorrupt: a summary lacks a member that the table needs.
Result<std::string> SessionReport(std::string_view dataset_id, std::string_view folder,
                                  const std::vector<RunResults>& runs);

// The lines of results.jsonl that are objects; kInvalidInput for one that is no JSON, with its number.
Result<std::vector<Value>> ReadRows(std::string_view jsonl);

// A table cell: line ends become blanks, pipes are escaped; what is false to Python is empty.
std::string EscapedCell(const Value& value);
// On one line, at most 100 characters.
std::string CompactText(const Value& value);
// Canonical JSON in backticks.
std::string ToolArgumentsCell(const Value& arguments);

}  // namespace assay::research
