// Recorded sessions of the research harness, row by row: what rows come to, what stands in the Markdown
// files, what each row's expectation says of its answer; and the command lines that it takes.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/files/file_reader.h"
#include "checks/text/assertion.h"
#include "cli/line/command_line.h"
#include "dialects/research/read/matrix.h"
#include "dialects/research/session/session.h"
#include "dialects/research/write/results.h"
#include "tests/conformance/conformance.h"
#include "text/python/json.h"

namespace assay::conformance {
namespace {

namespace fs = std::filesystem;
using research::ReadRows;
using research::RunProfile;
using research::RunSummary;

constexpr int kUsageError = 2;

std::string TextOfFile(const std::string& path) { return DiskFileReader().Read(path).value_or(""); }

// In Python's own notation, in which 1 and 1.0 differ; members in the order of their keys.
Value Noted(const Value& value) {
  return Value(WritePythonJson(value, {.sorts_keys = true}).value_or("(no JSON)"));
}

// "Output directory: `X`" of report.md.
std::string FolderShownIn(const std::string& report) {
  constexpr std::string_view kBefore = "Output directory: `";
  const std::size_t start = report.find(kBefore);
  if (start == std::string::npos) return {};
  const std::size_t begin = start + kBefore.size();
  return report.substr(begin, report.find('`', begin) - begin);
}

// The lines of a report, in an order of their own: runs stand in the matrix's order where the original wrote
// it, and in that of their names where it is made again.
std::vector<std::string> SortedLines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// A row's own words, unless its turn raised or stopped without an answer.
void CompareVerdict(const Value& row, Outcome& outcome) {
  const bool is_halted = Get(row, "halted").Truthy() && GetText(row, "answer").empty();
  if (Get(row, "error").Truthy() || is_halted) return;
  const Value& expected = Get(row, "expected");
  const bool is_regex = GetText(expected, "type") == "regex";
  const std::string text = GetText(expected, is_regex ? "pattern" : "text");
  const std::string answer = GetText(row, "answer");
  const Result<Assertion> got = is_regex ? AssertRegex(text, answer) : AssertContains(text, answer);
  if (!got) return outcome.Fail(got.error().message);
  outcome.Same("pass", Get(row, "pass"), Value(got->passed));
  outcome.Same("detail", Get(row, "assertion_detail"), Value(got->detail));
}

RunProfile ProfileIn(const Value& summary) {
  RunProfile run;
  run.id = GetText(summary, "run_id");
  run.profile.model_alias = GetText(summary, "model_alias");
  run.profile.research_mode = Get(summary, "research_mode").Truthy();
  run.profile.source_provider = GetText(summary, "source_provider");
  const Value& tools = Get(summary, "disabled_tools");
  if (tools.is_list()) {
    for (const Value& tool : tools.AsList()) {
      if (tool.is_string()) run.profile.disabled_tools.push_back(tool.AsString());
    }
  }
  if (Get(summary, "parameters").is_map()) run.parameters = Get(summary, "parameters").AsMap();
  return run;
}

void CompareRun(const std::string& folder, Outcome& outcome) {
  const std::string lines = TextOfFile(folder + "/results.jsonl");
  const Result<std::vector<Value>> rows = ReadRows(lines);
  if (!rows) return outcome.Fail(rows.error().message);
  std::string again;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    outcome.place = fmt::format("{}, row {}", folder, i + 1);
    CompareVerdict((*rows)[i], outcome);
    again += WritePythonJson((*rows)[i]).value_or("") + "\n";
  }
  outcome.place = folder;
  outcome.Same("rows", Value(lines), Value(again));
  const Result<Value> summary = ParsePythonJson(TextOfFile(folder + "/summary.json"));
  if (!summary) return outcome.Fail(summary.error().message);
  const Value& roles = Get(*summary, "token_usage_totals");
  const RunProfile run = ProfileIn(*summary);
  RunSummary made(run, GetText(Get(roles, "summarizer"), "model_alias"));
  for (const Value& row : *rows) made.Add(row);
  const Value& wall = Get(Get(*summary, "timing_totals_ms"), "run_wall_ms");
  made.End(wall.is_number() ? wall.AsNumber() : 0);
  outcome.Same("summary", Noted(*summary), Noted(made.ToValue()));
}

Outcome RunSession(const std::string& path) {
  Outcome outcome;
  const std::string output = path + "/output";
  std::vector<std::string> runs;
  for (const fs::directory_entry& entry : fs::directory_iterator(output)) {
    if (fs::exists(entry.path() / "artifacts" / "summary.json"))
      runs.push_back(entry.path().generic_string());
  }
  std::sort(runs.begin(), runs.end());
  for (const std::string& run : runs) CompareRun(run + "/artifacts", outcome);
  outcome.place.clear();
  const std::string report = TextOfFile(output + "/report.md");
  if (report.empty()) return outcome;  // it was ended before there was one
  DiskFileReader files;
  const Result<RebuiltFiles> made = research::RebuildSession(
      output, FolderShownIn(report), research::DatasetOfSession(output, files), files);
  if (!made) {
    outcome.Fail(made.error().message);
    return outcome;
  }
  for (const auto& [name, text] : *made) {
    if (name != "report.md") {
      outcome.Same(name, Value(TextOfFile(output + "/" + name)), Value(text));
    } else if (SortedLines(text) == SortedLines(report)) {
      outcome.Pass();
    } else {
      outcome.Fail("report.md has other lines");
    }
  }
  return outcome;
}

// Words that are taken, and refused by the command that gets them (tests/e2e), or that ours takes beside.
constexpr std::string_view kTaken[] = {"prepare_no_dataset", "report_no_dir", "timeout_float"};

// Whether the words are ones that the program takes: the original ends with 2 for others, ours says which.
void RunCommandLine(std::size_t, const Value& row, Outcome& outcome) {
  const Value& args = Get(row, "args");
  std::vector<std::string> words;
  for (const Value& word : args.is_list() ? args.AsList() : List()) {
    if (word.is_string()) words.push_back(word.AsString());
  }
  const bool wants = Get(row, "exit_code").is_number() && Get(row, "exit_code").AsNumber() != kUsageError;
  const CommandRow* command = words.empty() ? nullptr : FindCommand(words.front());
  const auto is_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (std::any_of(words.begin(), words.end(), is_help)) {
    outcome.Same("help", Value(wants), Value(words.size() == 1 || command != nullptr));
    return;
  }
  if (!words.empty()) words.erase(words.begin());
  const bool takes = command != nullptr && ParseWords(*command, words, Environment::kIgnore).has_value();
  const std::string name = GetText(row, "name");
  if (takes && !wants && std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken)) {
    outcome.Skip("the command refuses it, or takes it beside");
    return;
  }
  outcome.Same(name, Value(wants), Value(takes));
}

Outcome RunCommandLines(const std::string& path) {
  return ForEachLine(path + "/cli_cases.jsonl", RunCommandLine);
}

constexpr GoldenRow kResearchSessionRows[] = {
    {"run_artifacts/s1", RunSession},   {"run_artifacts/s2_*", RunSession},
    {"run_artifacts/s3", RunSession},   {"run_artifacts/s4_*", RunSession},
    {"run_artifacts/s5_*", RunSession}, {"run_artifacts/s6_*", RunSession},
    {"run_artifacts/s7_*", RunSession}, {"run_artifacts/cli", RunCommandLines},
};

}  // namespace

std::span<const GoldenRow> ResearchSessionRows() { return kResearchSessionRows; }

}  // namespace assay::conformance
