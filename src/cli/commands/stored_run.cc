// Plans of stored runs.
#include "cli/commands/stored_run.h"

#include <fmt/core.h>

#include "base/scoped_files.h"
#include "base/shell_words.h"
#include "cli/commands/command.h"
#include "cli/passes/planned.h"
#include "cli/settings/command_line.h"
#include "report/aggregate.h"
#include "spec/reduce.h"
#include "spec/stored_suite.h"

namespace assay {

namespace {

// From the run's own words and the files that they name.
Result<std::shared_ptr<const Plan>> PlanOfFiles(const RunRecord& record, const Options& asked) {
  const CommandRow* run = FindCommand("run");
  ASSAY_TRY(std::vector<std::string> words, SplitWords(record.source));
  ASSAY_TRY(Options options, ParseWords(*run, std::move(words), Environment::kIgnore));
  options.settings = asked.settings;
  // The store's words name files; only the user says where they may be: here, or in what assay.toml allows.
  DiskFileReader disk;
  std::vector<std::string> roots = AllowedPaths(asked);
  roots.emplace_back(".");
  ScopedFileReader files(disk, roots);
  SourceFiles sources;
  // Recordings answer a run; they are nothing that it was made of.
  options.replay = "none";
  options.fixtures.clear();
  options.responses.clear();
  const Planned planned =
      MakePlan(Load(options.arguments.front(), options, files, sources), options, Purpose::kShow);
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
  return planned.plan;
}

}  // namespace

Result<std::shared_ptr<const Plan>> PlanOfRun(Store& store, const RunRecord& record, const Options& options) {
  if (!record.suite) return PlanOfFiles(record, options);
  ASSAY_TRY(Suite suite, store.LoadSuite(*record.suite));
  ASSAY_TRY(suite.toolchains, DecodeToolchains(record.toolchains));
  if (FindAggregation(suite.aggregation.formula) == nullptr || !FindReducer(suite.aggregation.reduce)) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("the stored suite of run {} names a formula that this assay does not have",
                             record.context.run_id)};
  }
  Diagnostics diagnostics;
  std::shared_ptr<const Plan> plan = Plan::Build(std::move(suite), {}, diagnostics);
  if (plan == nullptr || plan->CellCount() != record.cells) {
    return Error{ErrorCode::kCorrupt, fmt::format("the stored suite of run {} is not the one it was made of",
                                                  record.context.run_id)};
  }
  return plan;
}

}  // namespace assay
