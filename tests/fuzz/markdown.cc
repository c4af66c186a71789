// Any bytes as Markdown: every '<' of the page opens or closes an element of ours, all of them are closed,
// and links go to the web only.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/assert.h"
#include "report/page/html/html_text.h"
#include "report/page/html/markdown.h"

namespace {

constexpr std::string_view kEmpty[] = {"br", "hr"};
constexpr std::string_view kElements[] = {
    "a", "blockquote", "code", "del",    "div",   "em",    "h4", "h5", "h6",    "i",  "li", "ol",
    "p", "pre",        "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"};

template <std::size_t kCount>
bool IsOneOf(std::string_view name, const std::string_view (&names)[kCount]) {
  for (const std::string_view each : names) {
    if (name == each) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string page;
  assay::AppendMarkdown(text, page);
  std::vector<std::string_view> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::size_t end = page.find('>', at);
    ASSAY_ASSERT(end != std::string::npos);
    std::string_view tag(page.data() + at + 1, end - at - 1);
    const bool closes = tag.starts_with('/');
    if (closes) tag.remove_prefix(1);
    const std::string_view name = tag.substr(0, tag.find(' '));
    if (IsOneOf(name, kEmpty)) continue;
    ASSAY_ASSERT(IsOneOf(name, kElements));
    if (closes) {
      ASSAY_ASSERT(!open.empty() && open.back() == name);
      open.pop_back();
      continue;
    }
    open.push_back(name);
    if (name != "a") continue;
    constexpr std::string_view kHref = "a href=\"";
    ASSAY_ASSERT(tag.starts_with(kHref) &&
                 (tag.substr(kHref.size(), 4) == "http" || tag[kHref.size()] == 'H'));
  }
  ASSAY_ASSERT(open.empty());
  return 0;
}
