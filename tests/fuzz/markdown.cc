// Any bytes as Markdown: a tree of lists whose names are ours, and of texts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/assert.h"
#include "report/values/words/markdown_tree.h"
#include "spec/suite/check.h"
#include "tests/fuzz/target.h"

namespace {

constexpr std::string_view kNames[] = {
    "p", "h1",     "h2",  "h3",         "h4",    "h5",    "h6", "ul", "ol", "li", "pre",  "hr",  "br",   "em",
    "a", "strong", "del", "blockquote", "table", "thead", "tr", "th", "td", "u",  "code", "img", "tbody"};

void Check(const assay::Value& node) {
  if (node.is_string()) return;
  ASSAY_ASSERT(node.is_list() && !node.AsList().empty());
  const assay::List& list = node.AsList();
  ASSAY_ASSERT(list.front().is_string());
  ASSAY_ASSERT(std::find(std::begin(kNames), std::end(kNames), list.front().AsString()) != std::end(kNames));
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (i == 1 && list[i].is_map()) continue;
    Check(list[i]);
  }
}

}  // namespace

FUZZ_TARGET(markdown)(const std::uint8_t* data, std::size_t size) {
  const assay::Value tree = assay::MarkdownTree({reinterpret_cast<const char*>(data), size});
  if (tree.is_null()) return 0;
  for (const assay::Value& block : tree.AsList()) Check(block);
  return 0;
}
