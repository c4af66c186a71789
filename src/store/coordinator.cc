// Cuts the cells of a plan into ranges.
#include "store/coordinator.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay {

std::string SeatsText(const RunWork& work) {
  std::string text;
  for (const SeatRow& seat : work.living) {
    text +=
        fmt::format("{}{} on {} (process {}{}), heard of {} s ago", text.empty() ? "" : "; ",
                    seat.shard ? fmt::format("shard {}", *seat.shard) : "a run", seat.host, seat.process,
                    seat.task.empty() ? "" : fmt::format(", task {}", seat.task), seat.beat_age_ms / 1'000);
  }
  return text;
}

std::vector<SeatRange> RangesOf(std::uint64_t cells, std::uint64_t cells_per_case, std::int64_t shards) {
  constexpr std::uint64_t kRangesPerShard = 32;
  constexpr std::uint64_t kCellsMin = 16;
  constexpr std::uint64_t kCellsMax = 4'096;
  const auto many = static_cast<std::uint64_t>(std::max<std::int64_t>(shards, 1));
  std::uint64_t size = std::clamp(cells / (kRangesPerShard * many), kCellsMin, kCellsMax);
  if (cells_per_case > 0 && cells_per_case <= size) size -= size % cells_per_case;
  std::vector<SeatRange> ranges;
  for (std::uint64_t first = 0; first < cells; first += size) {
    ranges.push_back(
        {.number = static_cast<std::int64_t>(ranges.size()),
         .cells = {static_cast<CellIndex>(first), static_cast<CellIndex>(std::min(first + size, cells))}});
  }
  return ranges;
}

}  // namespace assay
