// Recognises datasets and matrices, checks them, and words what they hold.
#include "dialects/research/read/parts.h"

#include <fmt/core.h>

#include <algorithm>

#include "dialects/names.h"
#include "dialects/research/read/dataset.h"
#include "dialects/research/read/matrix.h"
#include "dialects/research/read/named.h"
#include "dialects/research/session/pinned.h"
#include "dialects/research/session/snapshot.h"
#include "dialects/rows_from/selection.h"
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

// Whether an option selects rows, and no test comes from a table; told.
bool IsSelectionLost(const PartInput& input, const Dataset& dataset, FileId file) {
  return dataset.summaries.empty() && RefuseLostSelection(input.own, file, input.diagnostics);
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

bool IsOfProgram(const PartInput& input, const RunProfile& run) {
  const auto alias = input.aliases.find(run.profile.model_alias);
  const std::string& model = alias == input.aliases.end() ? run.profile.model_alias : alias->second.model;
  return NamesProgram(ModelAddressOf(model).provider);
}

// Whoever is meant by the run's alias must be known.
void CheckModel(const PartInput& input, const RunProfile& run) {
  const std::string& name = run.profile.model_alias;
  std::string model = name;
  if (const auto alias = input.aliases.find(name); alias != input.aliases.end()) {
    WarnOfUntrusted(name, alias->second, run.alias_span, input.diagnostics);
    if (alias->second.problem.empty())
      input.tell_last_day(alias->second.model, run.alias_span, input.diagnostics);
    if (!alias->second.base_url.empty() || !alias->second.problem.empty()) return;
    model = alias->second.model;
  }
  if (model.find(':') != std::string::npos) {
    if (model == name) input.tell_last_day(model, run.alias_span, input.diagnostics);
    return input.tell_model(model, run.alias_span, input.diagnostics);
  }
  const Error unknown = UnknownAlias(model, input.aliases);
  input.diagnostics.Warning("research.alias", fmt::format("run {}: {}", Quoted(run.id), unknown.message),
                            run.alias_span, unknown.notes.front());
}

// The dataset of --dataset, else of the matrix.
std::optional<Dataset> DatasetOf(const PartInput& input, const Matrix& matrix, const PathRoots& roots,
                                 FileId file) {
  const Span start{.file = file, .offset = 0, .length = 0};
  std::optional<std::string> path = matrix.dataset;
  if (!input.dataset.empty()) {
    Result<std::string> resolved = ResolveOptionPath(input.dataset, roots);
    if (!resolved) {
      input.diagnostics.Error("research.path", resolved.error().message, start);
      return std::nullopt;
    }
    path = *std::move(resolved);
  }
  if (!path) {
    TellNoDataset(matrix, start, Severity::kWarning, input.diagnostics);
    return std::nullopt;
  }
  Result<std::string> text = input.files.Read(*path);
  if (!text) {
    TellUnreadDataset(text.error(), *path, input.dataset.empty() ? matrix.dataset_span : start, input.files,
                      input.diagnostics);
    return std::nullopt;
  }
  const FileId read = input.sources.Add(*path, std::move(*text));
  const TableReading tables{input.files, input.sources, RowOverridesOf(input.own)};
  return ReadDataset(read, *path, input.sources.Text(read), input.diagnostics, true, &tables);
}

// Runs that read documents from this machine need them. They may come later: `assay prepare` downloads them.
void CheckCopies(const PartInput& input, const Matrix& matrix, const PathRoots& roots,
                 const Dataset& dataset) {
  const bool are_read = std::any_of(matrix.runs.begin(), matrix.runs.end(), [](const RunProfile& run) {
    return run.profile.source_provider == kLocalSnapshot;
  });
  const bool are_cited = std::any_of(dataset.tests.begin(), dataset.tests.end(),
                                     [](const TestCase& test) { return test.expected.HasCitation(); });
  if (!dataset.is_named || !(are_read || are_cited)) return;
  const Result<std::string> usual = ResolveOptionPath(kDefaultSnapshotRoot, roots);
  if (!matrix.snapshot_root && !usual) return;
  const PinnedPlace place{.root = matrix.snapshot_root ? *matrix.snapshot_root : *usual,
                          .roots = roots,
                          .where = matrix.snapshot_root_span,
                          .severity = Severity::kWarning};
  static_cast<void>(ReadPinned(place, dataset, input.files, input.diagnostics));
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
  return (has("docs") || has("tests") || has("tests_from")) &&
         std::none_of(std::begin(kOthers), std::end(kOthers), has);
}

bool ClaimsMatrix(std::string_view path, std::string_view) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return EndsIn(path, ".toml") && name != "assay.toml";
}

std::optional<std::string> CheckDataset(const PartInput& input, FileId file, std::string_view text) {
  const TableReading tables{input.files, input.sources, RowOverridesOf(input.own)};
  const std::optional<Dataset> dataset =
      ReadDataset(file, input.absolute, text, input.diagnostics, false, &tables);
  if (!dataset || IsSelectionLost(input, *dataset, file)) return std::nullopt;
  return Holds(*dataset);
}

std::optional<std::string> CheckMatrix(const PartInput& input, FileId file, std::string_view text) {
  const PathRoots roots{.matrix_folder = FolderOfFile(input.absolute), .cwd = input.cwd, .home = input.home};
  const std::optional<Matrix> matrix = ReadMatrix(file, input.absolute, text, roots, input.diagnostics, true);
  if (!matrix) return std::nullopt;
  for (const RunProfile& run : matrix->runs) {
    CheckModel(input, run);
    if (!IsOfProgram(input, run)) WarnOfTools(run, input.diagnostics);
  }
  WarnOfMockWeb(input, *matrix);
  const std::optional<Dataset> dataset = DatasetOf(input, *matrix, roots, file);
  if (dataset) IsSelectionLost(input, *dataset, file);
  if (dataset) CheckCopies(input, *matrix, roots, *dataset);
  if (input.diagnostics.HasErrors()) return std::nullopt;
  const std::string holds = Numbered(matrix->runs.size(), "run");
  return dataset ? fmt::format("{} over {}", holds, Holds(*dataset)) : holds + ", no dataset";
}

}  // namespace assay::research
