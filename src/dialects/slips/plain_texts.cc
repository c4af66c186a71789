// Compares plain texts with the lines that they come from.
#include "dialects/slips/plain_texts.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay {

namespace {

class PlainTexts {
 public:
  PlainTexts(std::string_view source, std::string_view family, Diagnostics& diagnostics)
      : source_(source), family_(family), diagnostics_(diagnostics) {}

  void Visit(const Value& value, bool is_item) {
    if (value.is_list()) {
      for (const Value& item : value.AsList()) Visit(item, true);
    } else if (value.is_map()) {
      for (const Member& member : value.AsMap()) Visit(member.value, false);
    } else if (value.is_string() && IsPlain(value.span)) {
      if (is_item) WarnOfSwallowedItem(value.span);
      WarnOfComment(value.span);
    }
  }

 private:
  bool IsPlain(Span span) const {
    constexpr std::string_view kNotPlain = "\"'|>*&!";
    return span.file != FileId::kNone && span.length > 0 && span.offset + span.length <= source_.size() &&
           kNotPlain.find(source_[span.offset]) == std::string_view::npos;
  }

  void WarnOfSwallowedItem(Span span) {
    const std::string_view text = source_.substr(span.offset, span.length);
    for (std::size_t line = text.find('\n'); line != std::string_view::npos;
         line = text.find('\n', line + 1)) {
      const std::size_t first = text.find_first_not_of(' ', line + 1);
      if (first == std::string_view::npos || !text.substr(first).starts_with("- ")) continue;
      diagnostics_.Warning(
          fmt::format("{}.swallowed-item", family_),
          "this line continues the text above, because it is indented deeper than that item",
          {.file = span.file, .offset = span.offset + static_cast<std::uint32_t>(first), .length = 1},
          "give all items of the list the same indentation; quote the text if the dash belongs to it");
      return;
    }
  }

  void WarnOfComment(Span span) {
    const std::string_view text = source_.substr(span.offset, span.length);
    const std::size_t end = span.offset + span.length;
    const std::string_view rest = source_.substr(end, source_.find_first_of("\r\n", end) - end);
    const std::size_t mark = rest.find_first_not_of(" \t");
    if (mark == std::string_view::npos || mark == 0 || rest[mark] != '#') return;
    const std::size_t behind = rest.find_first_not_of('#', mark);
    if (behind == std::string_view::npos) return;
    const bool is_word = rest[behind] != ' ' && rest[behind] != '\t';
    const bool has_words = text.find(' ') != std::string_view::npos;
    if (!is_word && !(mark == 1 && has_words)) return;
    diagnostics_.Warning(
        fmt::format("{}.cut-text", family_),
        fmt::format("the text ends here: {} is a comment of YAML", Quoted(rest.substr(mark))),
        {.file = span.file,
         .offset = static_cast<std::uint32_t>(end + mark),
         .length = static_cast<std::uint32_t>(rest.size() - mark)},
        "put the whole text in quotes; a comment has two spaces before the # and one after it");
  }

  std::string_view source_;
  std::string_view family_;
  Diagnostics& diagnostics_;
};

}  // namespace

void WarnOfPlainTexts(const Value& tree, std::string_view source, std::string_view family,
                      Diagnostics& diagnostics) {
  PlainTexts(source, family, diagnostics).Visit(tree, false);
}

}  // namespace assay
