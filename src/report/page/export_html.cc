// Writes report.html: the pages of the viewer as one file, with all that they would ask for, and a policy
// that lets it load and send nothing.
#include <fmt/core.h>

#include <optional>

#include "base/hash.h"
#include "report/decide/run_statistics.h"
#include "report/export.h"
#include "report/fold/cell_counts.h"
#include "report/page/page_data.h"
#include "report/page/page_files.h"
#include "report/values/pages/run_map.h"
#include "spec/suite/suite.h"
#include "text/packed/base64.h"

namespace assay {

namespace {

std::string HashOf(std::string_view text) {
  const Digest digest = Sha256Of(text);
  return EncodeBase64(std::string(digest.begin(), digest.end()));
}

// Only our own script and sheet, known by their hashes; nothing may be fetched from anywhere, and no text may
// become markup.
std::string PolicyOf(std::string_view script, std::string_view style) {
  return fmt::format(
      "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; connect-src 'none'; "
      "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      HashOf(script), HashOf(style));
}

std::string HeadOf(std::string_view script, std::string_view style) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>assay</title>\n"
      "<style>{}</style>\n</head>\n<body>\n"
      "<noscript>This page needs JavaScript. In a terminal, <code>assay show</code> tells the "
      "same.</noscript>\n",
      PolicyOf(script, style), style);
}

// Of a report that nobody has a row for: what the report itself says.
RunRecord RecordOf(const Report& report) {
  RunRecord record;
  record.context = report.run;
  record.title = report.suite->title;
  record.dialect = report.suite->dialect;
  record.state = RunState::kFinished;
  record.cells = CountCells(report).cells;
  record.requests_sent = report.totals.requests_sent;
  record.finished_ms = report.run.started_ms;
  return record;
}

}  // namespace

Status ExportHtml(const Report& report, const ExportAsk& ask, Sink& sink) {
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, ask.pass));
  const RunRecord record = ask.record == nullptr ? RecordOf(report) : *ask.record;
  const bool is_open = record.state != RunState::kFinished;
  std::optional<RunMap> walked;
  if (ask.map == nullptr || is_open) {
    ASSAY_TRY(walked, RunMapOf(report, ask.pass, is_open));
  }
  const PageFacts facts{.record = record,
                        .cost = record.cost.value_or(RunCost()),
                        .pass = ask.pass,
                        .gates = ask.gates,
                        .statistics = *statistics,
                        .map = walked ? *walked : *ask.map};
  const std::string script = JoinedScript(PageFiles());
  const std::string style = JoinedStyle(PageFiles());
  ASSAY_CHECK_OK(sink.Write(HeadOf(script, style)));
  ASSAY_CHECK_OK(WritePageData(report, facts, ask.all_cases ? PageRoom::OfAllCases() : PageRoom(), sink));
  ASSAY_CHECK_OK(sink.Write("<script type=\"module\">"));
  ASSAY_CHECK_OK(sink.Write(script));
  return sink.Write("</script>\n</body>\n</html>\n");
}

}  // namespace assay
