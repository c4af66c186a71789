// Counting aloud.
#include "cli/progress.h"

#include <fmt/core.h>

namespace assay {

namespace {

constexpr std::chrono::milliseconds kLiveInterval{100};
constexpr std::chrono::seconds kLineInterval{5};
constexpr std::chrono::seconds kEstimateAfter{2};  // before that the rate says nothing

void AppendIfAny(std::uint64_t count, std::string_view what, std::string& line) {
  if (count > 0) line += fmt::format(" · {} {}", CountText(count), what);
}

std::string TokensText(std::int64_t tokens) {
  constexpr std::int64_t kThousand = 1000;
  constexpr std::int64_t kMillion = 1'000'000;
  if (tokens >= kMillion) return fmt::format("{:.1f}M", static_cast<double>(tokens) / kMillion);
  if (tokens >= kThousand) return fmt::format("{}k", tokens / kThousand);
  return fmt::format("{}", tokens);
}

}  // namespace

std::string CountText(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string DurationText(std::chrono::milliseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string ProgressLine(const Progress& progress, std::chrono::milliseconds elapsed) {
  std::string line =
      fmt::format("{}/{} cells", CountText(progress.cells_done), CountText(progress.cells_total));
  AppendIfAny(progress.in_flight, "in flight", line);
  AppendIfAny(progress.reused, "reused", line);
  AppendIfAny(progress.errors, "errors", line);
  AppendIfAny(progress.retries, "retries", line);
  const std::int64_t tokens = progress.usage.input_tokens + progress.usage.output_tokens;
  if (tokens > 0) line += fmt::format(" · {} tokens", TokensText(tokens));
  line += fmt::format(" · {}", DurationText(elapsed));
  if (elapsed >= kEstimateAfter && progress.cells_done > 0 && progress.cells_done < progress.cells_total) {
    const double rate = static_cast<double>(progress.cells_done) / static_cast<double>(elapsed.count());
    const double left = static_cast<double>(progress.cells_total - progress.cells_done) / rate;
    line +=
        fmt::format(" · {} left", DurationText(std::chrono::milliseconds(static_cast<std::int64_t>(left))));
  }
  return line;
}

ProgressDisplay::ProgressDisplay(Ui& ui, const Clock& clock)
    : ui_(ui), clock_(clock), started_(clock.Now()), next_(started_) {
  if (ui.settings().status == StatusStyle::kLines) next_ += kLineInterval;
}

void ProgressDisplay::Update(const Progress& progress) {
  const TimePoint now = clock_.Now();
  if (now < next_) return;
  if (ui_.settings().status == StatusStyle::kLive) {
    next_ = now + kLiveInterval;
  } else {
    next_ = now + kLineInterval;
  }
  ui_.Status(ProgressLine(progress, std::chrono::duration_cast<std::chrono::milliseconds>(now - started_)));
}

}  // namespace assay
