// Exporters: a report in a format of its own, whatever dialect the suite came from. One row each in table.cc.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "base/sink.h"
#include "spec/report.h"

namespace assay {

struct ExportRow {
  std::string_view name;  // "html"
  std::string_view help;  // one line for `assay list exporters`
  Status (*fn)(const Report& report, Sink& sink);
};
std::span<const ExportRow> ExportTable();
const ExportRow* FindExport(std::string_view name);  // null if there is none

// "html": `report.html`, one self-contained page that loads nothing from anywhere, at most about
// limits::kHtmlBytesMax.
//   texts   foreign and escaped; the longest that fit, cut texts say how to see the rest.
//   size    up to limits::kHtmlPairsMax pairs of case and variant every answer is shown; beyond, the map is
//   drawn over
//           groups of cases and only the worst answers are shown. Memory does not grow with cells.
Status ExportHtml(const Report& report, Sink& sink);

}  // namespace assay
