// RowShortlist: of rows that pass by, keeps those that a sample or the start of a shuffled table may contain,
// so that a large table costs no more than what is chosen of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dataset/select/select.h"
#include "dataset/table.h"

namespace assay::dataset {

class RowShortlist {
 public:
  // `per`: the column whose values are sampled one by one. The selection outlives it.
  RowShortlist(const Selection& selection, std::optional<std::string> per)
      : selection_(selection), per_(std::move(per)) {}

  // Rows come in the order of their numbers.
  void Add(Row row, const SourceFiles& sources);
  // In that order.
  std::vector<Row> Take();

 private:
  using Ranked = std::pair<std::uint64_t, Row>;

  // `count` rows of the lowest ranks, the highest of them first.
  static void AddLowest(Ranked row, std::size_t count, std::vector<Ranked>& lowest);

  const Selection& selection_;
  std::optional<std::string> per_;
  std::map<std::string, std::vector<Ranked>> groups_;
  std::vector<Row> all_;  // where no rank leaves any out
};

}  // namespace assay::dataset
