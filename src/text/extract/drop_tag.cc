// The step `drop_tag`: the text without what stands between <NAME …> and </NAME>. All before a closing tag that
// nothing opened is dropped, and all behind an opening tag that nothing closes.
#include "text/extract/steps.h"
#include "text/extract/tags.h"

namespace assay {

Result<std::vector<FoundPart>> FindWithoutTags(std::string_view text, const void* argument) {
  std::vector<TextRange> kept;
  std::size_t start = 0;  // of what is kept next
  bool is_open = false;
  for (const NamedTag& tag : TagsOf(*static_cast<const std::string*>(argument), text)) {
    if (tag.is_closing) {
      if (!is_open) kept.clear();
      start = tag.where.to;
      is_open = false;
    } else if (!is_open) {
      kept.push_back({start, tag.where.from});
      is_open = true;
    }
  }
  if (!is_open) kept.push_back({start, text.size()});
  std::erase_if(kept, [text](const TextRange& range) {
    return text.substr(range.from, range.to - range.from).find_first_not_of(" \t\r\n") ==
           std::string_view::npos;
  });
  std::vector<FoundPart> parts;
  if (kept.size() == 1) parts.push_back({.where = kept.front()});
  if (kept.size() > 1) {
    std::string joined;
    for (const TextRange& range : kept) joined += text.substr(range.from, range.to - range.from);
    parts.push_back({.where = {}, .text = std::move(joined)});
  }
  return parts;
}

}  // namespace assay
