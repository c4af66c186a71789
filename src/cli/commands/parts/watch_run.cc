// Looks at the seats and ranges of a run every two seconds; pace is the difference of two looks.
#include "cli/commands/parts/watch_run.h"

#include <fmt/core.h>

#include <map>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "cli/commands/parts/failure.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/text_table.h"
#include "engine/signals.h"
#include "engine/words.h"
#include "spec/run/run_cost.h"
#include "store/coordinator.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::chrono::seconds kLookEvery{2};
constexpr double kUsPerSecond = 1e6;

// What was seen last, and when the first time.
struct Seen {
  std::map<SeatId, std::uint64_t> sent;
  TimePoint at{};
  TimePoint first_at{};
  std::int64_t first_done = 0;  // ranges
};

double SecondsBetween(TimePoint from, TimePoint to) {
  return static_cast<double>((to - from).count()) / kUsPerSecond;
}

std::string CountsText(const RangeCounts& ranges) {
  return fmt::format("ranges of cells: {} open, {} held, {} done", ranges.open, ranges.held, ranges.done);
}

std::string RangesText(const RunWork& work, const Seen& seen, TimePoint now) {
  const RangeCounts& ranges = work.ranges;
  std::string text = CountsText(ranges);
  const double seconds = SecondsBetween(seen.first_at, now);
  const std::int64_t done = ranges.done - seen.first_done;
  if (done > 0 && ranges.open + ranges.held > 0)
    text += fmt::format("; about {:.0f} s left",
                        static_cast<double>(ranges.open + ranges.held) * seconds / static_cast<double>(done));
  return text;
}

std::string SeatsTable(const RunWork& work, const Seen& seen, TimePoint now, const Screen& screen) {
  TextTable table({{"shard"},
                   {"host"},
                   {"task"},
                   {"cells", Align::kRight},
                   {"calls", Align::kRight},
                   {"calls/s", Align::kRight},
                   {"in flight", Align::kRight},
                   {"cost", Align::kRight},
                   {"ranges held", Align::kRight},
                   {"heard of", Align::kRight}});
  for (const SeatRow& seat : work.living) {
    const auto before = seen.sent.find(seat.id);
    const double seconds = SecondsBetween(seen.at, now);
    const std::string pace =
        before == seen.sent.end() || seconds <= 0
            ? "–"
            : fmt::format("{:.1f}", static_cast<double>(seat.requests_sent - before->second) / seconds);
    const double usd = static_cast<double>(seat.news.cost_nano_usd) / kNanoPerUsd;
    table.Add({seat.shard ? std::to_string(*seat.shard) : "alone", Printable(seat.host),
               seat.task.empty() ? fmt::format("process {}", seat.process) : Printable(seat.task),
               std::to_string(seat.news.cells_done), std::to_string(seat.requests_sent), pace,
               std::to_string(seat.news.in_flight), UsdText(usd), std::to_string(seat.ranges_held),
               fmt::format("{} s ago", seat.beat_age_ms / 1'000)});
  }
  return table.Text(screen);
}

Value SeatValue(const SeatRow& seat) {
  return Object{{"shard", seat.shard ? Value(static_cast<double>(*seat.shard)) : Value(Null{})},
                {"host", seat.host},
                {"process", Number(seat.process)},
                {"task", seat.task},
                {"began_ms", Number(seat.began_ms)},
                {"heard_of_ms", Number(seat.beat_age_ms)},
                {"cells_done", seat.news.cells_done},
                {"cells_failed", seat.news.cells_failed},
                {"requests_sent", seat.requests_sent},
                {"in_flight", seat.news.in_flight},
                {"cost_usd", static_cast<double>(seat.news.cost_nano_usd) / kNanoPerUsd},
                {"ranges_held", Number(seat.ranges_held)}};
}

// One line, for whoever keeps metrics.
std::string WorkLine(const std::string& run, const RunWork& work) {
  return ShownJson(WriteJson(Object{{"run", run},
                                    {"ranges", Object{{"open", Number(work.ranges.open)},
                                                      {"held", Number(work.ranges.held)},
                                                      {"done", Number(work.ranges.done)}}},
                                    {"shards", ArrayOf(work.living, SeatValue)}},
                             JsonStyle::kJavaScript)) +
         "\n";
}

}  // namespace

void WorkTeller::Tell(const RunWork& work) {
  std::string line =
      fmt::format("{} at work; {}", Counted(work.living.size(), "shard"), CountsText(work.ranges));
  if (line == told_) return;
  told_ = std::move(line);
  ui_.Note(told_);
}

bool IsDone(const RangeCounts& ranges) { return ranges.open + ranges.held == 0 && ranges.done > 0; }

ExitCode WatchRun(Store& store, const std::string& name, const Options& options, Ui& ui) {
  const Result<RunRecord> run = store.FindRun(name);
  if (!run) return FailWith(ui, run.error());
  const std::string& id = run->context.run_id;
  SystemClock clock;
  StopSignals signals;
  BoundedQueue<bool> stop(1);
  signals.Watch([&stop] { stop.PushUnbounded(true); });
  Seen seen;
  ExitCode code = ExitCode::kDone;
  while (true) {
    const Result<RunWork> work = WorkOnRun(store, id);
    if (!work) {
      code = FailWith(ui, work.error());
      break;
    }
    const TimePoint now = clock.Now();
    if (seen.first_at == TimePoint{}) {
      seen.first_at = now;
      seen.first_done = work->ranges.done;
    }
    const bool is_idle = work->living.empty();
    ui.Out(options.shown.json ? WorkLine(id, *work)
                              : fmt::format("run {}: {}\n{}", Printable(id), RangesText(*work, seen, now),
                                            is_idle ? "nobody works on it\n"
                                                    : SeatsTable(*work, seen, now, options.shown.screen)));
    if (is_idle || !ui.Flush()) break;
    seen.at = now;
    seen.sent.clear();
    for (const SeatRow& seat : work->living) seen.sent[seat.id] = seat.requests_sent;
    clock.Wait(stop, now + kLookEvery);
    if (stop.HasMessages()) break;
  }
  signals.EndWatch();
  return code;
}

}  // namespace assay
