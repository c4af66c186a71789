// Documents of XML: whether one is well-formed, and which elements it has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::promptfoo {

// Why a text is no well-formed XML document with namespaces; nothing if it is one. An internal subset of its
// document type is refused.
std::optional<std::string> XmlFault(std::string_view text);

// The elements of a text, read as far as tags can be told: no document has to be well-formed.
struct XmlElement {
  std::string name;
  std::vector<std::string> attributes;
  std::vector<XmlElement> children;
  bool has_text = false;
};
// An element without a name around those of the text.
XmlElement ReadElements(std::string_view text);
// Whether a path of names leads somewhere: "a.b", "a.b.1" for the second of several, "a.@_id".
bool HasPath(const XmlElement& root, std::string_view path);

// The outermost parts whose tags are balanced, neighbours together before each alone.
std::vector<std::string_view> BalancedParts(std::string_view text);

}  // namespace assay::promptfoo
