// RowRanges: numbers of a store's rows, as ranges.
#pragma once

#include <cstdint>
#include <vector>

namespace assay {

struct RowRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool operator==(const RowRange&) const = default;
};

// In ascending order; ranges neither meet nor touch.
class RowRanges {
 public:
  // Everything up to it; nothing where it is no row's number.
  static RowRanges UpTo(std::int64_t last);

  void Add(RowRange range);
  void CutTo(std::int64_t last);  // nothing beyond it
  bool Contains(std::int64_t number) const;
  bool empty() const { return ranges_.empty(); }
  std::int64_t last() const { return ranges_.empty() ? 0 : ranges_.back().last; }
  const std::vector<RowRange>& all() const { return ranges_; }
  bool operator==(const RowRanges&) const = default;

 private:
  std::vector<RowRange> ranges_;
};

}  // namespace assay
