// A small safe subset of Markdown for descriptions and ideal answers. Pure, linear in the length of the text.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Headings, paragraphs, lists (one level), quotes, fenced and inline code, strong, emphasis, and links to
// http and https addresses. Raw HTML is shown as text; images are shown as their description, never fetched.
void AppendMarkdown(std::string_view text, std::string& html);

}  // namespace assay
