// Escapes foreign text for a cell or a list item in our Markdown.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// One line for a cell of a table or a list: nothing in it is read as Markdown or HTML; line ends and control
// characters are blanks,
// invisible and reordering ones their escapes.
std::string MarkdownCell(std::string_view text);

}  // namespace assay
