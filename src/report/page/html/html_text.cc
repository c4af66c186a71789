// Escapes characters one by one; the table of hidden characters.
#include "report/page/html/html_text.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/text/utf8.h"

namespace assay {
namespace {

struct CodePointRange {
  char32_t first, last;
};

// Characters that a reader cannot see or that change the order of what he sees. Joiners (U+200C, U+200D) and
// the emoji variation selector stay: scripts and emoji need them.
constexpr std::array kHidden = {
    CodePointRange{0x0000, 0x0008}, CodePointRange{0x000b, 0x001f}, CodePointRange{0x007f, 0x009f},
    CodePointRange{0x00ad, 0x00ad}, CodePointRange{0x034f, 0x034f}, CodePointRange{0x061c, 0x061c},
    CodePointRange{0x115f, 0x1160}, CodePointRange{0x17b4, 0x17b5}, CodePointRange{0x180b, 0x180e},
    CodePointRange{0x200b, 0x200b}, CodePointRange{0x200e, 0x200f}, CodePointRange{0x2028, 0x202e},
    CodePointRange{0x2060, 0x206f}, CodePointRange{0x3164, 0x3164}, CodePointRange{0xd800, 0xdfff},
    CodePointRange{0xfdd0, 0xfdef}, CodePointRange{0xfeff, 0xfeff}, CodePointRange{0xffa0, 0xffa0},
    CodePointRange{0xfff0, 0xfffb}, CodePointRange{0xfffe, 0xffff}, CodePointRange{0xe0000, 0xe01ef},
};

bool IsHidden(char32_t code_point) {
  const auto* range = std::lower_bound(kHidden.begin(), kHidden.end(), code_point,
                                       [](const CodePointRange& r, char32_t c) { return r.last < c; });
  return range != kHidden.end() && range->first <= code_point;
}

enum class Place { kText, kAttribute };

void AppendBadge(const std::string& name, Place place, std::string& out) {
  out += place == Place::kText ? "<i class=h>" + name + "</i>" : "[" + name + "]";
}

// Appends one character, badge or escape. Returns the offset behind it.
std::size_t AppendOne(std::string_view text, std::size_t offset, Place place, std::string& out) {
  const DecodedCodePoint decoded = DecodeUtf8(text, offset);
  const std::string_view bytes = text.substr(offset, decoded.size_bytes);
  const std::size_t next = offset + decoded.size_bytes;
  const char32_t c = decoded.code_point;
  if (c >= 0x80 && bytes.size() == 1) {
    AppendBadge(fmt::format("0x{:02X}", static_cast<unsigned char>(bytes[0])), place, out);
  } else if (c == '\r' && next < text.size() && text[next] == '\n') {
    return next;  // a line break of two characters is one
  } else if (IsHidden(c)) {
    AppendBadge(fmt::format("U+{:04X}", static_cast<std::uint32_t>(c)), place, out);
  } else if (c == '&') {
    out += "&amp;";
  } else if (c == '<') {
    out += "&lt;";
  } else if (c == '>') {
    out += "&gt;";
  } else if (c == '"' && place == Place::kAttribute) {
    out += "&quot;";
  } else {
    out += bytes;
  }
  return next;
}

void AppendEscaped(std::string_view text, Place place, std::string& out) {
  for (std::size_t offset = 0; offset < text.size();) offset = AppendOne(text, offset, place, out);
}

bool StartsWithNoCase(std::string_view text, std::string_view prefix) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [&](char b, char a) { return same(a, b); });
}

}  // namespace

void AppendHtmlText(std::string_view text, std::string& out) { AppendEscaped(text, Place::kText, out); }
void AppendHtmlAttribute(std::string_view text, std::string& out) {
  AppendEscaped(text, Place::kAttribute, out);
}

bool AppendHtmlTextUpTo(std::string_view text, std::size_t limit, std::string& out) {
  const std::size_t start = out.size();
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t before = out.size();
    offset = AppendOne(text, offset, Place::kText, out);
    if (out.size() - start > limit) {
      out.resize(before);
      return false;
    }
  }
  return true;
}

std::string HtmlText(std::string_view text) {
  std::string out;
  AppendHtmlText(text, out);
  return out;
}

std::string HtmlAttribute(std::string_view text) {
  std::string out;
  AppendHtmlAttribute(text, out);
  return out;
}

bool IsWebAddress(std::string_view url) {
  const std::size_t scheme = StartsWithNoCase(url, "https://") ? 8 : StartsWithNoCase(url, "http://") ? 7 : 0;
  if (scheme == 0) return false;
  const std::string_view host = url.substr(scheme, url.find_first_of("/?#", scheme) - scheme);
  const auto is_plain = [](char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '\'' && c != '<' && c != '>' && c != '`' && c != '\\';
  };
  return !host.empty() && host.find('@') == std::string_view::npos &&
         std::all_of(url.begin(), url.end(), is_plain);
}

std::string WebLinkStart(std::string_view url) {
  return fmt::format("<a href=\"{}\" rel=\"noopener noreferrer\" target=_blank>", HtmlAttribute(url));
}

void AppendWebLink(std::string_view url, std::string_view label, std::string& out) {
  if (!IsWebAddress(url)) return AppendHtmlText(label, out);
  out += WebLinkStart(url);
  AppendHtmlText(label, out);
  out += "</a>";
}

}  // namespace assay
