// What report.html holds beside its script: the bodies that `assay view` would be asked for, packed, each
// with its path (docs/formats/view.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/files/sink.h"
#include "report/values/pages/page_facts.h"
#include "spec/report/report.h"

namespace assay {

// Bodies of cases up to so many bytes, and of runs of so many cells, are written; beyond, only those of cases
// that say something, as long as there is room, and what answers took is left to `assay view`.
struct PageRoom {
  std::uint64_t case_bytes_max = 64u << 20;
  CellIndex cells_max = 50'000;  // each is read again with all that was said in it: 20 µs
};
Status WritePageData(const Report& report, const PageFacts& facts, const PageRoom& room, Sink& sink);

}  // namespace assay
