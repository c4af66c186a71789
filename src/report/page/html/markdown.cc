// Writes md4c's blocks and spans as HTML: every tag is one of ours, every text is foreign and escaped.
#include "report/page/html/markdown.h"

#include <md4c.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/text/utf8.h"
#include "report/page/html/html_text.h"

namespace assay {
namespace {

constexpr unsigned kFlags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_PERMISSIVEURLAUTOLINKS |
                            MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
// What a heading of the text is on the page, which has headings of its own above it.
constexpr unsigned kHeadingsAbove = 3;
constexpr unsigned kHeadingsMax = 6;

// Names whose characters cannot hide or reorder anything; any other reference is shown as it was written.
struct NamedCharacter {
  std::string_view reference, text;
};
constexpr NamedCharacter kNamed[] = {{"&amp;", "&"},        {"&lt;", "<"},         {"&gt;", ">"},
                                     {"&quot;", "\""},      {"&apos;", "'"},       {"&nbsp;", "\u00a0"},
                                     {"&copy;", "\u00a9"},  {"&ndash;", "\u2013"}, {"&mdash;", "\u2014"},
                                     {"&hellip;", "\u2026"}};

std::string TextOfReference(std::string_view reference) {
  for (const NamedCharacter& named : kNamed) {
    if (reference == named.reference) return std::string(named.text);
  }
  if (!reference.starts_with("&#")) return std::string(reference);
  const bool is_hex = reference.size() > 2 && (reference[2] == 'x' || reference[2] == 'X');
  const std::string_view digits = reference.substr(is_hex ? 3 : 2);
  constexpr int kHexBase = 16;
  constexpr int kDecimalBase = 10;
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? kHexBase : kDecimalBase);
  const bool is_character =
      error == std::errc() && code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  if (!is_character) return std::string(reference);
  std::string text;
  AppendUtf8(code, text);
  return text;
}

std::string TextOf(const MD_ATTRIBUTE& attribute) {
  std::string text;
  for (std::size_t i = 0; attribute.text != nullptr && attribute.substr_offsets[i] < attribute.size; ++i) {
    const std::size_t begin = attribute.substr_offsets[i];
    const std::string_view part(attribute.text + begin, attribute.substr_offsets[i + 1] - begin);
    text += attribute.substr_types[i] == MD_TEXT_ENTITY ? TextOfReference(part) : std::string(part);
  }
  return text;
}

struct Tags {
  std::string_view open, close;
};

class Renderer {
 public:
  Renderer(std::size_t output_max, std::string& out) : output_max_(out.size() + output_max), out_(out) {}

  // What callbacks answer: kStop ends the parse, but md4c 0.4.8 does not tell of it where blocks are nested.
  enum Verdict : int { kGoOn = 0, kStop = 1 };
  bool IsWhole() const { return !stopped_ && open_.empty(); }

  // Nor does it leave everything in the order in which it was entered, in rare forms of marks (fuzz).
  Verdict Leave(int type) {
    stopped_ = stopped_ || open_.empty() || open_.back().type != type;
    if (stopped_) return kStop;
    out_ += open_.back().tag_close;
    open_.pop_back();
    return kGoOn;
  }
  Verdict LeaveBlock(MD_BLOCKTYPE type) { return Leave(type); }

