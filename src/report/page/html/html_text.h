// Escapes foreign text for HTML, and makes hidden and reordering characters visible. Pure.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Text between tags. Markup is escaped; characters that hide or reorder what a reader sees (controls,
// bidirectional overrides, zero-width and tag characters, bytes that are no UTF-8) become visible badges: <i
// class=h>U+202E</i>. Line breaks and tabs stay.
void AppendHtmlText(std::string_view text, std::string& out);
// The same, stopped before the output grows by more than `limit` bytes; false if the text was cut.
bool AppendHtmlTextUpTo(std::string_view text, std::size_t limit, std::string& out);
// The same inside a double-quoted attribute, where badges are plain text: [U+202E].
void AppendHtmlAttribute(std::string_view text, std::string& out);

std::string HtmlText(std::string_view text);
std::string HtmlAttribute(std::string_view text);

// An absolute http or https address of plain ASCII that may stand in a link: no blanks, quotes, controls, or
// user part.
bool IsWebAddress(std::string_view url);
// <a href="…" rel="noopener noreferrer" target=_blank> of a web address.
std::string WebLinkStart(std::string_view url);
// The same with a label and its end, or the label alone if the address is no web
// address.
void AppendWebLink(std::string_view url, std::string_view label, std::string& out);

}  // namespace assay
