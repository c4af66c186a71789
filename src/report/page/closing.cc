// Writes the page's section with the executive summary, if a model was asked for one.
#include <fmt/core.h>

#include <algorithm>

#include "report/page/parts.h"

namespace assay {
namespace {

constexpr std::size_t kItemBytesMax = 2'000;
constexpr std::size_t kItemsShown = 100;
constexpr std::size_t kTextBytesMax = 20'000;

void WritePart(HtmlWriter& page, const ClosingSummary::Part& part) {
  page.Raw("<h3>").Text(part.title).Raw("</h3><ul>");
  for (std::size_t i = 0; i < std::min(part.items.size(), kItemsShown); ++i)
    page.Raw("<li>").Markdown(part.items[i], kItemBytesMax);
  page.Raw("</ul>");
}

}  // namespace

void WriteClosing(HtmlWriter& page, const PageModel& model) {
  if (!model.report->closing) return;
  const ClosingSummary& summary = *model.report->closing;
  page.Raw("<section><h2>Executive summary</h2><p class=meta>Written by ").Text(summary.model_id);
  page.Raw(", which was not told whom it judges. Nothing of it enters a score.</p>");
  for (const ClosingSummary::Part& part : summary.parts) WritePart(page, part);
  if (summary.parts.empty()) page.Markdown(summary.text, kTextBytesMax);
  page.Raw("</section>\n");
}

}  // namespace assay
