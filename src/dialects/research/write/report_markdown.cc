// Writes results.md and report.md as the original does, byte for byte.
#include <fmt/core.h>

#include <algorithm>

#include "dialects/research/read/lenient.h"
#include "dialects/research/write/results.h"
#include "text/python/json.h"
#include "text/python/repr.h"
#include "text/python/text.h"

namespace assay::research {

namespace {

constexpr std::string_view kNoTools = "No tool calls recorded.\n";
constexpr std::string_view kTextColumns[] = {"Run", "Mode", "Model", "Provider", "Disabled Tools"};
constexpr std::string_view kNumberColumns[] = {"Cases",
                                               "Passed",
                                               "Failed",
                                               "Errors",
                                               "Halted",
                                               "Pass Rate",
                                               "Avg ms",
                                               "Run Wall ms",
                                               "RunTurn ms",
                                               "LLM ms",
                                               "Tool ms",
                                               "Local Ingest ms",
                                               "Shortlist ms",
                                               "Main Tok (in/out/total)",
                                               "Summarizer Tok (in/out/total)",
                                               "Audit Planner Tok (in/out/total)"};
constexpr std::string_view kShownTimings[] = {"run_wall_ms",   "run_turn_ms",        "llm_total_ms",
                                              "tool_total_ms", "local_ingestion_ms", "shortlist_ms"};
constexpr std::string_view kNeeded[] = {"run_id",          "research_mode", "model_alias",
                                        "source_provider", "total_cases",   "passed_cases",
                                        "failed_cases",    "pass_rate",     "avg_elapsed_ms"};

std::string OneDecimal(double number) { return PythonFixed(number, 1); }

std::string Percent(const Value& summary) {
  return PythonFixed(NumberAt(summary, "pass_rate") * 100, 1) + "%";
}

std::string JoinedTexts(const List& list) {
  std::string out;
  for (const Value& item : list) out += (out.empty() ? "" : ", ") + PythonStr(item);
  return out;
}

const List* NonEmptyList(const Value& owner, std::string_view key) {
  const List& list = owner.ListAt(key);
  return list.empty() ? nullptr : &list;
}

constexpr std::string_view kUnknownTest = "unknown";

// report.md has names of tools as they are, results.md without what would end a cell.
enum class ToolNames { kRaw, kEscaped };

// Arguments are escaped for a cell, and the cell is escaped again.
void AppendToolTable(const Value& row, ToolNames names, std::string& out) {
  std::string lines;
  if (const List* calls = NonEmptyList(row, "tool_calls")) {
    for (const Value& call : *calls) {
      if (!call.is_map()) continue;
      const Value* arguments = call.Find("arguments");
      const std::string name = ToolName(call);
      lines += fmt::format(
          "| `{}` | {} |\n", names == ToolNames::kRaw ? name : EscapedCell(Value(name)),
          EscapedCell(Value(ToolArgumentsCell(arguments == nullptr ? Value(Null{}) : *arguments))));
    }
  }
  out += "Tool Calls:\n";
  if (lines.empty()) {
    out += kNoTools;
  } else {
    out += "| Tool | Arguments |\n| --- | --- |\n" + lines;
  }
}

// One case that did not pass: query, expected, answer, tool calls.
void AppendFailure(const Value& row, std::string_view heading, ToolNames names, std::string& out) {
  out += fmt::format("{} `{}` ({})\n\n", heading, TextAt(row, "test_id", kUnknownTest),
                     StatusName(StatusOf(row)));
  out += fmt::format("- Elapsed: `{} ms`\n", OneDecimal(NumberAt(row, "elapsed_ms")));
  out += fmt::format("- Query: `{}`\n", TextAt(row, "query", ""));
  out += fmt::format("- Assertion detail: `{}`\n", TextAt(row, "assertion_detail", ""));
  if (IsTrue(row, "error")) out += fmt::format("- Error: `{}`\n", TextAt(row, "error", ""));
  if (IsTrue(row, "halted")) out += fmt::format("- Halt reason: `{}`\n", TextAt(row, "halt_reason", "None"));
  if (const List* ids = NonEmptyList(row, "doc_ids"))
    out += fmt::format("- Documents: `{}`\n", JoinedTexts(*ids));
  if (const List* sources = NonEmptyList(row, "source_identifiers"))
    out += fmt::format("- Source identifiers: `{}`\n", JoinedTexts(*sources));
  const Value* expected = row.Find("expected");
  const std::string json =
      WritePythonJson(expected == nullptr ? Value(Null{}) : *expected, {.indent = 2, .sorts_keys = true})
          .value_or("null");
  out += fmt::format("\nExpected:\n```json\n{}\n```\n\n", json);
  out += fmt::format("Answer:\n```text\n{}\n```\n\n",
                     IsTrue(row, "answer") ? TextAt(row, "answer", "") : std::string());
  AppendToolTable(row, names, out);
  out += '\n';
}

std::string TokensCell(const Value& summary, std::string_view role) {
  const Value* of_role = summary.MapAt("token_usage_totals").Find(role);
  return fmt::format("{}/{}/{}", CountAt(of_role, "input_tokens"), CountAt(of_role, "output_tokens"),
                     CountAt(of_role, "total_tokens"));
}

std::string RunRow(const Value& summary) {
  const List* disabled = NonEmptyList(summary, "disabled_tools");
  std::vector<std::string> cells = {
      TextAt(summary, "run_id", ""), IsTrue(summary, "research_mode") ? "research" : "standard",
      TextAt(summary, "model_alias", ""), TextAt(summary, "source_provider", ""),
      disabled == nullptr ? "-" : JoinedTexts(*disabled)};
  for (const std::string_view count :
       {"total_cases", "passed_cases", "failed_cases", "error_cases", "halted_cases"})
    cells.push_back(TextAt(summary, count, "0"));
  cells.push_back(Percent(summary));
  cells.push_back(OneDecimal(NumberAt(summary, "avg_elapsed_ms")));
  for (const std::string_view timing : kShownTimings)
    cells.push_back(OneDecimal(NumberAt(summary.Find("timing_totals_ms"), timing)));
  for (const std::string_view role : kRoles) cells.push_back(TokensCell(summary, role));
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

void AppendRunTable(const std::vector<RunResults>& runs, std::string& out) {
  std::string names = "|";
  std::string rule = "|";
  for (const std::string_view column : kTextColumns) {
    names += fmt::format(" {} |", column);
    rule += " --- |";
  }
  for (const std::string_view column : kNumberColumns) {
    names += fmt::format(" {} |", column);
    rule += " ---: |";
  }
  out += names + "\n" + rule + "\n";
  for (const RunResults& run : runs) out += RunRow(run.summary);
}

// By the summary's own counts, else by its breakdown; most frequent first, what is not positive left out.
std::vector<ToolTotal> ToolTotals(const Value& summary) {
  std::vector<ToolTotal> totals;
  const auto add = [&totals](std::string name, std::int64_t count) {
    const auto found = std::find_if(totals.begin(), totals.end(),
                                    [&name](const ToolTotal& total) { return total.name == name; });
    if (found == totals.end()) {
      totals.push_back({std::move(name), count});
    } else {
      found->count += count;
    }
  };
  const auto drop_none = [&totals] {
    std::erase_if(totals, [](const ToolTotal& total) { return total.count <= 0; });
  };
  for (const Member& tool : summary.MapAt("tool_call_counts")) add(tool.key, CountOf(tool.value));
  drop_none();
  if (const List* entries = NonEmptyList(summary, "tool_call_breakdown");
      totals.empty() && entries != nullptr) {
    for (const Value& entry : *entries) {
      if (entry.is_map()) add(ToolName(entry), CountAt(&entry, "count"));
    }
    drop_none();
  }
  SortByCount(totals);
  return totals;
}

void AppendToolTotals(const Value& summary, std::string& out) {
  const std::vector<ToolTotal> totals = ToolTotals(summary);
  if (totals.empty()) {
    out += kNoTools;
    return;
  }
  std::int64_t all = 0;
  std::string lines;
  for (const ToolTotal& total : totals) {
    all += total.count;
    lines += fmt::format("| `{}` | {} |\n", total.name, total.count);
  }
  out += fmt::format("Total tool calls: `{}`\n\n| Tool | Total Calls |\n| --- | ---: |\n{}", all, lines);
}

void AppendToolBreakdown(const Value& summary, std::string& out) {
  const List* entries = NonEmptyList(summary, "tool_call_breakdown");
  if (entries == nullptr) {
    out += kNoTools;
    return;
  }
  out += "| Tool | Calls | Arguments |\n| --- | ---: | --- |\n";
  for (const Value& entry : *entries) {
    if (!entry.is_map()) continue;
    const Value* arguments = entry.Find("arguments");
    out += fmt::format("| `{}` | {} | {} |\n", ToolName(entry), CountAt(&entry, "count"),
                       ToolArgumentsCell(arguments == nullptr ? Value(Map()) : *arguments));
  }
}

void AppendFailures(const RunResults& run, std::string& out) {
  if (!run.has_rows) {
    out += "No case details found.\n\n";
    return;
  }
  const std::size_t before = out.size();
  for (const Value& row : run.rows) {
    if (StatusOf(row) != CaseStatus::kPass) AppendFailure(row, "####", ToolNames::kRaw, out);
  }
  if (out.size() == before) out += "No failing/error/halted cases.\n\n";
}

// Nothing where every model answered for itself: then the report is the original's.
void AppendOtherModels(const std::vector<RunResults>& runs, std::string& out) {
  std::string lines;
  for (const RunResults& run : runs) {
    for (const auto& [model, rows] : run.other_models)
      lines += fmt::format("- `{}`: `{}` answered {} for the requested model\n", run.run_id,
                           EscapedCell(Value(model)), rows == 1 ? "1 case" : fmt::format("{} cases", rows));
  }
  if (!lines.empty()) out += "\n## Other Models\n\n" + lines;
}

// What a terminal would obey is shown: a file is printed as well as rendered.
std::string WithoutControls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool is_second = c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (is_second) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f) {
      out += fmt::format("\\x{:02x}", c);
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::map<std::string, std::size_t> OtherModelsOf(const std::vector<Value>& rows) {
  std::map<std::string, std::size_t> models;
  for (const Value& row : rows) {
    if (const std::string& model = row.TextAt("answered_by"); !model.empty()) ++models[model];
  }
  return models;
}

std::string ResultsMarkdown(std::string_view run_id, std::string_view folder, const Value& summary,
                            const std::vector<Value>& rows) {
  std::string out = fmt::format("# Eval Results ({})\n\nArtifacts directory: `{}`\n\n", run_id, folder);
  out += fmt::format("Summary: passed={}/{} failed={} errors={} halted={} pass_rate={}\n\n",
                     CountAt(&summary, "passed_cases"), CountAt(&summary, "total_cases"),
                     CountAt(&summary, "failed_cases"), CountAt(&summary, "error_cases"),
                     CountAt(&summary, "halted_cases"), Percent(summary));
  out += "## Case Summary\n\n| Case ID | Status | Elapsed ms | Assertion Detail | Error |\n";
  out += "| --- | --- | ---: | --- | --- |\n";
  std::string failures;
  const auto compact_cell = [](const Value& row, std::string_view key) {
    const Value* value = row.Find(key);
    return value == nullptr ? std::string() : EscapedCell(Value(CompactText(*value)));
  };
  for (const Value& row : rows) {
    const CaseStatus status = StatusOf(row);
    const Value* id = row.Find("test_id");
    out +=
        fmt::format("| `{}` | {} | {} | {} | {} |\n", EscapedCell(id == nullptr ? Value(kUnknownTest) : *id),
                    StatusName(status), OneDecimal(NumberAt(row, "elapsed_ms")),
                    compact_cell(row, "assertion_detail"), compact_cell(row, "error"));
    if (status != CaseStatus::kPass) AppendFailure(row, "###", ToolNames::kEscaped, failures);
  }
  out += "\n## Failure Details\n\n";
  out += failures.empty() ? "All cases passed.\n\n" : failures;
  return WithoutControls(out);
}

Result<std::string> SessionReport(std::string_view dataset_id, std::string_view folder,
                                  const std::vector<RunResults>& runs) {
  for (const RunResults& run : runs) {
    for (const std::string_view key : kNeeded) {
      if (run.summary.Find(key) != nullptr) continue;
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("the summary of run {} lacks `{}`; run it again", run.run_id, key)};
    }
  }
  std::string out =
      fmt::format("# Research Eval Report ({})\n\nOutput directory: `{}`\n\n", dataset_id, folder);
  AppendRunTable(runs, out);
  out += "\n## Tool Call Totals\n\n";
  for (const RunResults& run : runs) {
    out += fmt::format("### {}\n", run.run_id);
    AppendToolTotals(run.summary, out);
    out += '\n';
  }
  out += "\n## Tool Call Breakdown\n\n";
  for (const RunResults& run : runs) {
    out += fmt::format("### {}\n", run.run_id);
    AppendToolBreakdown(run.summary, out);
    out += '\n';
  }
  out += "\n## Case Failure Details\n\n";
  for (const RunResults& run : runs) {
    out += fmt::format("### {}\n", run.run_id);
    AppendFailures(run, out);
  }
  AppendOtherModels(runs, out);
  return WithoutControls(out);
}

}  // namespace assay::research
