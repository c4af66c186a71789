// Formats Progress, estimates the time left, and limits how often it is shown.
#include "cli/terminal/progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::chrono::milliseconds kLiveInterval{100};
constexpr std::chrono::seconds kLineInterval{5};
constexpr std::chrono::seconds kJsonInterval{1};
constexpr std::chrono::seconds kWaitInterval{10};
constexpr std::chrono::seconds kEstimateAfter{2};  // before that the rate says nothing

// What the course of the run so far says of the rest.
struct Estimate {
  double per_second = 0;  // requests
  std::optional<std::chrono::milliseconds> left;
  std::optional<double> usd;  // for the whole run
};

// The time that one kind of work still takes at its pace. Unknown until two rounds of parallel work are done:
// parallel work finishes in waves, and a part of a wave looks too slow or too fast.
std::optional<double> MsLeft(const Tally& tally, const std::optional<PaceStart::Mark>& start,
                             std::uint64_t at_once, double elapsed_ms) {
  constexpr std::uint64_t kRounds = 2;
  const PaceStart::Mark mark = start.value_or(PaceStart::Mark());
  const std::uint64_t since = tally.done - std::min(tally.done, mark.done);
  if (since < (start ? kRounds * std::max<std::uint64_t>(at_once, 1) : 1)) return std::nullopt;
  const double ms = elapsed_ms - static_cast<double>(mark.at.count());
  return ms / static_cast<double>(since) * static_cast<double>(tally.total - tally.done);
}

// Cells count once they are graded, and those whose answers are recorded are so at once: whichever kind of
// work goes slowest says how long the rest takes. Nothing where the pace of some kind is not known yet.
std::optional<std::chrono::milliseconds> TimeLeft(const Progress& progress, double elapsed_ms,
                                                  const PaceStart& start) {
  const std::uint64_t at_once = progress.in_flight_reached;
  std::optional<double> most =
      MsLeft({.done = progress.cells_done, .total = progress.cells_total}, start.cells, at_once, elapsed_ms);
  for (std::size_t i = 0; i < kWorkKinds && most; ++i) {
    if (progress.work[i].done >= progress.work[i].total) continue;
    const std::optional<double> left = MsLeft(progress.work[i], start.work[i], at_once, elapsed_ms);
    most = left ? std::optional(std::max(*most, *left)) : std::nullopt;
  }
  if (!most) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(*most));
}

Estimate EstimateOf(const Progress& progress, std::chrono::milliseconds elapsed, const PaceStart& start) {
  Estimate estimate;
  if (elapsed < kEstimateAfter) return estimate;
  const auto elapsed_ms = static_cast<double>(elapsed.count());
  const auto left = static_cast<double>(progress.cells_total - progress.cells_done);
  estimate.per_second = static_cast<double>(progress.sent) / elapsed_ms * 1e3;
  if (progress.cells_done == 0 || left == 0) return estimate;
  estimate.left = TimeLeft(progress, elapsed_ms, start);
  if (progress.cells_paid == 0) return estimate;
  const double usd = static_cast<double>(progress.cost_nano_usd) / kNanoPerUsd;
  estimate.usd = usd + usd / static_cast<double>(progress.cells_paid) * left;
  return estimate;
}

Value ByClass(const CountByError& classes) {
  Map map;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] > 0)
      map.Append(std::string(ErrorCodeName(static_cast<ErrorCode>(i))),
                 Value(static_cast<double>(classes[i])));
  }
  return Value(std::move(map));
}

std::string TokensText(std::int64_t tokens) {
  constexpr std::int64_t kThousand = 1000;
  constexpr std::int64_t kMillion = 1'000'000;
  if (tokens >= kMillion) return fmt::format("{:.1f}M", static_cast<double>(tokens) / kMillion);
  if (tokens >= kThousand) return fmt::format("{}k", tokens / kThousand);
  return fmt::format("{}", tokens);
}

}  // namespace

void PaceStart::See(const Progress& progress, std::chrono::milliseconds elapsed) {
  if (!cells && progress.cells_done > 0) cells = {.at = elapsed, .done = progress.cells_done};
  for (std::size_t i = 0; i < kWorkKinds; ++i) {
    if (!work[i] && progress.work[i].done > 0) work[i] = {.at = elapsed, .done = progress.work[i].done};
  }
}

