// Tags of markup, one by one, however well-formed it is.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text/ascii.h"
#include "text/javascript/text.h"

namespace assay::promptfoo {

struct Tag {
  enum class Kind { kOpen, kClose, kEmpty, kOther };  // kOther: comments, <![CDATA[...]]>, <?...?>, <!...>
  Kind kind = Kind::kOther;
  std::string_view name;
  std::string_view rest;  // what follows the name
  std::size_t begin = 0;
  std::size_t end = 0;  // one behind the tag
};

inline bool IsTagNameStart(char c) {
  return IsAsciiLetter(c) || c == '_' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
}
inline bool IsTagNamePart(char c) { return IsTagNameStart(c) || IsAsciiDigit(c) || c == '-' || c == '.'; }
inline bool IsMarkupBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// One behind the ">" that ends a tag, outside of quotes; npos if none does.
inline std::size_t EndOfTag(std::string_view text, std::size_t at) {
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

// The next tag from a place on; nothing if there is none.
inline std::optional<Tag> NextTag(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('<', from); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const auto closed = [&](std::string_view mark, std::size_t skip) {
      const std::size_t end = text.find(mark, at + skip);
      return end == std::string_view::npos ? text.size() : end + mark.size();
    };
    Tag tag;
    tag.begin = at;
    if (text.substr(at, 4) == "<!--") {
      tag.end = closed("-->", 4);
      return tag;
    }
    if (text.substr(at, 9) == "<![CDATA[") {
      tag.end = closed("]]>", 9);
      return tag;
    }
    if (text.substr(at, 2) == "<?" || text.substr(at, 2) == "<!") {
      tag.end = closed(">", 2);
      return tag;
    }
    const bool closes = text.substr(at, 2) == "</";
    const std::size_t name = at + (closes ? 2 : 1);
    if (name >= text.size() || !IsTagNameStart(text[name])) continue;
    const std::size_t name_end = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(name), text.end(), IsTagNamePart) -
        text.begin());
    tag.end = EndOfTag(text, name_end);
    if (tag.end == std::string_view::npos) continue;
    tag.name = text.substr(name, name_end - name);
    tag.rest = text.substr(name_end, tag.end - 1 - name_end);
    tag.kind = closes ? Tag::Kind::kClose : tag.rest.ends_with('/') ? Tag::Kind::kEmpty : Tag::Kind::kOpen;
    return tag;
  }
  return std::nullopt;
}

}  // namespace assay::promptfoo
