// assay_conformance DIR: runs every golden file below DIR that a row of the table claims, and says aloud what
// it skips.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/value.h"

namespace assay::conformance {

// What one golden file (or folder) gave.
struct Outcome {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;               // rows whose part is not built yet
  std::vector<std::string> differences;  // the first few, each "row 12 (name): want ..., got ..."
  std::string skip_reason;               // why rows, or the whole file, were skipped (the first reason)
  std::string place;                     // set by ForEachLine, "row 12 (name)": stands before each difference

  void Pass() { ++passed; }
  void Fail(std::string difference);  // keeps the first 20
  void Skip(std::string reason);
  // Passes if they are the same; else fails with both, `what` before them.
  void Same(std::string_view what, const Value& want, const Value& got);
};

// One row: files whose path ends in `suffix` ("blueprint/points.jsonl"; a '*' stands for anything but '/').
struct GoldenRow {
  std::string_view suffix;
  Outcome (*run)(const std::string& path);
};

// One kind of row of a file that several areas share ("aggregate.jsonl", "function_assessment"): lines whose
// member `kind` is `kind`. Lines of a kind without a row are skipped.
struct KindRow {
  std::string_view suffix;
  std::string_view kind;
  void (*run)(const Value& row, Outcome& outcome);
};

// Each area's rows live in a file of their own (tests/conformance/<area>_rows.cc), listed in main.cc.
std::span<const GoldenRow> BlueprintReaderRows();
std::span<const GoldenRow> CheckRows();
std::span<const GoldenRow> DatasetRows();
std::span<const GoldenRow> GenerationRows();
std::span<const GoldenRow> InfiBenchTableRows();
std::span<const GoldenRow> InfiBenchGraderRows();
std::span<const GoldenRow> JudgeRows();
std::span<const GoldenRow> ExecRows();
std::span<const GoldenRow> ExecutedRows();
std::span<const GoldenRow> ProgramRows();
std::span<const GoldenRow> PromptfooAssertionRows();
std::span<const GoldenRow> PromptfooRows();
std::span<const GoldenRow> PythonRegexRows();
std::span<const GoldenRow> ReportRows();
std::span<const GoldenRow> RetrievalRows();
std::span<const GoldenRow> ResearchRows();
std::span<const GoldenRow> ResearchSessionRows();
std::span<const GoldenRow> ServiceRows();
std::span<const KindRow> BlueprintReaderKinds();
std::span<const KindRow> CheckKinds();
std::span<const KindRow> DatasetCheckKinds();
std::span<const KindRow> ExtractKinds();
std::span<const KindRow> JudgeKinds();
std::span<const KindRow> LabelKinds();
std::span<const KindRow> NumberKinds();
std::span<const KindRow> ReportKinds();
std::span<const KindRow> RetrievalKinds();
std::span<const KindRow> SequentialKinds();
std::span<const KindRow> ServiceKinds();
std::span<const KindRow> StatisticsKinds();
std::span<const KindRow> SummaryKinds();

// A recorded run (fixture_runs/NAME), run again over HTTP: its requests against those of http_requests.jsonl.
void CompareRequests(const std::string& folder, Outcome& outcome);

// Calls `row` for each line of a JSON Lines file, decoded from golden value encoding; `number` counts from 1.
Outcome ForEachLine(const std::string& path,
                    const std::function<void(std::size_t number, const Value& row, Outcome& outcome)>& row);
// The member of a row, undefined if it has none (valid as long as the row); its text, "" if it is no text.
const Value& Get(const Value& row, std::string_view key);
std::string GetText(const Value& row, std::string_view key);
// {error: true}, as golden files have it where the original fails.
Value ErrorResult();
std::string ReadAll(const std::filesystem::path& path);  // "" where there is no such file
// A short printed form for differences.
std::string Show(const Value& value);

}  // namespace assay::conformance