std::string ProgressLine(const Progress& progress, std::chrono::milliseconds elapsed,
                         const PaceStart& start) {
  const Estimate estimate = EstimateOf(progress, elapsed, start);
  std::string line =
      fmt::format("{}/{} cells", CountText(progress.cells_done), CountText(progress.cells_total));
  const auto add = [&line](std::string part) { line += " · " + part; };
  if (!progress.race.empty()) add(progress.race);
  if (estimate.left) add(fmt::format("{} left", DurationText(*estimate.left)));
  if (progress.in_flight > 0)
    add(fmt::format("{}/{} in flight", CountText(progress.in_flight), CountText(progress.in_flight_asked)));
  if (estimate.per_second > 0) add(fmt::format("{:.1f}/s", estimate.per_second));
  if (progress.errors > 0) add(CountedByClass(progress.errors, "error", progress.errors_by_class));
  if (progress.cut > 0) add(fmt::format("{} not asked", CountText(progress.cut)));
  if (progress.retries > 0) add(CountedByClass(progress.retries, "retry", progress.retries_by_class));
  if (progress.waits > 0) add(fmt::format("{} told to wait", CountText(progress.waits)));
  if (progress.cost_nano_usd > 0) {
    add(UsdText(static_cast<double>(progress.cost_nano_usd) / kNanoPerUsd));
    if (estimate.usd) line += fmt::format(" of about {}", UsdText(*estimate.usd));
    if (progress.unpriced > 0) line += " + unknown";
  }
  const std::int64_t tokens = progress.usage.input_tokens + progress.usage.output_tokens;
  if (tokens > 0) add(fmt::format("{} tokens", TokensText(tokens)));
  for (std::size_t i = 0; i < kWorkKinds; ++i) {
    const Tally& tally = progress.work[i];
    // Of cells that only answer, the cells say it.
    if (tally.total == 0 || (i == 0 && tally.total == progress.cells_total)) continue;
    add(fmt::format("{} {}/{}", WorkKindName(static_cast<WorkKind>(i)), CountText(tally.done),
                    CountText(tally.total)));
  }
  if (progress.reused > 0) add(fmt::format("{} reused", CountText(progress.reused)));
  add(DurationText(elapsed));
  return line;
}

std::string ProgressJson(const Progress& progress, std::chrono::milliseconds elapsed, std::string_view event,
                         const PaceStart& start) {
  const Estimate estimate = EstimateOf(progress, elapsed, start);
  Map map;
  const auto add = [&map](std::string_view name, std::uint64_t count) {
    map.Append(std::string(name), Value(static_cast<double>(count)));
  };
  map.Append("event", event);
  add("elapsed_ms", static_cast<std::uint64_t>(elapsed.count()));
  add("cells", progress.cells_total);
  add("cells_done", progress.cells_done);
  add("cells_errors", progress.cells_errors);
  add("cells_skipped", progress.cells_skipped);
  for (std::size_t i = 0; i < kWorkKinds; ++i) {
    const std::string_view name = WorkKindName(static_cast<WorkKind>(i));
    add(name, progress.work[i].total);
    add(fmt::format("{}_done", name), progress.work[i].done);
  }
  add("in_flight", progress.in_flight);
  add("in_flight_asked", progress.in_flight_asked);
  add("in_flight_reached", progress.in_flight_reached);
  add("reused", progress.reused);
  add("recorded", progress.recorded);
  add("sent", progress.sent);
  add("cut", progress.cut);
  add("waits", progress.waits);
  Extend(map,
         {{"retries", ByClass(progress.retries_by_class)}, {"errors", ByClass(progress.errors_by_class)}});
  add("input_tokens", static_cast<std::uint64_t>(progress.usage.input_tokens));
  add("output_tokens", static_cast<std::uint64_t>(progress.usage.output_tokens));
  Extend(map, {{"cost_usd", static_cast<double>(progress.cost_nano_usd) / kNanoPerUsd},
               {"cost_usd_estimated", static_cast<double>(progress.cost_estimated_nano_usd) / kNanoPerUsd},
               {"cost_usd_projected", OrNull(estimate.usd)}});
  add("calls_unpriced", progress.unpriced);
  Extend(map,
         {{"left_ms", estimate.left ? Value(static_cast<double>(estimate.left->count())) : Value(Null{})},
          {"waits_for", progress.waits_for.empty() ? Value(Null{}) : Value(progress.waits_for)},
          {"race", progress.race.empty() ? Value(Null{}) : Value(progress.race)}});
  return WriteJson(Value(std::move(map)), JsonStyle::kJavaScript);
}

ProgressDisplay::ProgressDisplay(Ui& ui, const Clock& clock, ProgressMode mode)
    : ui_(ui), clock_(clock), mode_(mode), started_(clock.Now()), next_(started_) {
  if (mode_ == ProgressMode::kJson) {
    next_ += kJsonInterval;
  } else if (ui.settings().status == StatusStyle::kLines) {
    next_ += kLineInterval;
  }
}

std::chrono::milliseconds ProgressDisplay::Elapsed() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now() - started_);
}

void ProgressDisplay::Update(const Progress& progress) {
  const TimePoint now = clock_.Now();
  pace_.See(progress, Elapsed());
  if (now < next_) return;
  if (mode_ == ProgressMode::kJson) {
    next_ = now + kJsonInterval;
    ui_.Status(ProgressJson(progress, Elapsed(), "progress", pace_));
    return;
  }
  const bool is_live = ui_.settings().status == StatusStyle::kLive;
  next_ = is_live ? now + kLiveInterval : TimePoint(now + kLineInterval);
  if (!progress.waits_for.empty() && now >= next_wait_) {
    next_wait_ = now + kWaitInterval;
    ui_.Note(fmt::format("no reply for a while; waiting for: {}", Printable(progress.waits_for)));
  }
  ui_.Status(ProgressLine(progress, Elapsed(), pace_));
}

void ProgressDisplay::UpdateElsewhere(const Progress& progress) {
  if (mode_ == ProgressMode::kJson || progress.elsewhere == elsewhere_) return;
  elsewhere_ = progress.elsewhere;
  if (!elsewhere_.empty()) ui_.Note(fmt::format("waiting for calls: {}", Printable(elsewhere_)));
}

void ProgressDisplay::End(const Progress& progress) {
  if (mode_ == ProgressMode::kJson) ui_.Status(ProgressJson(progress, Elapsed(), "end", pace_));
  ui_.EndStatus();
}

}  // namespace assay
