// A heap for each group.
#include "dataset/select/row_shortlist.h"

#include <algorithm>

#include "dataset/select/ids.h"

namespace assay::dataset {

void RowShortlist::AddLowest(Ranked row, std::size_t count, std::vector<Ranked>& lowest) {
  const auto is_lower = [](const Ranked& a, const Ranked& b) {
    return std::pair(a.first, a.second.number) < std::pair(b.first, b.second.number);
  };
  if (lowest.size() >= count && (count == 0 || is_lower(lowest.front(), row))) return;
  lowest.push_back(std::move(row));
  std::push_heap(lowest.begin(), lowest.end(), is_lower);
  if (lowest.size() <= count) return;
  std::pop_heap(lowest.begin(), lowest.end(), is_lower);
  lowest.pop_back();
}

void RowShortlist::Add(Row row, const SourceFiles& sources) {
  if (selection_.sample) {
    const std::uint64_t rank = RankOf("sample", selection_.sample_seed, row.id);
    std::vector<Ranked>& group = groups_[per_ ? CellWords(row.cells, *per_, sources) : std::string()];
    AddLowest({rank, std::move(row)}, *selection_.sample, group);
  } else if (selection_.shuffle_seed && selection_.limit) {
    const std::uint64_t rank = RankOf("order", *selection_.shuffle_seed, row.id);
    AddLowest({rank, std::move(row)}, *selection_.limit, groups_[""]);
  } else {
    all_.push_back(std::move(row));
  }
}

std::vector<Row> RowShortlist::Take() {
  for (auto& [name, rows] : groups_) {
    for (Ranked& ranked : rows) all_.push_back(std::move(ranked.second));
  }
  if (!groups_.empty()) {
    std::sort(all_.begin(), all_.end(), [](const Row& a, const Row& b) { return a.number < b.number; });
  }
  groups_.clear();
  return std::move(all_);
}

}  // namespace assay::dataset
