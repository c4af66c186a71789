// WantedRows: the rows whose cases --select, --filter and --limit leave. They are known before there are
// cases, so that no other row has to become one.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "dataset/table.h"
#include "spec/run/run_spec.h"
#include "text/value.h"

namespace assay::blueprint {

class WantedRows {
 public:
  // `prompt`: the only one of its table; its id is no template. `spec` outlives it.
  WantedRows(const Map& prompt, const RunSpec& spec);

  static bool Selects(const RunSpec& spec);
  // Call it once for each row, in the order of the cases.
  bool Takes(const dataset::Row& row);
  // Nothing was left, or a name of --select is no case's: whoever says so names cases that there are.
  bool HasMissed() const;

 private:
  const RunSpec& spec_;
  std::string before_;             // what a case's id has before the row's
  std::set<std::string> missing_;  // names of --select that no row has so far
  std::size_t taken_ = 0;
};

}  // namespace assay::blueprint
