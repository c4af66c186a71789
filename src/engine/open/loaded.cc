// Reads one suite file: finds its dialect, reads it with the allowed files, and opens its recordings.
#include "engine/open/loaded.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "base/files/file_reader.h"
#include "base/files/scoped_files.h"
#include "base/hash.h"
#include "base/text/shell_words.h"
#include "checks/check.h"
#include "dialects/parts.h"
#include "engine/open/other_files.h"
#include "engine/open/recordings.h"
#include "engine/research_files.h"
#include "plan/check_probe.h"
#include "providers/provider.h"
#include "run/wire/router.h"
#include "spec/suite/names/suite_names.h"
#include "spec/suite/suite.h"
#include "store/location.h"

namespace assay {

namespace {

// Without assay's own, which hold passwords of stores.
std::map<std::string, std::string, std::less<>> EnvironmentOfProcess() {
  std::map<std::string, std::string, std::less<>> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    const std::size_t equals = variable.find('=');
    if (equals != std::string_view::npos && !variable.starts_with("ASSAY_"))
      variables.emplace(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return variables;
}

}  // namespace

ReadOptions ReadOptionsOf(const RunSpec& spec, const Granted& granted) {
  const Settings& settings = granted.settings;
  const PathRoots roots = RootsOfProcess();
  ReadOptions options;
  static_cast<RunSpec&>(options) = spec;
  options.collections = settings.collections;
  options.aliases = settings.aliases;
  options.aliases_problem = settings.aliases_problem;
  options.search_url = settings.search_url;
  options.page_timeout_ms = settings.page_timeout_ms;
  options.search_timeout_ms = settings.search_timeout_ms;
  options.summarizer_alias = settings.summarizer_alias;
  options.places = granted.own;
  options.check_names = CheckNames();
  for (const CheckRow& row : CheckTable()) {
    for (const std::string_view there : row.elsewhere) options.checks_elsewhere.push_back({there, row.name});
  }
  options.environment = EnvironmentOfProcess();
  options.cwd = roots.cwd;
  options.home = roots.home;
  return options;
}

std::vector<std::string> AllowedPaths(const Granted& granted) {
  std::vector<std::string> paths = granted.paths;
  paths.insert(paths.end(), granted.settings.allowed_paths.begin(), granted.settings.allowed_paths.end());
  return paths;
}

ScopedFileReader FilesOf(const RunSpec& spec, const Granted& granted, const DialectRow* dialect,
                         FileReader& files) {
  std::vector<std::string> roots = AllowedPaths(granted);
  if (dialect != nullptr && dialect->reader.reads_widely) roots.emplace_back(".");
  for (const DialectOption& option : dialect != nullptr ? dialect->options : DialectRow().options) {
    if (option.reads == OptionReads::kNothing) continue;
    for (std::string path : spec.own.Texts(option.name)) {
      if (option.reads == OptionReads::kFolderOfNamedFile) {
        path.erase(0, path.find('=') + 1);
        roots.push_back(path.substr(0, path.rfind('/') + 1));  // npos + 1 is the start
      } else if (!path.empty()) {
        roots.push_back(option.reads == OptionReads::kFolder ? path : FolderOfFile(path));
      }
    }
  }
  roots.emplace_back(spec.file.substr(0, spec.file.rfind('/') + 1));  // npos + 1 is the start
  return ScopedFileReader(files, roots);
}

namespace {

std::vector<std::string> DigestsOf(const std::string& command, const std::string& cwd, FileReader& files) {
  std::vector<std::string> digests;
  const Result<std::vector<std::string>> words = SplitWords(command);
  if (!words) return digests;
  for (const std::string& word : *words) {
    const std::string path = word.starts_with('/') ? word : fmt::format("{}/{}", cwd, word);
    if (!files.Exists(path)) continue;
    if (const Result<std::string> text = files.Read(path)) digests.push_back(Hex(Sha256Of(*text)));
  }
  return digests;
}

// Of everybody whom the suite asks through a program, whatever its format: the digests of the files among the
// words of the command line, below `cwd` where they are not absolute. A word that is no file, a folder, and
// what cannot be read or is larger than limits::kInputFileBytesMax count for nothing; whoever names no file
// is absent. They stand in the suite as well (Variant::inputs), so that a run whose program was changed is
// another run.
ProgramInputs TakeProgramInputs(const std::string& cwd, FileReader& files, Suite& suite) {
  ProgramInputs inputs;
  // Null: it is no program, or names no file.
  const auto take = [&](const ModelRef& model) -> const std::vector<std::string>* {
    const ProviderRow* provider = FindProvider(model.provider);
    if (provider == nullptr || provider->route != Route::kProgram) return nullptr;
    const std::string id = fmt::format("{}:{}", model.provider, model.model);
    if (const auto known = inputs.find(id); known != inputs.end()) return &known->second;
    std::vector<std::string> digests = DigestsOf(model.model, cwd, files);
    return digests.empty() ? nullptr : &(inputs[id] = std::move(digests));
  };
  for (Variant& variant : suite.variants) {
    if (const std::vector<std::string>* digests = take(variant)) variant.inputs = *digests;
    for (const ModelRef& fallback : variant.fallbacks) take(fallback);
  }
  for (const Judge* judge : JudgesOf(suite)) take(*judge);
  return inputs;
}

void ReadSuite(const RunSpec& spec, const Granted& granted, FileReader& files, SourceFiles& sources,
               NormalForm normal_form, RowsRead rows, Loaded& loaded) {
  const std::string& path = loaded.problems.path;
  Diagnostics& diagnostics = loaded.problems.found;
  Result<std::string> text = files.Read(path);
  if (!text) {
    loaded.problems.unreadable = std::move(text).error();
    return;
  }
  const FileId file = sources.Add(path, std::move(*text));
  if (TellOtherFile(path, file, sources.Text(file), diagnostics)) return;
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
  ReadOptions read_options = ReadOptionsOf(spec, granted);
  read_options.keeps_normal_form = normal_form == NormalForm::kKept;
  read_options.reads_on = true;
  read_options.reads_all_rows = rows == RowsRead::kAll;
  if (normal_form == NormalForm::kDropped)
    read_options.binds_quietly = [probe = std::make_shared<CheckProbe>()](const Case& the_case) {
      return probe->BindsQuietly(the_case);
    };
  ScopedFileReader own_files = FilesOf(spec, granted, loaded.dialect, files);
  const ReadInput input{.path = path,
                        .options = read_options,
                        .files = own_files,
                        .sources = sources,
                        .diagnostics = diagnostics};
  loaded.suite = loaded.dialect->reader.read(input, file, sources.Text(file));
  if (loaded.suite && !input.options.pass_at_k.empty()) loaded.suite->pass_at_k = input.options.pass_at_k;
  if (const auto name = loaded.suite ? FindLongName(*loaded.suite) : std::nullopt) {
    diagnostics.Error(
        "suite.long-name", name->message,
        name->span.file == FileId::kNone ? Span{.file = file, .offset = 0, .length = 0} : name->span,
        "give it a shorter one; what is to be read belongs into texts");
  }
  if (loaded.suite) loaded.program_inputs = TakeProgramInputs(read_options.cwd, files, *loaded.suite);
  if (loaded.suite) loaded.normal_form = std::exchange(loaded.suite->normal_form, {});
}

}  // namespace

std::string SpoolFolderOf(const Granted& granted) {
  const std::string folder = IsServer(granted.store) ? std::string() : FolderOfFile(granted.store);
  std::error_code unknown;
  if (std::filesystem::is_directory(folder, unknown)) return folder;
  const char* said = std::getenv("TMPDIR");
  return said == nullptr ? std::string() : std::string(said);
}

Loaded Load(const RunSpec& spec, const Granted& granted, FileReader& files, SourceFiles& sources,
            NormalForm normal_form, RowsRead rows) {
  Loaded loaded{.problems = {.path = spec.file, .unreadable = {}, .found = {}},
                .dialect = nullptr,
                .suite = {},
                .normal_form = {},
                .recorded = {}};
  ReadSuite(spec, granted, files, sources, normal_form, rows, loaded);
  loaded.recorded = OpenRecordings(spec, granted, loaded, files, sources);
  return loaded;
}

}  // namespace assay
