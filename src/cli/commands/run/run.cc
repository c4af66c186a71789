// The command `assay run`: one pass over its files, or one after each change of them.
#include <fmt/core.h>

#include <algorithm>

#include "base/files/file_reader.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/cached_output.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/pages.h"
#include "cli/commands/parts/trusting.h"
#include "cli/commands/parts/until_options.h"
#include "cli/files/watched_files.h"
#include "dialects/habits.h"
#include "engine/grants/limits.h"
#include "engine/open/loaded.h"
#include "engine/shards/sharing_rules.h"
#include "engine/signals.h"

#include "cli/commands/run/pass.h"

#include "cli/commands/run/repeated.h"
#include "engine/state/known_stores.h"

namespace assay {

namespace {

// Until Ctrl-C. What was answered is in the store, so each pass asks only what the change asks for.
ExitCode RunAndWatch(const std::vector<Options>& runs, Ledger& ledger, Ui& ui) {
  SystemClock clock;
  StopSignals signals;
  WatchedFiles watched;
  bool has_agreed = false;
  const std::string powers = DigestOf(runs.front().granted.settings.powers);
  while (true) {
    WatchedFiles files;
    files.SetSpoolFolder(SpoolFolderOf(runs.front().granted));
    if (PowersNow(files) != powers) {
      ui.Problem("error: what needs trust in assay.toml has changed; start the run again");
      return ExitCode::kUsage;
    }
    const ExitCode code =
        RunPass(runs, {.files = files, .signals = &signals, .ledger = ledger, .has_agreed = has_agreed}, ui);
    if (!ui.Flush()) return code;
    if (code == ExitCode::kInterrupted || signals.came()) return ExitCode::kInterrupted;
    if (code == ExitCode::kUsage) files.AddMissing(watched);
    const std::string& recorded = runs.front().outputs.record;
    if (!recorded.empty()) files.Forget(recorded);
    watched = std::move(files);
    const std::size_t count = watched.CountExisting();
    ui.Note(fmt::format("watching {}; Ctrl-C ends", Counted(count, "file")));
    BoundedQueue<bool> stop(1);
    signals.Watch([&stop] { stop.PushUnbounded(true); });
    const std::optional<std::string> changed = WaitForChange(watched, clock, stop);
    signals.EndWatch();
    if (!changed || signals.came()) return ExitCode::kInterrupted;
    ui.Note(fmt::format("{} has changed", Printable(*changed)));
  }
}

// The page of the run that has just ended; of several the list.
ExitCode ServeLatest(std::size_t runs, const Options& options, Ui& ui) {
  PagesAsk ask{.stores = {options.granted.store}, .runs = {}};
  if (runs == 1) {
    const Result<std::unique_ptr<Store>> store = OpenForReading({.path = options.granted.store});
    if (!store) return FailWith(ui, store.error());
    const Result<RunRecord> latest = (*store)->FindRun("latest");
    if (!latest) return FailWith(ui, latest.error());
    ask.runs = {latest->context.run_id};
  }
  return ServePages(ask, options, ui);
}

// What shaped the run that goes on shapes it still; what it may touch and spend is said anew.
ExitCode ResumeRun(const Options& options, Ui& ui) {
  Options run = options;
  const Status found = TakeResumed(run);
  if (!found) return FailWith(ui, found.error());
  return RunEach({std::move(run)}, ui);
}

}  // namespace

ExitCode RunCommand(const Options& options, Ui& ui) {
  if (!options.command.resume.empty()) return ResumeRun(options, ui);
  std::vector<Options> runs;
  for (const std::string& path : options.arguments) {
    runs.push_back(options);
    runs.back().arguments = {path};
    runs.back().spec = options.SpecOf(path);
  }
  return RunEach(std::move(runs), ui);
}

ExitCode RunEach(std::vector<Options> runs, Ui& ui) {
  ASSAY_ASSERT(!runs.empty());
  Options& options = runs.front();
  if (const std::string wrong = WrongUntil(options); !wrong.empty()) {
    ui.Problem("error: " + wrong);
    return ExitCode::kUsage;
  }
  if (const std::string wrong = WrongEarly(options); !wrong.empty()) {
    ui.Problem("error: " + wrong);
    return ExitCode::kUsage;
  }
  if (options.outputs.out.empty()) options.outputs.out = HabitsOf(options.spec.compat).out;
  ShardOptions& sharing = options.command.sharing;
  TakeTask(sharing);
  if (const std::string wrong = WrongSharing(sharing, options.granted, runs.size()); !wrong.empty()) {
    ui.Problem("error: " + wrong);
    return ExitCode::kUsage;
  }
  if (runs.size() > 1 && !options.outputs.exports.empty()) {
    ui.Problem("error: --export writes one run; name one suite, or use `assay export` for each run");
    return ExitCode::kUsage;
  }
  for (Options& run : runs) run.outputs.out = options.outputs.out;
  if (!MayUsePowers(runs, ui)) return ExitCode::kUsage;
  std::optional<ExitCode> code;
  if (runs.size() == 1 && IsCacheable(options)) code = SayAgain(options, ui);
  Ledger ledger(BudgetOf(options.granted.calls));
  WatchedFiles files;
  files.SetSpoolFolder(SpoolFolderOf(options.granted));
  const bool is_there = std::all_of(runs.begin(), runs.end(),
                                    [&](const Options& run) { return files.Exists(run.arguments.front()); });
  if (options.command.watch && is_there && sharing.cluster.empty()) return RunAndWatch(runs, ledger, ui);
  bool has_agreed = false;
  if (!code) {
    const Passes pass{.files = files, .signals = nullptr, .ledger = ledger, .has_agreed = has_agreed};
    code = RunPass(runs, pass, ui);
  }
  if (!options.command.open || code == ExitCode::kUsage || code == ExitCode::kInterrupted) return *code;
  // What the run came to is what the command ends with, however long the pages are looked at.
  const ExitCode shown = ServeLatest(runs.size(), options, ui);
  return shown == ExitCode::kDone ? *code : shown;
}

}  // namespace assay
