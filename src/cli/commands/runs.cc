// The command `assay runs`: lists the runs of the store, as a table or as JSON.
#include <fmt/core.h>

#include <cmath>

#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/commands/parts/watch_run.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/views/results_view.h"
#include "report/values/runs.h"
#include "spec/run/pastable_words.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kTitleColumnsMax = 40;

std::string Table(const std::vector<RunRecord>& runs, const Screen& screen) {
  TextTable table({{"run"},
                   {"started"},
                   {"state"},
                   {"cells", Align::kRight},
                   {"mean", Align::kRight},
                   {"title"},
                   {"made by"}});
  for (const RunRecord& run : runs) {
    table.Add({Printable(run.context.run_id), StartText(run.context),
               run.state == RunState::kFinished ? "finished" : "unfinished", CountText(run.cells),
               std::isnan(run.mean_score) ? "–" : fmt::format("{:.2f}", run.mean_score),
               CutToWidth(Printable(run.title), kTitleColumnsMax),
               fmt::format("assay run {}", Printable(PastableWords(run.source)))});
  }
  return table.Text(screen);
}

std::string Json(const std::vector<RunRecord>& runs) {
  List list;
  for (const RunRecord& run : runs) list.push_back(RecordValue(run));
  return ShownJson(WriteJson(Value(std::move(list)), JsonStyle::kJavaScript2)) + "\n";
}

ExitCode RunsOf(Store& store, const Options& options, Ui& ui) {
  const Result<std::vector<RunRecord>> runs = store.Runs();
  if (!runs) return FailWith(ui, runs.error());
  if (options.shown.json) {
    ui.Out(Json(*runs));
  } else if (runs->empty()) {
    ui.Note("the store has no runs yet; `assay run FILE` makes one");
  } else {
    ui.Out(Table(*runs, options.shown.screen));
  }
  return ExitCode::kDone;
}

}  // namespace

ExitCode RunsCommand(const Options& options, Ui& ui) {
  if (options.command.watch) {
    const std::string name = options.arguments.empty() ? "latest" : options.arguments.front();
    return WithStore(options, ui, [&](Store& store) { return WatchRun(store, name, options, ui); });
  }
  if (!options.arguments.empty()) {
    ui.Problem("error: assay runs takes a run only with --watch; `assay show RUN` shows one");
    return ExitCode::kUsage;
  }
  return WithStore(options, ui, [&](Store& store) { return RunsOf(store, options, ui); });
}

}  // namespace assay
