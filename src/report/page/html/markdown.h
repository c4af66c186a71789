// Converts Markdown of descriptions, ideal answers and summaries to safe HTML. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

// md4c finds some forms of link definitions in time that grows with the square of the text: 12 ms at this
// size.
inline constexpr std::size_t kMarkdownBytesMax = 32'768;
inline constexpr std::size_t kMarkdownDepthMax = 24;  // of blocks and spans in each other

// CommonMark with tables, task lists, struck-out text and bare addresses, but without code by indentation.
// Links go to http and https addresses only, others leave their words; raw HTML is shown as text; images are
// shown as their description, never fetched. A text beyond the limits above, or one that would grow without
// measure, is shown as it was written.
void AppendMarkdown(std::string_view text, std::string& html);

}  // namespace assay
