// The step `after`: the rest of the line behind a text in any letter case, without Markdown's stars and
// underscores at its ends; where nothing is left of it, the next line that is not blank.
#include <algorithm>

#include "text/extract/steps.h"

namespace assay {

namespace {

constexpr std::string_view kCutAtEnds = "*_ \t\r";

bool IsCut(char c) { return kCutAtEnds.find(c) != std::string_view::npos; }

// The lines of a text, of which each is looked at once.
class LineEnds {
 public:
  explicit LineEnds(std::string_view text) : text_(text) {}

  // From a place to the end of its line, without what is cut.
  TextRange RestOf(std::size_t from) {
    Find(from);
    while (from < bare_end_ && IsCut(text_[from])) ++from;
    return {from, std::max(from, bare_end_)};
  }
  // The end of the line in which a place stands.
  std::size_t EndOf(std::size_t from) {
    Find(from);
    return end_;
  }

 private:
  void Find(std::size_t from) {
    if (is_known_ && from <= end_) return;
    end_ = std::min(text_.find('\n', from), text_.size());
    bare_end_ = end_;
    while (bare_end_ > from && IsCut(text_[bare_end_ - 1])) --bare_end_;
    is_known_ = true;
  }

  std::string_view text_;
  bool is_known_ = false;
  std::size_t end_ = 0;
  std::size_t bare_end_ = 0;
};

}  // namespace

Result<std::vector<FoundPart>> FindBehindMark(std::string_view text, const void* argument) {
  const std::string& mark = *static_cast<const std::string*>(argument);
  std::vector<FoundPart> parts;
  LineEnds lines(text);
  for (TextRange found = FindAnyCase(mark, text, 0); !found.empty();
       found = FindAnyCase(mark, text, found.to)) {
    TextRange part = lines.RestOf(found.to);
    if (part.empty()) {
      const std::size_t next = text.find_first_not_of(" \t\r\n", lines.EndOf(found.to));
      if (next != std::string_view::npos) part = LineEnds(text).RestOf(next);
    }
    if (!part.empty()) parts.push_back({.where = part});
  }
  return parts;
}

}  // namespace assay
