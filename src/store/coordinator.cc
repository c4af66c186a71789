// Cuts the cells of a plan into ranges, and limits a minute and budgets into parts.
#include "store/coordinator.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

// "on node-7 (process 411), heard of 3 s ago".
std::string PlaceText(const SeatRow& seat) {
  return fmt::format("on {} (process {}{}), heard of {} s ago", seat.host, seat.process,
                     seat.task.empty() ? "" : fmt::format(", task {}", seat.task), seat.beat_age_ms / 1'000);
}

}  // namespace

std::string SeatsText(const RunWork& work) {
  std::string text;
  for (const SeatRow& seat : work.living) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ",
                        seat.shard ? fmt::format("shard {}", *seat.shard) : "a run", PlaceText(seat));
  }
  return text;
}

std::string HoldersText(std::span<const ClaimHolder> holders) {
  constexpr std::size_t kNamedMax = 3;
  std::string text;
  for (const ClaimHolder& each : holders.subspan(0, std::min(holders.size(), kNamedMax))) {
    text += fmt::format("{}{} by {}run {} {}", text.empty() ? "" : "; ", each.calls,
                        each.seat.shard ? fmt::format("shard {} of ", *each.seat.shard) : "", each.run_id,
                        PlaceText(each.seat));
  }
  if (holders.size() > kNamedMax) text += fmt::format("; others by {} more", holders.size() - kNamedMax);
  return text;
}

std::vector<SeatRange> RangesOf(std::uint64_t cells, std::uint64_t cells_per_case, std::int64_t shards,
                                std::uint64_t range_max) {
  constexpr std::uint64_t kRangesPerShard = 32;
  constexpr std::uint64_t kCellsMin = 16;
  const auto many = static_cast<std::uint64_t>(std::max<std::int64_t>(shards, 1));
  std::uint64_t size =
      std::clamp(cells / (kRangesPerShard * many), kCellsMin, std::clamp(range_max, kCellsMin, kRangeMax));
  if (cells_per_case > 0 && cells_per_case <= size) size -= size % cells_per_case;
  std::vector<SeatRange> ranges;
  for (std::uint64_t first = 0; first < cells; first += size) {
    ranges.push_back(
        {.number = static_cast<std::int64_t>(ranges.size()),
         .cells = {static_cast<CellIndex>(first), static_cast<CellIndex>(std::min(first + size, cells))}});
  }
  return ranges;
}

// The units of a block that starts in a minute go in it or in the second behind it: with 62 seconds' time for
// what may go in 60 no minute, wherever it begins, has more.
RateBlock DrawRate(const RateWish& wish, std::int64_t now_us, std::int64_t& free_at_us) {
  constexpr double kSpreadOverUs = 62e6;
  constexpr std::int64_t kAheadMostUs = 500'000;  // what is drawn early cannot be given back in time
  constexpr double kBlockUs = 500'000;
  const double every_us = kSpreadOverUs / wish.per_minute;
  const auto time_of = [every_us](double units) -> std::int64_t { return std::llround(units * every_us); };
  free_at_us = std::max(free_at_us - time_of(wish.returned), now_us);
  free_at_us = std::max(free_at_us, now_us + wish.pause.count());
  if (wish.units <= 0) return {};
  const std::int64_t starts_in = free_at_us - now_us;
  if (starts_in > kAheadMostUs)
    return {.units = 0, .starts_in = std::chrono::microseconds(starts_in - kAheadMostUs / 2), .every = {}};
  const double units = std::max(wish.units, std::floor(kBlockUs / every_us));
  free_at_us += time_of(units);
  return {.units = units,
          .starts_in = std::chrono::microseconds(starts_in),
          .every = std::chrono::microseconds(time_of(1))};
}

Spending TrancheOf(const SharedBudgetLimits& limits, const Spending& left, const Spending& needed,
                   std::int64_t living) {
  const bool fits = (!limits.nano_usd || needed.nano_usd <= left.nano_usd) &&
                    (!limits.tokens || needed.tokens <= left.tokens);
  if (!fits) return {};
  const std::int64_t parts = 4 * std::max<std::int64_t>(living, 1);
  return {.nano_usd = std::max(left.nano_usd / parts, needed.nano_usd),
          .tokens = std::max(left.tokens / parts, needed.tokens)};
}

}  // namespace assay
