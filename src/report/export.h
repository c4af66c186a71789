// ExportRow: an exporter, which writes a report in one format whatever dialect its suite came from. One row
// each in table.cc.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/files/sink.h"
#include "report/decide/gates.h"
#include "spec/report/report.h"
#include "spec/score/passing.h"
#include "store/store.h"

namespace assay {

struct RunMap;  // report/values/pages/run_map.h

struct ExportAsk {
  PassRule pass = {};
  std::optional<VariantIndex> variant = {};  // only this one
  std::vector<GateResult> gates = {};        // of the run; of one variant, if one is asked for
  const RunRecord* record = nullptr;         // of the run, with what it cost; null: of a file
  bool all_cases = false;                    // "html": of a large run, too
  // Of the finished run, by this mark, where it was gathered on the way; null: whoever needs it walks.
  const RunMap* map = nullptr;
};

struct ExportRow {
  std::string_view name;  // "html"
  std::string_view file;  // what it is called beside other results: "report.html"
  std::string_view help;  // one line for `assay list exporters`
  // The report as one file, which is open in `sink`: only Write is called.
  Status (*write)(const Report& report, const ExportAsk& ask, Sink& sink);
  bool of_every_run = false;    // a run writes it unasked
  bool of_one_variant = false;  // the format holds one: a run of several needs ExportAsk::variant
};
std::span<const ExportRow> ExportTable();
const ExportRow* FindExport(std::string_view name);  // null if there is none

// The report in the row's format as the file `path` of the sink.
Status Export(const ExportRow& row, const Report& report, const ExportAsk& ask, std::string_view path,
              Sink& sink);
// What a run writes unasked, each under its own name.
Status ExportUnasked(const Report& report, const ExportAsk& ask, Sink& sink);

// "html": one self-contained page, the pages of the viewer with all that they would ask for, packed; it loads
// nothing from anywhere. Of a large run (PageRoom), the cases that say something are kept unless all are
// asked for, and the page says how many are missing.
Status ExportHtml(const Report& report, const ExportAsk& ask, Sink& sink);

// The others, in src/report/export/; what each writes stands on top of its file. Cells stream by, so that
// memory does not grow with the run.
Status ExportCsv(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportAnswersCsv(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportCheckCsv(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportItemsCsv(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportTableCsv(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportJsonl(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportJunit(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportMarkdown(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportGithubSummary(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportPromptfoo(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportInspect(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportLmEval(const Report& report, const ExportAsk& ask, Sink& sink);
Status ExportLmEvalSamples(const Report& report, const ExportAsk& ask, Sink& sink);

}  // namespace assay
