// Folding a run, with its files read again where it did not keep its suite.
#include "cli/commands/stored_run.h"

#include <fmt/core.h>

#include "base/scoped_files.h"
#include "base/shell_words.h"
#include "cli/commands/command.h"
#include "cli/known_stores.h"
#include "cli/passes/planned.h"
#include "cli/settings/command_line.h"
#include "history/retelling.h"
#include "report/fold.h"

namespace assay {

namespace {

// What the run was made with, by its own words.
Result<Options> OptionsOfRun(const RunRecord& record) {
  ASSAY_TRY(std::vector<std::string> words, SplitWords(record.source));
  return ParseWords(*FindCommand("run"), std::move(words), Environment::kIgnore);
}

Result<std::shared_ptr<const Suite>> SuiteOfFiles(const RunRecord& record, const Options& asked) {
  ASSAY_TRY(Options options, OptionsOfRun(record));
  options.granted.settings = asked.granted.settings;
  // The store's words name files; only the user says where they may be: here, or in what assay.toml allows.
  DiskFileReader disk;
  std::vector<std::string> roots = AllowedPaths(asked.granted);
  roots.emplace_back(".");
  ScopedFileReader files(disk, roots);
  SourceFiles sources;
  // Recordings answer a run; they are nothing that it was made of.
  options.spec.replay = "none";
  options.spec.fixtures.clear();
  options.spec.responses.clear();
  const Planned planned =
      MakePlan(Load(options.spec, options.granted, files, sources), options.spec, options.granted,
                                   Purpose::kShow);
  const Problems& problems = planned.problems;
  const std::string name = Printable(problems.path);
  if (problems.unreadable && problems.unreadable->code == ErrorCode::kRefused) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("this run was made by an assay that did not keep its suite, and only the store names "
                    "{}, which lies outside this folder; show it where it was made",
                    name)};
  }
  if (planned.plan == nullptr) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("this run was made by an assay that did not keep its suite, and {} cannot be read as it "
                    "was:\n{}",
                    name, ProblemsText(problems, sources))};
  }
  // Digests of that version cannot be compared with today's; the number of cells can.
  if (planned.plan->CellCount() != record.cells) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("this run was made by an assay that did not keep its suite, and {} has changed "
                             "since, so that its cells cannot be told apart; restore the file to see them",
                             name)};
  }
  return SuiteOf(planned.plan);
}

}  // namespace

ExitCode WithStore(const Options& options, Ui& ui, const std::function<ExitCode(Store& store)>& work) {
  const Result<std::unique_ptr<Store>> store =
      OpenStore({.path = options.granted.store, .read_only = true});
  if (store) return work(**store);
  ui.Problem(fmt::format("assay: {}", store.error().message));
  return store.error().code == ErrorCode::kNotFound ? ExitCode::kUsage : ExitCode::kUnfinished;
}

std::optional<RunSpec> SpecOfRun(const RunRecord& record) {
  if (!record.spec.empty()) {
    Result<RunSpec> spec = DecodeRunSpec(record.spec);
    return spec ? std::optional(*std::move(spec)) : std::nullopt;
  }
  Result<Options> options = OptionsOfRun(record);
  return options ? std::optional(std::move(options->spec)) : std::nullopt;
}

double PassAtOfRun(const Options& asked, const std::optional<RunSpec>& made_with, std::string_view dialect) {
  const GivenOption* given = asked.Given("--pass-at");
  // A file of settings says what holds where the run itself says nothing.
  const bool is_asked_now = given != nullptr && !given->is_setting;
  const bool has_own = made_with && made_with->pass_at;
  return PassAtOf(is_asked_now || !has_own ? asked.spec.pass_at : made_with->pass_at, dialect);
}

Result<std::shared_ptr<const Suite>> SuiteOfRun(Store& store, const RunRecord& record, const Options& asked) {
  return record.suite ? SuiteOf(store, record) : SuiteOfFiles(record, asked);
}

std::string PartToldNote(const Report& report) {
  if (report.part_told == nullptr || !*report.part_told) return {};
  return "another version of assay made some of the answers and stored no words of them; they are shown as "
         "far as this version can tell";
}

Result<Report> FoldStored(Store& store, const RunRecord& record, const Options& asked) {
  ASSAY_TRY(std::shared_ptr<const Suite> suite, SuiteOfRun(store, record, asked));
  ASSAY_TRY(Report report, Fold(store, record, std::move(suite), RetellingOf(record)));
  ASSAY_TRY(const StoreOrigin origin, OriginOf(store, asked.granted.store));
  ASSAY_TRY(report.totals.foreign_replies, CountForeign(store, origin, record, report.totals));
  return report;
}

}  // namespace assay
