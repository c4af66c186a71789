// Imports rows of research sessions, of assay or of asky: one JSON object for each test and run. A folder of
// a session is read whole.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/errors/diagnostics.h"
#include "base/files/path_names.h"
#include "report/import/import.h"
#include "report/import/import_builder.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kRowsFile = "artifacts/results.jsonl";

Case CaseOfRow(const Value& row) {
  Case the_case;
  the_case.turns = TurnsOf(Value(row.TextAt("query")));
  const Value* expected = row.Find("expected");
  if (expected == nullptr || !expected->is_map()) return the_case;
  Check& check = the_case.checks.emplace_back();
  check.id = "1";
  check.kind = fmt::format("expected_{}", expected->TextAt("type"));
  check.text = WriteJson(*expected, JsonStyle::kJavaScript);
  return the_case;
}

Cell CellOfRow(const Value& row, std::size_t checks) {
  Cell cell = CellOfScore(ScoreAt(row, "pass"));
  Transcript& transcript = cell.record.transcript;
  transcript.answer = row.TextAt("answer");
  transcript.error = row.TextAt("error");
  if (!transcript.error.empty()) {
    cell = CellOfScore(std::nullopt);
    cell.state = CellState::kError;
    cell.record.transcript.error = row.TextAt("error");
    return cell;
  }
  if (checks == 0) return cell;
  const std::optional<double> passed = ScoreAt(row, "pass");
  Score score = passed ? Score::Of(*passed) : Score{};
  score.explanation = row.TextAt("assertion_detail");
  cell.record.scores = {std::move(score)};
  return cell;
}

Status AddRow(const Value& row, ImportBuilder& builder) {
  const CaseIndex index = builder.CaseOf({.label = row.TextAt("test_id")}, [&row] { return CaseOfRow(row); });
  const VariantIndex variant = builder.VariantOf(row.TextAt("run_id"), row.TextAt("model_alias"));
  return builder.Add(index, variant, CellOfRow(row, builder.suite().cases[index].checks.size()));
}

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadResearchRows(const SharedBytes& bytes, const ImportAsk& ask) {
  ImportBuilder builder("research", ImportBudget(bytes->size_bytes()));
  builder.suite().id = builder.suite().title = FolderNameOf(ask.name);
  ASSAY_CHECK_OK(ForEachJsonLine(*bytes, builder.budget(),
                                 [&builder](const Value& row) { return AddRow(row, builder); }));
  return builder.Finish(ask.name);
}

std::vector<std::string> ResearchRowFiles(FileReader& files, const std::string& folder) {
  std::string root = folder;
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  if (std::string own = fmt::format("{}/{}", root, kRowsFile); files.Exists(own)) return {std::move(own)};
  std::vector<std::string> paths;
  const Result<std::vector<std::string>> names = files.List(root);
  if (!names) return paths;
  for (const std::string& name : *names) {
    std::string path = fmt::format("{}/{}/{}", root, name, kRowsFile);
    if (!name.starts_with('.') && files.Exists(path)) paths.push_back(std::move(path));
  }
  return paths;
}

Result<std::shared_ptr<const ImportedRun>> ReadResearchFolder(FileReader& files, const std::string& folder,
                                                              const std::vector<std::string>& paths) {
  ImportBuilder builder("research");
  builder.suite().id = builder.suite().title = FolderNameOf(folder);
  for (const std::string& path : paths) {
    ASSAY_TRY(const std::string text, files.Read(path));
    const Status added = ForEachJsonLine(MemorySource(text), builder.budget(),
                                         [&builder](const Value& row) { return AddRow(row, builder); });
    if (!added)
      return Error{ErrorCode::kInvalidInput, fmt::format("{}: {}", Quoted(path), added.error().message)};
  }
  return builder.Finish(folder);
}

}  // namespace assay
