// Reads the artifacts of a session folder and makes its Markdown files again.
#include "dialects/research/session/session.h"

#include <fmt/core.h>

#include <optional>

#include "base/errors/diagnostics.h"
#include "dialects/research/lower/options.h"
#include "dialects/research/read/dataset.h"
#include "dialects/research/read/lenient.h"
#include "dialects/research/write/results.h"
#include "text/python/json.h"

namespace assay::research {

namespace {

// A run's folder; nothing if it holds no summary that is an object.
Result<std::optional<RunResults>> ReadRun(const std::string& folder, const std::string& name,
                                          FileReader& files) {
  const std::string artifacts = fmt::format("{}/{}/artifacts", folder, name);
  const std::string summary_path = artifacts + "/summary.json";
  if (!files.Exists(summary_path)) return std::optional<RunResults>();
  ASSAY_TRY(const std::string summary_text, files.Read(summary_path));
  Result<Value> summary = ParsePythonJson(summary_text);
  if (!summary) {
    return Error{ErrorCode::kInvalidInput, fmt::format("{}: {}", summary_path, summary.error().message)};
  }
  if (!summary->is_map()) return std::optional<RunResults>();
  RunResults run;
  run.run_id = TextAt(*summary, "run_id", name);
  run.summary = std::move(*summary);
  const std::string rows_path = artifacts + "/results.jsonl";
  run.has_rows = files.Exists(rows_path);
  if (run.has_rows) {
    ASSAY_TRY(const std::string jsonl, files.Read(rows_path));
    Result<std::vector<Value>> rows = ReadRows(jsonl);
    if (!rows) return Error{rows.error().code, fmt::format("{}: {}", rows_path, rows.error().message)};
    run.rows = std::move(*rows);
    run.other_models = OtherModelsOf(run.rows);
  }
  return std::optional<RunResults>(std::move(run));
}

}  // namespace

Result<RebuiltFiles> RebuildSession(const std::string& folder, std::string_view shown,
                                    std::string_view dataset_id, FileReader& files) {
  ASSAY_TRY(const std::vector<std::string> names, files.List(folder));
  RebuiltFiles rebuilt;
  std::vector<RunResults> runs;
  for (const std::string& name : names) {
    ASSAY_TRY(std::optional<RunResults> run, ReadRun(folder, name, files));
    if (!run) continue;
    if (run->has_rows) {
      rebuilt[name + "/artifacts/results.md"] =
          ResultsMarkdown(run->run_id, fmt::format("{}/{}/artifacts", shown, name), run->summary, run->rows);
    }
    runs.push_back(std::move(*run));
  }
  if (runs.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("expected runs with artifacts/summary.json in {}, found none", folder)};
  }
  ASSAY_TRY(rebuilt["report.md"], SessionReport(dataset_id, shown, runs));
  return rebuilt;
}

std::string DatasetOfSession(const std::string& folder, FileReader& files) {
  const Result<std::string> text = files.Read(folder + "/summary.json");
  const Result<Value> summary = text ? ParsePythonJson(*text) : Result<Value>(text.error());
  return summary && summary->is_map() ? TextAt(*summary, "dataset_id", "") : std::string();
}

Result<RebuiltFiles> RebuildResearch(const RebuildInput& input) {
  const std::string named = input.own.Text(kDatasetOption);
  std::string id;
  if (named.empty()) {
    id = DatasetOfSession(input.folder, input.files);
    if (id.empty()) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{}/summary.json does not say which dataset it is of; name it with --dataset",
                               input.folder)};
    }
  } else {
    ASSAY_TRY(const std::string path, ResolveOptionPath(named, input.roots));
    ASSAY_TRY(std::string text, input.files.Read(path));
    const FileId file = input.sources.Add(named, std::move(text));
    const TableReading tables{input.files, input.sources};
    std::optional<Dataset> dataset =
        ReadDataset(file, path, input.sources.Text(file), input.diagnostics, false, &tables);
    if (!dataset) return Error{ErrorCode::kInvalidInput, fmt::format("{} is no dataset", Quoted(named))};
    id = std::move(dataset->id);
  }
  return RebuildSession(input.folder, input.folder, id, input.files);
}

}  // namespace assay::research
