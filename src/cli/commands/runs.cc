// The command `assay runs`: lists the runs of the store, as a table or as JSON.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/commands/parts/watch_run.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/text_table.h"
#include "engine/local_time.h"
#include "engine/state/known_stores.h"
#include "report/fold/stored_summary.h"
#include "report/values/runs.h"
#include "spec/run/pastable_words.h"
#include "statistics/decisions/sentence_parts.h"
#include "store/coordinator.h"
#include "store/location.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kTitleColumnsMax = 40;
constexpr std::ptrdiff_t kRankedByColumn = 4;

using AtWork = std::vector<std::string>;  // ids

bool IsAtWork(const RunRecord& run, const AtWork& at_work) {
  return run.state != RunState::kFinished &&
         std::find(at_work.begin(), at_work.end(), run.context.run_id) != at_work.end();
}

// "finished", "unfinished (cut off)"
std::string StateText(const RunRecord& run, const AtWork& at_work) {
  if (IsAtWork(run, at_work)) return "in progress";
  const std::string_view state = run.state == RunState::kFinished ? "finished" : "unfinished";
  const std::string_view stop = StopName(run, false);
  return stop.empty() ? std::string(state) : fmt::format("{} ({})", state, stop);
}

// The reader's zone at all of these times; "": summer time began or ended between them.
std::string CommonZone(const std::vector<RunRecord>& runs) {
  const std::string zone = LocalTimeOf(runs.front().context.started_ms).zone;
  const bool is_common = std::all_of(runs.begin(), runs.end(), [&zone](const RunRecord& run) {
    return LocalTimeOf(run.context.started_ms).zone == zone;
  });
  return is_common ? zone : std::string();
}

// With its zone, unless the table's head says it.
std::string StartedText(const RunRecord& run, const std::string& zone) {
  const LocalTime time = LocalTimeOf(run.context.started_ms);
  return zone.empty() ? time.whole() : time.text;
}

// "99.5 (best of 10)"; a dash where a run is ranked by its mean.
std::string RankedByText(const RunRecord& run, const std::optional<SummaryValue>& value) {
  if (!value || std::isnan(run.mean_score)) return "–";
  return fmt::format("{} ({})", MeanPoints(run.mean_score), Printable(value->title));
}

// Of all attempts, whatever the run is ranked by.
std::string PlainMeanText(const RunRecord& run, const std::optional<SummaryValue>& value) {
  const double mean = value ? value->plain_mean : run.mean_score;
  return std::isnan(mean) ? "–" : MeanPoints(mean);
}

// Names what the commands of other people's runs leave out.
std::string UnsaidNote(const std::vector<RunRecord>& runs, const StoreOrigin& origin) {
  std::set<std::string> names;
  for (const RunRecord& run : runs) {
    if (!origin.IsForeignRun(run)) continue;
    for (std::string& name : LeftOutOptions(run.source)) names.insert(std::move(name));
  }
  return LeftOutNote({names.begin(), names.end()});
}

// Names the runs that were made elsewhere, the newest of many.
std::string ForeignNote(const std::vector<RunRecord>& runs, const StoreOrigin& origin) {
  constexpr std::size_t kNamedMax = 5;
  std::vector<std::string> ids;
  for (const RunRecord& run : runs) {
    if (origin.IsForeignRun(run)) ids.push_back(Printable(run.context.run_id));
  }
  if (ids.empty()) return {};
  const std::size_t left = ids.size() > kNamedMax ? ids.size() - kNamedMax : 0;
  const std::string count = Counted(ids.size(), "run");
  ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(left));
  return fmt::format("{} that this user did not make: {}{}\n", count, fmt::join(ids, ", "),
                     left == 0 ? std::string() : fmt::format(", and {} more", left));
}

std::string Table(const std::vector<RunRecord>& runs, const StoreOrigin& origin, const AtWork& at_work,
                  const Screen& screen) {
  const std::string zone = CommonZone(runs);
  std::vector<std::optional<SummaryValue>> values;
  for (const RunRecord& run : runs) values.push_back(ValueOfSummary(run.summary));
  const bool some_are_reduced =
      std::any_of(values.begin(), values.end(), [](const auto& value) { return value.has_value(); });
  std::vector<TextTable::Column> columns = {{"run"},
                                            {zone.empty() ? "started" : fmt::format("started ({})", zone)},
                                            {"state"},
                                            {"cells", Align::kRight},
                                            {"mean", Align::kRight},
                                            {"passed", Align::kRight},
                                            {"title"},
                                            {"made by"}};
  if (some_are_reduced) columns.insert(columns.begin() + kRankedByColumn, {"ranked by", Align::kRight});
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& run = runs[i];
    const bool is_own = !origin.IsForeignRun(run);
    std::vector<std::string> row = {Printable(run.context.run_id),
                                    StartedText(run, zone),
                                    StateText(run, at_work),
                                    CountText(run.cells),
                                    PlainMeanText(run, values[i]),
                                    PercentText(PassRateOfSummary(run.summary)),
                                    CutToWidth(Printable(run.title), kTitleColumnsMax),
                                    fmt::format("assay run {}", Printable(CommandWords(run, is_own)))};
    if (some_are_reduced) row.insert(row.begin() + kRankedByColumn, RankedByText(run, values[i]));
    table.Add(std::move(row));
  }
  return table.Text(screen);
}

std::string Json(const std::vector<RunRecord>& runs, const StoreOrigin& origin, const AtWork& at_work) {
  List list;
  for (const RunRecord& run : runs) {
    Map row = RecordMembers(run, IsAtWork(run, at_work));
    row.Append("is_foreign", origin.IsForeignRun(run));
    list.emplace_back(std::move(row));
  }
  return ShownJson(WriteJson(Value(std::move(list)), JsonStyle::kJavaScript2)) + "\n";
}

ExitCode RunsOf(Store& store, const Options& options, Ui& ui) {
  const Result<std::vector<RunRecord>> runs = store.Runs();
  if (!runs) return FailWith(ui, runs.error());
  // A store that cannot say it holds nobody's work.
  const AtWork at_work = RunsAtWork(store, options.granted.store).value_or(AtWork());
  const Result<StoreOrigin> origin = OriginOf(store, options.granted.store);
  if (!origin) return FailWith(ui, origin.error());
  if (options.shown.json) {
    ui.Out(Json(*runs, *origin, at_work));
  } else if (runs->empty()) {
    ui.Note("the store has no runs yet; `assay run FILE` makes one");
  } else {
    ui.Out(Table(*runs, *origin, at_work, options.shown.screen) + ForeignNote(*runs, *origin) +
           UnsaidNote(*runs, *origin));
  }
  return ExitCode::kDone;
}

}  // namespace

ExitCode RunsCommand(const Options& options, Ui& ui) {
  if (options.command.watch) {
    if (!IsServer(options.granted.store)) {
      ui.Problem(
          "error: --watch follows the shards of a run in a server's store; `assay view` follows a run in a "
          "file");
      return ExitCode::kUsage;
    }
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
