// Looks at the seats and ranges of a run.
#include "cli/commands/cluster/folding.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/bounded_queue.h"
#include "cli/commands/cluster/said_words.h"
#include "cli/commands/parts/watch_run.h"
#include "engine/words.h"

namespace assay {

namespace {

// "shard 2 on node-7 (process 411) was last heard of 300 s ago".
std::string LastText(const RunLeft& left) {
  std::string text;
  for (const LastOfShard& last : left.last) {
    text += fmt::format("{}shard {} on {} (process {}{}) {} {} s ago", text.empty() ? "" : "; ", last.shard,
                        last.host, last.process, last.task.empty() ? "" : fmt::format(", task {}", last.task),
                        last.has_left ? "ended" : "was last heard of", last.beat_age_ms / 1'000);
  }
  return text.empty() ? "no shard of it has begun" : text;
}

// The command of a shard that goes on with the run, and that of its report.
std::string ShardLine(const RunRecord& run, const RunLeft& left, const Options& options) {
  std::vector<std::string> words = SaidWords(options);
  std::int64_t shards = left.shards;
  if (shards == 0) {
    for (const LastOfShard& last : left.last) shards = std::max(shards, last.shard);
  }
  words.push_back(shards == 0 ? "--shards=N" : fmt::format("--shards={}", shards));
  words.emplace_back("--shard=I");
  words.push_back(fmt::format("--join={}", run.context.run_id));
  return "assay " + LineOf(words);
}

Error NotDone(const RunRecord& run, const RunLeft& left, const Options& options) {
  const std::string missing =
      left.ranges == 0
          ? ""
          : fmt::format("{} of {} ranges of cells are left, {}, and nobody works on them: ", left.ranges,
                        left.ranges_of, Counted(left.cells, "cell"));
  return {ErrorCode::kRefused,
          fmt::format("run {} is not done: {}{}", run.context.run_id, missing, LastText(left)),
          {},
          {fmt::format("continue its shards, each with its number I: {}", ShardLine(run, left, options)),
           "or run the command with --cluster that started it; then run this command again for the report"}};
}

}  // namespace

bool ShardPatience::IsOver(const RunWork& work, TimePoint now) {
  const RangeCounts& ranges = work.ranges;
  const bool is_idle = work.living.empty() && ranges.done == ranges_.done;
  // What an earlier array left says nothing of one that is in a queue.
  has_begun_ = has_begun_ || !work.living.empty() || (idle_since_ && ranges.done != ranges_.done);
  ranges_ = ranges;
  if (!is_idle || !idle_since_) idle_since_ = now;
  const auto most =
      has_begun_ ? std::chrono::microseconds(kBetween) : std::chrono::microseconds(kBeforeFirst);
  return now - *idle_since_ > most;
}

Status MayFold(Store& store, const RunRecord& run, const Options& options) {
  ASSAY_TRY(const RunWork work, WorkOnRun(store, run.context.run_id));
  if (IsDone(work.ranges) || run.cells == 0) return Ok();
  ASSAY_TRY(const RunLeft left, LeftOfRun(store, run.context.run_id));
  return NotDone(run, left, options);
}

Result<bool> WaitForShards(Store& store, const RunRecord& run, const Options& options, StopSignals& signals,
                           Ui& ui) {
  constexpr std::chrono::seconds kAskEvery{5};
  SystemClock clock;
  BoundedQueue<bool> stop(1);
  signals.Watch([&stop] { stop.PushUnbounded(true); });
  Result<bool> is_done = false;
  WorkTeller teller(ui);
  ShardPatience patience;
  while (!stop.HasMessages()) {
    const Result<RunWork> work = WorkOnRun(store, run.context.run_id);
    if (!work) {
      is_done = work.error();
      break;
    }
    is_done = work->living.empty() && IsDone(work->ranges);
    if (*is_done) break;
    teller.Tell(*work);
    if (patience.IsOver(*work, clock.Now())) {
      const Result<RunLeft> left = LeftOfRun(store, run.context.run_id);
      is_done = left ? NotDone(run, *left, options) : left.error();
      break;
    }
    clock.Wait(stop, clock.Now() + kAskEvery);
  }
  signals.EndWatch();
  return is_done;
}

}  // namespace assay
