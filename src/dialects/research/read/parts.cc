// Recognises datasets and matrices, checks them, and words what they hold.
#include "dialects/research/read/parts.h"

#include <fmt/core.h>

#include <algorithm>

#include "dialects/research/read/dataset.h"
#include "dialects/research/read/matrix.h"
#include "dialects/untrusted_names.h"
#include "text/python/text.h"
#include "text/yaml/keys.h"

namespace assay::research {

namespace {

bool EndsIn(std::string_view path, std::string_view suffix) {
  return path.size() >= suffix.size() && PythonLower(path.substr(path.size() - suffix.size())) == suffix;
}

std::string Numbered(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string Holds(const Dataset& dataset) {
  return fmt::format("{} of {}", Numbered(dataset.tests.size(), "test"),
                     Numbered(dataset.docs.size(), "document"));
}

// A run that asks a simulated web needs one.
void WarnOfMockWeb(const PartInput& input, const Matrix& matrix) {
  if (!input.mock_web.empty()) return;
  for (const RunProfile& run : matrix.runs) {
    if (run.profile.source_provider != kMockWeb || run.mock_web) continue;
    input.diagnostics.Warning("research.mock-web",
                              fmt::format("run {}: mock_web has no web to ask", Quoted(run.id)), run.span,
                              "write `mock_web_fixtures = \"FILE\"` in it, or give --mock-web FILE");
  }
}

}  // namespace

bool ClaimsDataset(std::string_view path, std::string_view text) {
  if (!EndsIn(path, ".yaml") && !EndsIn(path, ".yml") && !EndsIn(path, ".json")) return false;
  const std::vector<std::string> keys = TopLevelKeys(text);
  const auto has = [&keys](std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  // Either of the two; what has questions of another format's kind is that.
  constexpr std::string_view kOthers[] = {"prompts", "prompt", "cases", "providers", "targets", "responses"};
  return (has("docs") || has("tests")) && std::none_of(std::begin(kOthers), std::end(kOthers), has);
}

bool ClaimsMatrix(std::string_view path, std::string_view) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return EndsIn(path, ".toml") && name != "assay.toml";
}

std::optional<std::string> CheckDataset(const PartInput& input, FileId file, std::string_view text) {
  const std::optional<Dataset> dataset = ReadDataset(file, input.absolute, text, input.diagnostics);
  return dataset ? std::optional<std::string>(Holds(*dataset)) : std::nullopt;
}

std::optional<std::string> CheckMatrix(const PartInput& input, FileId file, std::string_view text) {
  const PathRoots roots{.matrix_folder = FolderOfFile(input.absolute), .cwd = input.cwd, .home = input.home};
  const std::optional<Matrix> matrix = ReadMatrix(file, input.absolute, text, roots, input.diagnostics);
  if (!matrix) return std::nullopt;
  for (const RunProfile& run : matrix->runs) {
    const auto alias = input.aliases.find(run.profile.model_alias);
    if (alias != input.aliases.end())
      WarnOfUntrusted(alias->first, alias->second, run.span, input.diagnostics);
  }
  WarnOfMockWeb(input, *matrix);
  std::string holds = Numbered(matrix->runs.size(), "run");
  std::optional<std::string> dataset_path = matrix->dataset;
  if (!input.dataset.empty()) {
    Result<std::string> resolved = ResolveOptionPath(input.dataset, roots);
    if (!resolved) {
      input.diagnostics.Error("research.path", resolved.error().message,
                              {.file = file, .offset = 0, .length = 0});
      return std::nullopt;
    }
    dataset_path = *std::move(resolved);
  }
  if (!dataset_path) return holds + ", no dataset";
  Result<std::string> dataset_text = input.files.Read(*dataset_path);
  if (!dataset_text) {
    input.diagnostics.Error("research.dataset", "the dataset: " + dataset_text.error().message,
                            {.file = file, .offset = 0, .length = 0});
    return std::nullopt;
  }
  const FileId dataset_file = input.sources.Add(*dataset_path, std::move(*dataset_text));
  const std::optional<Dataset> dataset =
      ReadDataset(dataset_file, *dataset_path, input.sources.Text(dataset_file), input.diagnostics);
  if (!dataset) return std::nullopt;
  return fmt::format("{} over {}", holds, Holds(*dataset));
}

}  // namespace assay::research
