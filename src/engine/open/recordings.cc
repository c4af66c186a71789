// Reads recordings of every kind, and says which were opened and which were left out.
#include "engine/open/recordings.h"

#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <memory>

#include "agent/web/mock_web.h"
#include "base/files/scoped_files.h"
#include "base/hash.h"
#include "dialects/habits.h"
#include "dialects/research/lower/options.h"
#include "dialects/research/research.h"
#include "dialects/unlisted_cases.h"
#include "engine/open/imported.h"
#include "engine/open/loaded.h"
#include "engine/open/response_sets.h"
#include "engine/state/known_stores.h"
#include "engine/words.h"
#include "report/import/imported_run.h"
#include "spec/exchange/replay.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::string_view kNoReplay = "none";

// The text of a recording, registered for messages; problems at no place, since the file is not there.
std::optional<FileId> ReadInto(const std::string& path, std::string_view option, Loaded& loaded,
                               FileReader& files, SourceFiles& sources) {
  Result<std::string> text = files.Read(path);
  if (text) return sources.Add(path, *std::move(text));
  loaded.problems.found.Error("recording.unreadable", fmt::format("{}: {}", option, text.error().message),
                              Span{});
  return std::nullopt;
}

void OpenFixtures(const RunSpec& spec, const Granted& granted, Loaded& loaded, FileReader& files,
                  SourceFiles& sources, OpenedRecordings& opened) {
  if (loaded.dialect == nullptr || loaded.dialect->reader.read_fixtures == nullptr) {
    loaded.problems.found.Error("recording.no-fixtures", "this format has no fixtures of its own", Span{},
                                "use --replay with a recording");
    return;
  }
  // The tool itself goes on without the file unless it was told to be strict.
  if (HabitsOf(spec.compat).goes_on_without_fixtures && !spec.fixtures_strict &&
      !files.Exists(spec.fixtures)) {
    opened.notes.push_back(
        fmt::format("--fixtures: there is no file {}; the models are asked", Printable(spec.fixtures)));
    return;
  }
  const std::optional<FileId> file = ReadInto(spec.fixtures, "--fixtures", loaded, files, sources);
  if (!file) return;
  const ReadOptions read_options = ReadOptionsOf(spec, granted);
  const ReadInput input{.path = spec.fixtures,
                        .options = read_options,
                        .files = files,
                        .sources = sources,
                        .diagnostics = loaded.problems.found};
  std::optional<Recording> fixtures = loaded.dialect->reader.read_fixtures(input, *file, sources.Text(*file));
  if (!fixtures) return;
  fixtures->strict = spec.fixtures_strict && !HabitsOf(spec.compat).goes_on_without_fixtures;
  opened.recordings.push_back(*std::move(fixtures));
}

// Not a table of answers, which some formats have.
bool IsResultFile(const std::string& path) {
  std::error_code problem;
  return std::filesystem::is_regular_file(path, problem) && !path.ends_with(".csv");
}

// Results that others wrote, or a folder of texts: of any format. Whose they are goes into `suite`.
std::optional<Recording> OpenResults(const std::string& path, const RunSpec& spec, const Granted& granted,
                                     Suite& suite, Loaded& loaded, const SourceFiles& sources,
                                     std::vector<std::string>& notes) {
  std::error_code problem;
  const bool is_folder = std::filesystem::is_directory(path, problem);
  Result<std::shared_ptr<const ImportedRun>> run =
      RunOfFilePart(is_folder && !path.ends_with('/') ? path + "/" : path, AllowedPaths(granted));
  if (!run) {
    loaded.problems.found.Error("recording.unreadable", run.error().message, Span{},
                                "`assay list importers` names what can be graded again");
    return std::nullopt;
  }
  if (!(*run)->has_answers) {
    loaded.problems.found.Error(
        "recording.unreadable",
        fmt::format("{} holds scores and no answers, so that nothing can be graded again", Quoted(path)),
        Span{}, "name the answers that it was made of; `assay show FILE` shows it");
    return std::nullopt;
  }
  // Scores of the file do not count here; which of its answers are graded does.
  for (const ImportRemark& remark : (*run)->remarks) {
    if (!remark.is_warning) notes.push_back(fmt::format("{}: {}", Printable(path), Printable(remark.text)));
  }
  return AnswersFor(suite, *std::move(run), path, !TakesPart(spec), sources, loaded.problems.found);
}

// One set of recorded answers: they say whose they are.
std::optional<Recording> OpenSet(const std::string& path, const RunSpec& spec, const Granted& granted,
                                 Suite& suite, Loaded& loaded, FileReader& files, SourceFiles& sources,
                                 std::vector<std::string>& notes) {
  const std::string file = FilePartOf(path).file;
  if (!files.Exists(file)) {
    loaded.problems.found.Error(
        "recording.unreadable",
        fmt::format("there is no file or folder {} of recorded answers", Quoted(path)), Span{},
        "name what holds one model's answers: assay grade SUITE RESPONSES");
    return std::nullopt;
  }
  if (!loaded.dialect->responses || IsResultFile(file))
    return OpenResults(path, spec, granted, suite, loaded, sources, notes);
  const ReadOptions read_options = ReadOptionsOf(spec, granted);
  const bool is_folder = std::filesystem::is_directory(path);
  const std::string beside = std::filesystem::path(path).parent_path().string();
  std::vector<std::string> roots = AllowedPaths(granted);
  roots.push_back(is_folder ? path : beside.empty() ? "." : beside);
  ScopedFileReader own_files(files, roots);
  const ReadInput input{.path = path,
                        .options = read_options,
                        .files = own_files,
                        .sources = sources,
                        .diagnostics = loaded.problems.found};
  return loaded.dialect->responses->read(input, suite);
}

