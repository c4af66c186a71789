// Markdown as a tree of JSON, of which a page builds elements: [name, attributes?, child...], a child a text
// or a tree (docs/formats/view.md). No byte of it is ever markup. Pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/value.h"

namespace assay {

// md4c finds some forms of link definitions in time that grows with the square of the text: 12 ms at this
// size.
inline constexpr std::size_t kMarkdownTreeBytesMax = 32'768;

// CommonMark with tables, task lists, struck-out text and bare addresses, but without code by indentation;
// raw HTML is text. Null for a text beyond the limit, or one that md4c does not come to the end of.
Value MarkdownTree(std::string_view text);

// The same of a document that the program brings along: of any length, without its raw HTML, which is
// comments.
Value DocumentTree(std::string_view text);

struct PlacedMarkdown {
  Value tree;
  // For each text of the tree, in order: [bytes, from, bytes, from...], how many bytes of it come from which
  // place of the source, so that places of the source can be marked in it. Null where the tree is.
  Value places;
};
PlacedMarkdown PlaceMarkdown(std::string_view text);

}  // namespace assay
