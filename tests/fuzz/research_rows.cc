// Rows of research results that anyone may have written: they are summed up and printed, whatever they hold,
// and a summary that is written is read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "dialects/research/write/results.h"
#include "tests/fuzz/target.h"
#include "text/python/json.h"

FUZZ_TARGET(research_rows)(const std::uint8_t* data, std::size_t size) {
  namespace research = assay::research;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto rows = research::ReadRows(text);
  if (!rows) return 0;
  research::RunProfile run;
  run.id = "r";
  research::RunSummary fold(run, "s");
  for (const assay::Value& row : *rows) fold.Add(row);
  const assay::Value summary = fold.ToValue();
  const auto written = assay::WritePythonJson(summary, {.indent = 2, .sorts_keys = true});
  ASSAY_ASSERT(written.has_value() && assay::ParsePythonJson(*written).has_value());
  ASSAY_ASSERT(!research::ResultsMarkdown("r", "/f", summary, *rows).empty());
  ASSAY_ASSERT(research::SessionReport("d", "/f", {{"r", summary, *rows, true}}).has_value());
  // A row may stand where a summary should.
  for (const assay::Value& row : *rows) {
    const auto report = research::SessionReport("d", "/f", {{"r", row, *rows, true}});
    ASSAY_ASSERT(report.has_value() || !report.error().message.empty());
  }
  return 0;
}
