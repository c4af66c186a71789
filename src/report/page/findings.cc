// Writes the items of a check with several parts: wanted, found and points of each.
#include <fmt/core.h>

#include "report/page/parts.h"
#include "spec/score/item_words.h"

namespace assay {
namespace {

void WriteItem(HtmlWriter& page, const TextLimits& limits, const ScoreItem& item) {
  page.Raw("<li>");
  if (item.is_alone()) {
    page.CutText(item.sentence, limits.reason);
    return;
  }
  page.Raw(ScoreChip(Score::Of(item.share), item.share));
  page.CutText(item.wanted, limits.reason);
  page.Raw(fmt::format(" <small>{:g} of {:g}</small>", item.points, item.weight));
  if (const std::string found = FoundText(item); !found.empty())
    page.Raw("<p>").CutText(found, limits.reason).Raw("</p>");
  if (!item.sentence.empty()) page.Raw("<p>").CutText(item.sentence, limits.reason).Raw("</p>");
  if (item.program.empty()) return;
  page.Raw("<details class=more><summary>the program</summary><pre class=t>");
  page.CutText(item.program, limits.answer).Raw("</pre></details>");
}

}  // namespace

bool WriteFindings(HtmlWriter& page, const TextLimits& limits, const Check& check, const Score& score) {
  if (score.items.empty()) return false;
  page.Raw("<ul>");
  for (const ScoreItem& item : score.items) WriteItem(page, limits, item);
  page.Raw("</ul>");
  // What the items stand in.
  const Value* text = check.args.Find("template");
  if (text == nullptr || !text->is_string() || text->AsString().empty()) return true;
  page.Raw("<details class=more><summary>the template</summary><pre class=t>");
  page.CutText(text->AsString(), limits.answer).Raw("</pre></details>");
  return true;
}

}  // namespace assay
