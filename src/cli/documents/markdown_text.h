// Pages of docs/ as a terminal shows them.
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal/screen.h"

namespace assay {

// Paragraphs and items folded for the screen, headings in bold, tables and code as they are; links keep their
// words.
std::string MarkdownAsText(std::string_view markdown, const Screen& screen);
// One text of a cell or a line, without marks of code, emphasis and links.
std::string PlainMarkdown(std::string_view line);

}  // namespace assay
