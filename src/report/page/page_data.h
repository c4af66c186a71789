// What report.html holds beside its script: the bodies that `assay view` would be asked for, packed, each
// with its path (docs/formats/view.md).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/files/sink.h"
#include "report/values/pages/page_facts.h"
#include "spec/report/report.h"

namespace assay {

// A run of fewer than `telling_from` cells has the bodies of all its cases; a larger one of those cases that
// say something, as long as there is room. Beyond `cells_max`, what answers took is left to `assay view`.
struct PageRoom {
  std::uint64_t case_bytes_max = 64u << 20;
  std::uint64_t telling_bytes_max = 16u << 20;
  // Nobody reads all cases of such a run, and writing them would take a quarter of its CPU.
  CellIndex telling_from = 2'000;
  CellIndex cells_max = 50'000;  // each is read again with all that was said in it: 20 µs

  bool HoldsAllOf(CellIndex cells) const { return cells < telling_from; }  // if they fit

  // For a page that someone asked to hold all cases: as much as a browser opens.
  static PageRoom OfAllCases() {
    constexpr std::uint64_t kOpens = 512u << 20;
    constexpr CellIndex kAny = std::numeric_limits<CellIndex>::max();
    return {.case_bytes_max = kOpens, .telling_bytes_max = kOpens, .telling_from = kAny, .cells_max = kAny};
  }
};
Status WritePageData(const Report& report, const PageFacts& facts, const PageRoom& room, Sink& sink);

}  // namespace assay
