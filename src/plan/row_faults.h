// RowFaults: problems of criteria that rows of a table fill in. Each is told at its cell, or with its row if
// the criterion has more words than the cell. The first ten of a criterion are told; a note says where the
// criterion stands, and how many rows there are.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/errors/diagnostics.h"
#include "base/errors/span.h"

namespace assay {

struct Case;
struct Check;

class RowFaults {
 public:
  // Hands on what was found for a check of the case.
  void Tell(const Case& the_case, const Check& check, const Diagnostics& found, Diagnostics& diagnostics);
  // Once, behind all cases.
  void TellCriteria(Diagnostics& diagnostics) const;

 private:
  struct Criterion {
    Span where;
    std::size_t rows = 0;
  };
  std::map<std::pair<std::uint32_t, std::string>, Criterion> criteria_;  // by their place, and the code
};

}  // namespace assay
