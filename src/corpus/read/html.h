// Reads an HTML page to the text that a reader would see, with its links. A scanner in one pass, not a
// browser: it builds no tree, runs nothing, loads nothing, and takes 1,000,000 nested tags like any other
// bytes.
//
// Left out: scripts, styles, comments, what is no text of the page (svg, iframe, noscript, ...), and what the
// page's own markup hides: `hidden`, aria-hidden, inline styles that hide. What only a style sheet hides
// stays.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct HtmlLink {
  std::string text;
  std::string href;  // as it stands there, entities read
};

struct HtmlPage {
  std::string title;
  std::string text;  // blocks on lines of their own, an empty line between paragraphs
  std::vector<HtmlLink> links;
};

// `html` is UTF-8. Time and memory are linear in its size.
HtmlPage ReadHtml(std::string_view html);

// One tag of HTML or XML as it stands in a text.
struct MarkupAttribute {
  std::string name;  // in lower case
  std::string value;
};
struct MarkupTag {
  std::string name;  // in lower case
  bool is_closing = false;
  bool is_empty = false;  // <br/>
  bool is_cut = false;    // has more than limits::kHtmlAttributesMax attributes
  std::vector<MarkupAttribute> attributes;
  const std::string* Find(std::string_view attribute) const;  // null: it has none
};
// Calls for each tag and each text between tags, front to back; comments and declarations are passed over,
// and the insides of <script>, <style> and their kin are no tags. `on_text` gets entities read.
struct MarkupHandler {
  std::function<void(const MarkupTag&)> on_tag;
  std::function<void(std::string_view text)> on_text;
};
void ScanMarkup(std::string_view markup, const MarkupHandler& handler);

// The text with its entities read ("&amp;", "&#233;", "&eacute;"); unknown ones stay as they are.
std::string DecodeEntities(std::string_view text);

}  // namespace assay
