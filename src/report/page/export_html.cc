// Writes report.html: the document around the page's sections, with a policy that lets it load and send
// nothing.
#include <fmt/core.h>

#include "base/hash.h"
#include "report/export.h"
#include "report/page/assets.h"
#include "report/page/html/html_text.h"
#include "report/page/parts.h"
#include "text/packed/base64.h"

namespace assay {
namespace {

// Only our own script, known by its hash, may run; nothing may be fetched from anywhere. What a policy does
// not know of (preconnect, prefetch, names that are looked up early) never enters the page: safe_html.h.
std::string ContentPolicy(bool has_pictures) {
  const Digest digest = Sha256Of(kReportJs);
  const std::string bytes(digest.begin(), digest.end());
  return fmt::format(
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; {}base-uri 'none'; form-action "
      "'none'",
      EncodeBase64(bytes), has_pictures ? "img-src data:; " : "");
}

void WriteDocumentStart(HtmlWriter& page, const PageModel& model) {
  const Suite& suite = *model.suite;
  page.Raw(
      "<!doctype html>\n<html lang=en><meta charset=utf-8>\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"");
  page.Raw(ContentPolicy(!model.pictures.empty()));
  page.Raw("\">\n<meta name=viewport content=\"width=device-width\">\n");
  page.Raw("<meta http-equiv=x-dns-prefetch-control content=off>\n");
  page.Raw("<meta name=referrer content=no-referrer>\n<title>")
      .Text(suite.title.empty() ? suite.id : suite.title);
  page.Raw("</title>\n<style>\n").Raw(kReportCss).Raw("</style>\n<body>\n");
}

}  // namespace

Status ExportHtml(const Report& report, Sink& sink) {
  ASSAY_TRY(const PageModel model, BuildPageModel(report));
  HtmlWriter page(sink);
  WriteDocumentStart(page, model);
  WriteHeader(page, model);
  WriteTools(page, model);
  page.Raw("<main>");
  WriteClosing(page, model);
  WriteRanking(page, model);
  WriteSuiteTables(page, model);
  WriteSystems(page, model);
  WriteMap(page, model);
  WriteFaults(page, model);
  WriteJudges(page, model);
  ASSAY_CHECK_OK(WriteCases(page, model));
  page.Raw("</main>\n");
  WriteFooter(page, model);
  page.Raw("<script>").Raw(kReportJs).Raw("</script>\n</html>\n");
  return page.Finish();
}

}  // namespace assay
