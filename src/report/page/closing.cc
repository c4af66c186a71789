// The page's section on what a model made of the whole run, where one was asked.
#include <fmt/core.h>

#include <algorithm>

#include "report/page/parts.h"

namespace assay {
namespace {

constexpr std::size_t kItemBytesMax = 2'000;
constexpr std::size_t kItemsShown = 100;
constexpr std::size_t kTextBytesMax = 20'000;

struct ClosingPart {
  std::string_view name;  // of the list in the summary
  std::string_view title;
};
constexpr ClosingPart kParts[] = {{"keyFindings", "Key findings"},
                           {"strengths", "Strengths"},
                           {"weaknesses", "Weaknesses"},
                           {"patterns", "Patterns"}};

bool HasItems(const Value* list) { return list != nullptr && list->is_list() && !list->AsList().empty(); }

void WritePart(HtmlWriter& page, std::string_view title, const List& items) {
  page.Raw("<h3>").Text(title).Raw("</h3><ul>");
  for (std::size_t i = 0; i < std::min(items.size(), kItemsShown); ++i) {
    if (items[i].is_string()) page.Raw("<li>").Markdown(items[i].AsString(), kItemBytesMax);
  }
  page.Raw("</ul>");
}

std::string_view TextOf(const Value& map, std::string_view key) {
  const Value* value = map.Find(key);
  return value != nullptr && value->is_string() ? std::string_view(value->AsString()) : std::string_view();
}

}  // namespace

void WriteClosing(HtmlWriter& page, const PageModel& model) {
  const auto found = model.report->suite_values.find("executiveSummary");
  if (found == model.report->suite_values.end()) return;
  const Value& summary = found->second;
  page.Raw("<section><h2>Executive summary</h2><p class=meta>Written by ").Text(TextOf(summary, "modelId"));
  page.Raw(", which was not told whom it judges. Nothing of it enters a score.</p>");
  const Value* parts = summary.Find("structured");
  bool is_empty = true;
  for (const ClosingPart& part : kParts) {
    const Value* list = parts == nullptr ? nullptr : parts->Find(part.name);
    if (!HasItems(list)) continue;
    is_empty = false;
    WritePart(page, part.title, list->AsList());
  }
  if (is_empty) page.Markdown(TextOf(summary, "content"), kTextBytesMax);
  page.Raw("</section>\n");
}

}  // namespace assay
