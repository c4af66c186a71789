// RunEvent: what a running executor tells listeners of its cells (a request left, a line or reply came, the
// cell was graded), for whoever shows or writes it.
#pragma once

#include <functional>
#include <string_view>

#include "spec/report/cell_grid.h"
#include "spec/score/score.h"

namespace assay {

struct RunEvent {
  enum class Kind {
    kAsked,     // a request of the cell left for the first time
    kTold,      // a program that answers it told something: `line`
    kAnswered,  // a reply of it came, or its last try failed
    kGraded,    // it is graded, and that is in the store
  };
  Kind kind = Kind::kAsked;
  CellAddress cell;  // of requests that several cells wait for: the first of them
  RequestRole role = RequestRole::kCandidate;
  std::string_view line = {};             // kTold
  const AttemptRecord* record = nullptr;  // kGraded: with its transcript; null where it was not asked
};

// Called on the loop's thread: must not wait.
using RunListener = std::function<void(const RunEvent&)>;

}  // namespace assay