// Sets of recorded answers, a variant or more each, as those of one run.
void OpenResponses(const RunSpec& spec, const Granted& granted, Loaded& loaded, FileReader& files,
                   SourceFiles& sources, OpenedRecordings& opened) {
  if (!loaded.may_run()) return;
  ResponseSets sets(*loaded.suite);
  for (const std::string& path : spec.responses) {
    Suite suite = *loaded.suite;
    std::optional<Recording> recording =
        OpenSet(path, spec, granted, suite, loaded, files, sources, opened.notes);
    if (!recording) return;
    sets.Add(suite, *std::move(recording), loaded.problems.found);
  }
  opened.recordings.push_back(std::move(sets).Join(*loaded.suite, loaded.problems.found));
}

// The simulated web of each run that has one: pages and searches of its cells, and of no others.
void OpenMockWebs(const RunSpec& spec, const Granted& granted, Loaded& loaded, FileReader& all_files,
                  SourceFiles& sources, OpenedRecordings& opened) {
  if (!loaded.may_run()) return;
  // A matrix may be a stranger's: fixtures and their pages lie where its documents may.
  std::vector<std::string> roots = AllowedPaths(granted);
  roots.emplace_back(".");
  for (const std::string& path : {loaded.problems.path, spec.own.Text(research::kMockWebOption)})
    if (!path.empty()) roots.push_back("./" + path.substr(0, path.rfind('/') + 1));
  ScopedFileReader files(all_files, roots);
  std::map<std::string, std::shared_ptr<const MockWeb>> webs;  // by path
  std::vector<std::shared_ptr<const MockWeb>> of_variants;
  for (const Variant& variant : loaded.suite->variants) {
    const std::string& path = variant.details.TextAt(kMockWebDetail);
    std::shared_ptr<const MockWeb>& web = of_variants.emplace_back();
    if (path.empty()) continue;
    const auto [place, is_new] = webs.try_emplace(path);
    if (is_new) {
      const std::optional<FileId> file = ReadInto(path, "mock_web_fixtures", loaded, files, sources);
      std::optional<MockWeb> read =
          file ? ReadMockWeb({.file = *file, .path = path, .text = sources.Text(*file), .files = files},
                             loaded.problems.found)
               : std::nullopt;
      if (read) place->second = std::make_shared<const MockWeb>(*std::move(read));
    }
    web = place->second;
  }
  if (!webs.empty()) opened.recordings.push_back(MockWebRecording(std::move(of_variants)));
}

}  // namespace

std::string ReplayPathBeside(std::string_view suite_path) {
  const std::size_t name = suite_path.rfind('/') + 1;  // npos + 1 is the start
  const std::size_t dot = suite_path.rfind('.');
  const bool has_extension = dot != std::string_view::npos && dot > name;
  return fmt::format("{}.replay.jsonl", has_extension ? suite_path.substr(0, dot) : suite_path);
}

OpenedRecordings OpenRecordings(const RunSpec& spec, const Granted& granted, Loaded& loaded,
                                FileReader& files, SourceFiles& sources) {
  OpenedRecordings opened;
  OpenMockWebs(spec, granted, loaded, files, sources, opened);
  if (!spec.fixtures.empty()) OpenFixtures(spec, granted, loaded, files, sources, opened);
  if (!spec.responses.empty()) {
    OpenResponses(spec, granted, loaded, files, sources, opened);
    return opened;
  }
  if (spec.replay == kNoReplay) return opened;
  std::string path = spec.replay;
  if (path.empty()) {
    path = ReplayPathBeside(loaded.problems.path);
    if (!spec.fixtures.empty() || !files.Exists(path)) return opened;
  }
  // One that nobody named is the folder's word: it lies there.
  std::vector<std::string> roots = AllowedPaths(granted);
  const std::size_t slash = path.rfind('/');
  roots.push_back(spec.replay.empty() && slash != std::string::npos ? path.substr(0, slash + 1) : ".");
  ScopedFileReader beside(files, roots);
  FileReader& reader = spec.replay.empty() ? static_cast<FileReader&>(beside) : files;
  const std::optional<FileId> file = ReadInto(path, "--replay", loaded, reader, sources);
  if (!file) return opened;
  Replay replay = ReadReplay(path, *file, sources.Text(*file), loaded.problems.found);
  if (spec.replay.empty()) {
    const Digest digest = Sha256Of(sources.Text(*file));
    if (!IsOwnRecording(digest))
      opened.unasked = UnaskedRecording{.path = path, .digest = Hex(digest), .replies = replay.replies};
    opened.notes.push_back(
        fmt::format("answers come from {}, {} recorded replies; --replay none asks the models",
                    Printable(path), replay.replies));
  }
  opened.recordings.push_back(std::move(replay.recording));
  return opened;
}

bool IsReplayed(const RunSpec& spec, std::string_view suite_path, FileReader& files) {
  return spec.replay.empty() ? files.Exists(ReplayPathBeside(suite_path)) : spec.replay != kNoReplay;
}

}  // namespace assay
