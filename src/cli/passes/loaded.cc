// Reading one file.
#include "cli/passes/loaded.h"

#include <utility>

#include "base/scoped_files.h"
#include "checks/check.h"
#include "cli/passes/program_inputs.h"
#include "cli/passes/recordings.h"
#include "cli/research_files.h"
#include "dialects/parts.h"
#include "spec/suite_names.h"

namespace assay {

ReadOptions ReadOptionsOf(const Options& options) {
  const research::PathRoots roots = RootsOfProcess();
  return {.compat = options.compat,
          .models = options.models,
          .judges = options.judges,
          .attempts = options.attempts,
          .max_tokens = options.max_tokens,
          .limit = options.limit,
          .filter = options.filter,
          .collections_dir = options.collections_dir,
          .collections = options.settings.collections,
          .selected = options.selected,
          .weighted = options.weighted,
          .run_label = options.run_label,
          .eval_method = options.eval_method,
          .aliases = options.settings.aliases,
          .aliases_problem = options.settings.aliases_problem,
          .search_url = options.settings.search_url,
          .page_timeout_ms = options.settings.page_timeout_ms,
          .search_timeout_ms = options.settings.search_timeout_ms,
          .mock_web = options.mock_web,
          .turn_limits = options.turn_limits,
          .summarizer_alias = options.settings.summarizer_alias,
          .runs = options.runs,
          .dataset = options.dataset,
          .snapshot_root = options.snapshot_root,
          .output_root = options.output_root,
          .embedder = options.embedder,
          .check_names = CheckNames(),
          .cwd = roots.cwd,
          .home = roots.home};
}

double PassAtOf(const Options& options, std::string_view dialect) {
  const DialectRow* row = FindDialect(dialect);
  return options.Given("--pass-at") != nullptr || row == nullptr ? options.pass_at : row->pass_at;
}

double PassAtOfRun(const Options& asked, const Options* made_with, std::string_view dialect) {
  const GivenOption* given = asked.Given("--pass-at");
  // A file of settings says what holds where the run itself says nothing.
  const bool is_asked_now = given != nullptr && given->origin.find("assay.toml") == std::string::npos;
  const bool has_own = made_with != nullptr && made_with->Given("--pass-at") != nullptr;
  return PassAtOf(is_asked_now || !has_own ? asked : *made_with, dialect);
}

std::vector<std::string> AllowedPaths(const Options& options) {
  std::vector<std::string> paths = options.allowed_paths;
  paths.insert(paths.end(), options.settings.allowed_paths.begin(), options.settings.allowed_paths.end());
  return paths;
}

ScopedFileReader FilesOf(const Options& options, std::string_view suite_path, bool reads_widely,
                         FileReader& files) {
  std::vector<std::string> roots = AllowedPaths(options);
  if (reads_widely) {
    roots.emplace_back(".");
    if (!options.snapshot_root.empty()) roots.push_back(options.snapshot_root);
    if (!options.dataset.empty()) roots.push_back(research::FolderOfFile(options.dataset));
  }
  roots.emplace_back(suite_path.substr(0, suite_path.rfind('/') + 1));  // npos + 1 is the start
  if (!options.collections_dir.empty()) roots.push_back(options.collections_dir);
  return ScopedFileReader(files, roots);
}

namespace {

void ReadSuite(const Options& options, FileReader& files, SourceFiles& sources, NormalForm normal_form,
               Loaded& loaded) {
  const std::string& path = loaded.problems.path;
  Diagnostics& diagnostics = loaded.problems.found;
  Result<std::string> text = files.Read(path);
  if (!text) {
    loaded.problems.unreadable = std::move(text).error();
    return;
  }
  const FileId file = sources.Add(path, std::move(*text));
  const PartRow* part = FindPart(path, sources.Text(file));
  if (part != nullptr && !part->no_suite.empty()) {
    diagnostics.Error("suite.no-suite", std::string(part->no_suite), {.file = file, .offset = 0, .length = 0},
                      std::string(part->instead));
    return;
  }
  loaded.dialect = SniffDialect(path, sources.Text(file));
  if (loaded.dialect == nullptr) {
    diagnostics.Error("suite.unknown-format", "this file is in none of the formats that assay reads",
                      {.file = file, .offset = 0, .length = 0}, "`assay list dialects` names them");
    return;
  }
  ReadOptions read_options = ReadOptionsOf(options);
  read_options.keeps_normal_form = normal_form == NormalForm::kKept;
  ScopedFileReader own_files = FilesOf(options, path, loaded.dialect->reader.reads_widely, files);
  const ReadInput input{.path = path,
                        .options = read_options,
                        .files = own_files,
                        .sources = sources,
                        .diagnostics = diagnostics};
  loaded.suite = loaded.dialect->reader.read(input, file, sources.Text(file));
  if (const auto name = loaded.suite ? FindLongName(*loaded.suite) : std::nullopt) {
    diagnostics.Error(
        "suite.long-name", name->message,
        name->span.file == FileId::kNone ? Span{.file = file, .offset = 0, .length = 0} : name->span,
        "give it a shorter one; what is to be read belongs into texts");
    loaded.suite.reset();
    return;
  }
  if (loaded.suite) loaded.program_inputs = TakeProgramInputs(read_options.cwd, files, *loaded.suite);
  if (loaded.suite) loaded.normal_form = std::exchange(loaded.suite->normal_form, {});
}

}  // namespace

Loaded Load(const std::string& path, const Options& options, FileReader& files, SourceFiles& sources,
            NormalForm normal_form) {
  Loaded loaded{.problems = {.path = path, .unreadable = {}, .found = {}},
                .dialect = nullptr,
                .suite = {},
                .normal_form = {},
                .recorded = {}};
  ReadSuite(options, files, sources, normal_form, loaded);
  loaded.recorded = OpenRecordings(options, loaded, files, sources);
  return loaded;
}

}  // namespace assay