  Verdict EnterBlock(MD_BLOCKTYPE type, const void* detail) {
    type_ = type;
    switch (type) {
      case MD_BLOCK_DOC:
      case MD_BLOCK_HTML:
        return Enter("", "");
      case MD_BLOCK_QUOTE:
        return Enter("<blockquote>", "</blockquote>");
      case MD_BLOCK_UL:
        return Enter("<ul>", "</ul>");
      case MD_BLOCK_OL:
        return EnterNumbered(*static_cast<const MD_BLOCK_OL_DETAIL*>(detail));
      case MD_BLOCK_LI:
        return EnterItem(*static_cast<const MD_BLOCK_LI_DETAIL*>(detail));
      case MD_BLOCK_HR:
        return Enter("<hr>", "");
      case MD_BLOCK_H:
        return EnterHeading(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
      case MD_BLOCK_CODE:
        return Enter("<pre><code>", "</code></pre>");
      case MD_BLOCK_P:
        return Enter("<p>", "</p>");
      case MD_BLOCK_TABLE:
        return Enter("<div class=scroll><table class=side>", "</table></div>");
      case MD_BLOCK_THEAD:
        return Enter("<thead>", "</thead>");
      case MD_BLOCK_TBODY:
        return Enter("<tbody>", "</tbody>");
      case MD_BLOCK_TR:
        return Enter("<tr>", "</tr>");
      case MD_BLOCK_TH:
        return Enter("<th scope=col>", "</th>");
      case MD_BLOCK_TD:
        return Enter("<td>", "</td>");
    }
    return kStop;
  }

  Verdict EnterSpan(MD_SPANTYPE type, const void* detail) {
    type_ = kSpans + type;
    switch (type) {
      case MD_SPAN_EM:
        return Enter("<em>", "</em>");
      case MD_SPAN_STRONG:
        return Enter("<strong>", "</strong>");
      case MD_SPAN_CODE:
        return Enter("<code>", "</code>");
      case MD_SPAN_DEL:
        return Enter("<del>", "</del>");
      case MD_SPAN_A:
        return EnterLink(TextOf(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href));
      case MD_SPAN_IMG:
        return Enter("<span class=image>", "</span>");
      default:
        return Enter("", "");  // extensions that are not asked for
    }
  }

  Verdict LeaveSpan(MD_SPANTYPE type) {
    const bool says_nothing = type == MD_SPAN_IMG && out_.ends_with("<span class=image>");
    if (says_nothing) out_ += "image";
    return Leave(kSpans + type);
  }

  Verdict Text(MD_TEXTTYPE type, std::string_view text) {
    if (stopped_) return kStop;
    switch (type) {
      case MD_TEXT_BR:
        out_ += "<br>";
        break;
      case MD_TEXT_SOFTBR:
        out_ += '\n';
        break;
      case MD_TEXT_ENTITY:
        AppendHtmlText(TextOfReference(text), out_);
        break;
      case MD_TEXT_NULLCHAR:
        AppendHtmlText(std::string_view("\0", 1), out_);
        break;
      default:
        AppendHtmlText(text, out_);
        break;
    }
    return Bounded();
  }

 private:
  static constexpr int kSpans = 1'000;  // tells types of spans from those of blocks
  struct Open {
    int type;
    std::string_view tag_close;
  };

  Verdict Enter(std::string_view tag_open, std::string_view tag_close) {
    if (stopped_) return kStop;
    out_ += tag_open;
    open_.push_back({type_, tag_close});
    return Bounded();
  }
  Verdict Bounded() {
    stopped_ = stopped_ || out_.size() > output_max_ || open_.size() > kMarkdownDepthMax;
    return stopped_ ? kStop : kGoOn;
  }

  Verdict EnterNumbered(const MD_BLOCK_OL_DETAIL& list) {
    return Enter(list.start == 1 ? "<ol>" : "<ol start=" + std::to_string(list.start) + ">", "</ol>");
  }
  Verdict EnterItem(const MD_BLOCK_LI_DETAIL& item) {
    if (item.is_task == 0) return Enter("<li>", "</li>");
    return Enter(item.task_mark == ' ' ? "<li>☐ " : "<li>☑ ", "</li>");
  }
  Verdict EnterHeading(unsigned level) {
    static constexpr Tags kHeadings[] = {{"<h4>", "</h4>"}, {"<h5>", "</h5>"}, {"<h6>", "</h6>"}};
    const Tags& tags = kHeadings[std::min(level + kHeadingsAbove, kHeadingsMax) - kHeadingsAbove - 1];
    return Enter(tags.open, tags.close);
  }
  // An address that is none of the web's leaves its words.
  Verdict EnterLink(const std::string& url) {
    if (!IsWebAddress(url)) return Enter("", "");
    return Enter(WebLinkStart(url), "</a>");
  }

  std::size_t output_max_;
  std::string& out_;
  std::vector<Open> open_;
  int type_ = 0;  // of what is being entered
  bool stopped_ = false;
};

bool Render(std::string_view text, std::string& html) {
  MD_PARSER parser{};
  parser.flags = kFlags;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* to) -> int {
    return static_cast<Renderer*>(to)->EnterBlock(type, detail);
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* to) -> int {
    return static_cast<Renderer*>(to)->LeaveBlock(type);
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* to) -> int {
    return static_cast<Renderer*>(to)->EnterSpan(type, detail);
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* to) -> int {
    return static_cast<Renderer*>(to)->LeaveSpan(type);
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* bytes, MD_SIZE size, void* to) -> int {
    return static_cast<Renderer*>(to)->Text(type, {bytes, size});
  };
  constexpr std::size_t kGrowthMax = 24;  // a badge for a byte that is no text is 20 bytes
  constexpr std::size_t kFrameBytes = 4'096;
  Renderer renderer(text.size() * kGrowthMax + kFrameBytes, html);
  const int result = md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &renderer);
  return result == 0 && renderer.IsWhole();
}

}  // namespace

void AppendMarkdown(std::string_view text, std::string& html) {
  const std::size_t start = html.size();
  if (text.size() <= kMarkdownBytesMax && Render(text, html)) return;
  html.resize(start);
  html += "<p class=t>";
  AppendHtmlText(text, html);
  html += "</p>";
}

}  // namespace assay
