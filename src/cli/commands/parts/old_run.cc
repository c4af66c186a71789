// Parses the stored command words of an old run, and reads its suite again from its files.
#include "cli/commands/parts/old_run.h"

#include <fmt/core.h>

#include "base/files/scoped_files.h"
#include "base/text/shell_words.h"
#include "cli/commands/command.h"
#include "cli/passes/open/loaded.h"
#include "cli/passes/plan/planned.h"
#include "cli/settings/command_line.h"

namespace assay {

namespace {

Result<Options> OptionsOfWords(const RunRecord& record) {
  ASSAY_TRY(std::vector<std::string> words, SplitWords(record.source));
  return ParseWords(*FindCommand("run"), std::move(words), Environment::kIgnore);
}

}  // namespace

RunSpec SpecOfWords(const RunRecord& record) {
  Result<Options> options = OptionsOfWords(record);
  return options ? std::move(options->spec) : RunSpec();
}

Result<std::shared_ptr<const Suite>> SuiteOfFiles(const RunRecord& record, const Options& asked) {
  ASSAY_TRY(Options options, OptionsOfWords(record));
  // The store's words name files; only the user says what is granted, and where files may be: here, or in
  // what assay.toml allows.
  options.granted = asked.granted;
  DiskFileReader disk;
  std::vector<std::string> roots = AllowedPaths(asked.granted);
  roots.emplace_back(".");
  ScopedFileReader files(disk, roots);
  SourceFiles sources;
  // Recordings answer a run; they are nothing that it was made of.
  options.spec.replay = "none";
  options.spec.fixtures.clear();
  options.spec.responses.clear();
  const Planned planned = MakePlan(Load(options.spec, options.granted, files, sources), options.spec,
                                   options.granted, Purpose::kShow);
  const Problems& problems = planned.problems;
  const std::string name = Printable(problems.path);
  if (problems.unreadable && problems.unreadable->code == ErrorCode::kRefused) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("the assay that made this run did not keep its suite. {} is outside this folder: "
                    "show the run where it was made",
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
                 fmt::format("the assay that made this run did not keep its suite, and {} has changed since; "
                             "restore the file to see the cells",
                             name)};
  }
  return SuiteOf(planned.plan);
}

}  // namespace assay
