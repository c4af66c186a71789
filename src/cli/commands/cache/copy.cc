// `assay cache copy`: runs go from one store to another.
#include <fmt/core.h>

#include <filesystem>

#include "cli/commands/cache/works.h"
#include "cli/terminal/json_values.h"
#include "engine/signals.h"
#include "engine/state/copied_runs.h"
#include "engine/words.h"
#include "engine/write/writer.h"
#include "store/location.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// The runs that are meant: one, or all of them, oldest first.
Result<std::vector<RunRecord>> RunsToCopy(Store& from, const std::string& name) {
  if (name.empty()) return from.Runs();
  ASSAY_TRY(RunRecord run, from.FindRun(name));
  return std::vector<RunRecord>{std::move(run)};
}

std::string CopyText(const CopyCounts& counts, const std::vector<std::string>& kept, const Options& options) {
  if (options.shown.json) {
    return ShownJson(WriteJson(Object{{"runs", counts.runs},
                                      {"runs_there", counts.runs_there},
                                      {"runs_kept", ArrayOf(kept)},
                                      {"exchanges", counts.exchanges},
                                      {"exchanges_there", counts.exchanges_there},
                                      {"cells", counts.cells}},
                               JsonStyle::kJavaScript2)) +
           "\n";
  }
  return fmt::format("copied {} with {} and {}; {} and {} were there already\n", Counted(counts.runs, "run"),
                     Counted(counts.cells, "cell"), Counted(counts.exchanges, "exchange"),
                     Counted(counts.runs_there, "run"), Counted(counts.exchanges_there, "exchange"));
}

void TellOfKept(const std::vector<std::string>& kept, const std::string& to, Ui& ui) {
  for (const std::string& id : kept) {
    ui.Problem(
        fmt::format("warning: run {} is not copied: it, or the run whose cells it has, is another one in {}. "
                    "Only one of both is yours; `assay cache adopt` takes over a store",
                    Printable(id), Printable(ShownLocation(to))));
  }
}

}  // namespace

// Runs with all that they used, from a store of one kind to one of any.
Result<std::string> CopyRuns(const Options& options, Ui& ui) {
  const std::string& from_path = options.arguments[1];
  const std::string& to_path = options.arguments[2];
  ASSAY_TRY(const std::unique_ptr<Store> from, OpenForReading({.path = from_path}));
  std::error_code problem;
  if (from_path == to_path || std::filesystem::equivalent(from_path, to_path, problem))
    return Error{ErrorCode::kInvalidInput, "expected two stores, found one twice"};
  ASSAY_TRY(const StoreOrigin origin, OriginOf(*from, from_path));
  Granted granted = options.granted;
  granted.store = to_path;
  SystemClock clock;
  StopSignals signals;
  ASSAY_TRY(const std::unique_ptr<OwnStore> to,
            OpenForWriting(granted, clock, signals, [&ui](std::string text) { ui.Note(text); }));
  UsualSignals as_usual;  // what is half copied is gone on with by the same command
  ASSAY_TRY(const std::vector<RunRecord> runs, RunsToCopy(*from, options.command.run));
  ASSAY_TRY(const CopiedRuns copied, CopyRunsOf(*from, origin, runs, *to, clock.WallMs()));
  if (origin.IsForeign()) {
    ui.Note(fmt::format("{} has answers that this user did not make. {} now has them too",
                        Printable(ShownLocation(from_path)), Printable(ShownLocation(to_path))));
  }
  TellOfKept(copied.kept, to_path, ui);
  return CopyText(copied.counts, copied.kept, options);
}

}  // namespace assay
