// Keeps ranges in order, and makes one of those that meet.
#include "store/records/row_ranges.h"

#include <algorithm>
#include <limits>

namespace assay {

namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

bool LiesBefore(const RowRange& range, std::int64_t number) {
  return range.last != kHighest && range.last + 1 < number;
}

}  // namespace

RowRanges RowRanges::UpTo(std::int64_t last) {
  RowRanges ranges;
  if (last > 0) ranges.Add({.first = kLowest, .last = last});
  return ranges;
}

void RowRanges::Add(RowRange range) {
  const auto first = std::partition_point(
      ranges_.begin(), ranges_.end(), [&](const RowRange& each) { return LiesBefore(each, range.first); });
  auto end = first;
  for (; end != ranges_.end() && !LiesBefore(range, end->first); ++end) {
    range.first = std::min(range.first, end->first);
    range.last = std::max(range.last, end->last);
  }
  ranges_.insert(ranges_.erase(first, end), range);
}

void RowRanges::CutTo(std::int64_t last) {
  std::erase_if(ranges_, [last](const RowRange& each) { return each.first > last; });
  if (!ranges_.empty()) ranges_.back().last = std::min(ranges_.back().last, last);
  // Of everything up to no row nothing is left.
  if (last <= 0) ranges_.clear();
}

bool RowRanges::Contains(std::int64_t number) const {
  const auto range = std::partition_point(ranges_.begin(), ranges_.end(),
                                          [number](const RowRange& each) { return each.last < number; });
  return range != ranges_.end() && range->first <= number;
}

}  // namespace assay
