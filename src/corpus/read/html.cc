// Reads HTML to text and links: tracks the open elements on a stack, and leaves out what the page hides.
#include "corpus/read/html.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "corpus/index/words.h"
#include "corpus/limits.h"

namespace assay {

namespace {

// What a tag means for the text.
enum class ElementRole : std::uint8_t {
  kInline,     // nothing
  kLine,       // stands on lines of its own
  kParagraph,  // with an empty line around it
  kCell,       // a blank before it
  kHidden,     // its insides are not shown
  kVoid,       // has no insides: img
  kBreak,      // ends a line, has no insides
  kRule,       // a paragraph's end, has no insides
  kTitle,
  kLink,
  kKept,  // its line breaks are kept: pre
};

struct ElementRow {
  std::string_view name;
  ElementRole role;
};

// Sorted by name.
constexpr ElementRow kElements[] = {
    {"a", ElementRole::kLink},           {"address", ElementRole::kParagraph},
    {"area", ElementRole::kVoid},        {"article", ElementRole::kParagraph},
    {"aside", ElementRole::kParagraph},  {"audio", ElementRole::kHidden},
    {"base", ElementRole::kVoid},        {"blockquote", ElementRole::kParagraph},
    {"body", ElementRole::kParagraph},   {"br", ElementRole::kBreak},
    {"canvas", ElementRole::kHidden},    {"caption", ElementRole::kLine},
    {"col", ElementRole::kVoid},         {"datalist", ElementRole::kHidden},
    {"dd", ElementRole::kLine},          {"details", ElementRole::kParagraph},
    {"dialog", ElementRole::kParagraph}, {"div", ElementRole::kLine},
    {"dl", ElementRole::kParagraph},     {"dt", ElementRole::kLine},
    {"embed", ElementRole::kVoid},       {"fieldset", ElementRole::kParagraph},
    {"figcaption", ElementRole::kLine},  {"figure", ElementRole::kParagraph},
    {"footer", ElementRole::kParagraph}, {"form", ElementRole::kParagraph},
    {"h1", ElementRole::kParagraph},     {"h2", ElementRole::kParagraph},
    {"h3", ElementRole::kParagraph},     {"h4", ElementRole::kParagraph},
    {"h5", ElementRole::kParagraph},     {"h6", ElementRole::kParagraph},
    {"head", ElementRole::kHidden},      {"header", ElementRole::kParagraph},
    {"hr", ElementRole::kRule},          {"iframe", ElementRole::kHidden},
    {"img", ElementRole::kVoid},         {"input", ElementRole::kVoid},
    {"legend", ElementRole::kLine},      {"li", ElementRole::kLine},
    {"link", ElementRole::kVoid},        {"main", ElementRole::kParagraph},
    {"map", ElementRole::kHidden},       {"math", ElementRole::kInline},
    {"menu", ElementRole::kParagraph},   {"meta", ElementRole::kVoid},
    {"nav", ElementRole::kParagraph},    {"noembed", ElementRole::kHidden},
    {"noframes", ElementRole::kHidden},  {"noscript", ElementRole::kHidden},
    {"object", ElementRole::kHidden},    {"ol", ElementRole::kParagraph},
    {"option", ElementRole::kLine},      {"p", ElementRole::kParagraph},
    {"param", ElementRole::kVoid},       {"pre", ElementRole::kKept},
    {"script", ElementRole::kHidden},    {"section", ElementRole::kParagraph},
    {"source", ElementRole::kVoid},      {"style", ElementRole::kHidden},
    {"summary", ElementRole::kLine},     {"svg", ElementRole::kHidden},
    {"table", ElementRole::kParagraph},  {"tbody", ElementRole::kLine},
    {"td", ElementRole::kCell},          {"template", ElementRole::kHidden},
    {"textarea", ElementRole::kHidden},  {"tfoot", ElementRole::kLine},
    {"th", ElementRole::kCell},          {"thead", ElementRole::kLine},
    {"title", ElementRole::kTitle},      {"tr", ElementRole::kLine},
    {"track", ElementRole::kVoid},       {"ul", ElementRole::kParagraph},
    {"video", ElementRole::kHidden},     {"wbr", ElementRole::kVoid},
    {"xmp", ElementRole::kHidden},
};

// Elements out of which no tag ends another one, as bits.
enum Scope : std::uint8_t {
  kNoScope = 0,
  kListScope = 1,
  kTermScope = 2,
  kTableScope = 4,
  kRowScope = 8,
  kTextScope = 16
};
struct ScopeRow {
  std::string_view name;
  std::uint8_t scopes;
};
constexpr ScopeRow kScopes[] = {
    {"ul", kListScope},     {"ol", kListScope},
    {"menu", kListScope},   {"dl", kTermScope},
    {"tr", kRowScope},      {"td", kTextScope},
    {"th", kTextScope},     {"table", kTableScope | kRowScope | kTextScope},
    {"button", kTextScope}, {"object", kTextScope},
    {"select", kListScope},
};

// Elements that a following tag ends although nobody closed them: opening `opened` ends the innermost open
// `ended`, unless an element of the scope stands between them. How far back is looked is bounded.
struct ImpliedEnd {
  std::string_view opened;
  std::string_view ended;
  Scope scope;
};
constexpr ImpliedEnd kImpliedEnds[] = {
    {"a", "a", kTextScope},    {"body", "head", kNoScope},       {"dd", "dd", kTermScope},
    {"dd", "dt", kTermScope},  {"dt", "dd", kTermScope},         {"dt", "dt", kTermScope},
    {"li", "li", kListScope},  {"option", "option", kListScope}, {"td", "td", kRowScope},
    {"td", "th", kRowScope},   {"th", "td", kRowScope},          {"th", "th", kRowScope},
    {"tr", "tr", kTableScope},
};
constexpr std::size_t kImpliedEndReach = 32;

constexpr std::string_view kHidingStyles[] = {"display:none", "visibility:hidden", "visibility:collapse",
                                              "font-size:0;", "font-size:0p",      "opacity:0;"};

ElementRole RoleOf(std::string_view name) {
  const auto found = std::lower_bound(std::begin(kElements), std::end(kElements), name,
                                      [](const ElementRow& row, std::string_view n) { return row.name < n; });
  return found != std::end(kElements) && found->name == name ? found->role : ElementRole::kInline;
}

std::uint8_t ScopesOf(std::string_view name) {
  for (const ScopeRow& row : kScopes) {
    if (row.name == name) return row.scopes;
  }
  return kNoScope;
}

bool IsBlock(ElementRole role) {
  return role == ElementRole::kLine || role == ElementRole::kParagraph || role == ElementRole::kKept ||
         role == ElementRole::kRule;
}

bool StyleHides(std::string_view style) {
  std::string plain;
  for (std::size_t at = 0; at < style.size(); ++at) {
    if (style.substr(at).starts_with("/*")) {
      const std::size_t end = style.find("*/", at + 2);
      if (end == std::string_view::npos) break;
      at = end + 1;
      continue;
    }
    const char c = style[at];
    const bool is_blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!is_blank) plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  plain += ';';
  return std::any_of(std::begin(kHidingStyles), std::end(kHidingStyles),
                     [&plain](std::string_view hiding) { return plain.find(hiding) != std::string::npos; });
}

bool IsHiddenBy(const MarkupTag& tag) {
  // Nobody writes that many attributes but to push one out of sight.
  if (tag.is_cut || tag.Find("hidden") != nullptr) return true;
  if (const std::string* aria = tag.Find("aria-hidden"); aria != nullptr && *aria == "true") return true;
  const std::string* style = tag.Find("style");
  return style != nullptr && StyleHides(*style);
}

class PageReader {
 public:
  void OnTag(const MarkupTag& tag) {
    const ElementRole role = RoleOf(tag.name);
    if (IsBlock(role) || role == ElementRole::kBreak || role == ElementRole::kCell) Separate(role);
    const bool has_insides =
        role != ElementRole::kVoid && role != ElementRole::kBreak && role != ElementRole::kRule;
    if (!has_insides) return;
    if (tag.is_closing) {
      Close(IdOf(tag.name));
    } else {
      EndImplied(tag.name, role);
      if (!tag.is_empty) Open(tag, role);
    }
  }

  void OnText(std::string_view text) {
    if (titles_ > 0) {
      if (page_.title.empty()) page_.title = CollapseBlanks(text);
      return;
    }
    if (hidden_ > 0) return;
    Append(text, kept_ > 0);
  }

  HtmlPage Finish() {
    while (!open_.empty()) Pop();
    page_.text = std::string(TrimBlanks(page_.text));
    return std::move(page_);
  }

 private:
  struct OpenElement {
    std::uint32_t id;
    ElementRole role;
    std::uint8_t scopes;
    bool hides;
  };

  std::uint32_t IdOf(const std::string& name) {
    return ids_.emplace(name, static_cast<std::uint32_t>(ids_.size())).first->second;
  }

  std::uint32_t& OpenCount(std::uint32_t id) {
    if (id >= open_counts_.size()) open_counts_.resize(id + 1, 0);
    return open_counts_[id];
  }

  void Open(const MarkupTag& tag, ElementRole role) {
    const bool hides = role == ElementRole::kHidden || IsHiddenBy(tag);
    const std::uint32_t id = IdOf(tag.name);
    ++OpenCount(id);
    open_.push_back({id, role, ScopesOf(tag.name), hides});
    if (hides) ++hidden_;
    if (role == ElementRole::kTitle) ++titles_;
    if (role == ElementRole::kKept) ++kept_;
    if (role == ElementRole::kLink && hidden_ == 0 && page_.links.size() < limits::kHtmlLinksMax) {
      if (const std::string* href = tag.Find("href")) {
        page_.links.push_back({"", *href});
        link_begin_ = page_.text.size();
        is_in_link_ = true;
      }
    }
  }

  void Pop() {
    const OpenElement& last = open_.back();
    if (last.hides) --hidden_;
    if (last.role == ElementRole::kTitle) --titles_;
    if (last.role == ElementRole::kKept) --kept_;
    if (last.role == ElementRole::kLink && is_in_link_) {
      is_in_link_ = false;
      const std::size_t begin = std::min(link_begin_, page_.text.size());
      std::string words = CollapseBlanks(std::string_view(page_.text).substr(begin));
      if (words.size() > limits::kHtmlLinkTextMax) words.resize(limits::kHtmlLinkTextMax);
      page_.links.back().text = std::move(words);
    }
    --OpenCount(last.id);
    open_.pop_back();
  }

  // The innermost of that name with all that is inside; nothing if none is open.
  void Close(std::uint32_t id) {
    if (OpenCount(id) == 0) return;
    while (open_.back().id != id) Pop();
    Pop();
  }

  void EndImplied(const std::string& opened, ElementRole role) {
    if (IsBlock(role)) EndWithin("p", kTextScope);
    for (const ImpliedEnd& row : kImpliedEnds) {
      if (row.opened == opened) EndWithin(row.ended, row.scope);
    }
  }

  void EndWithin(std::string_view ended, Scope scope) {
    const auto id = ids_.find(std::string(ended));
    if (id == ids_.end() || OpenCount(id->second) == 0) return;
    const std::size_t reach = std::min(open_.size(), kImpliedEndReach);
    for (std::size_t back = 1; back <= reach; ++back) {
      const OpenElement& found = open_[open_.size() - back];
      if (found.id == id->second) {
        for (std::size_t i = 0; i < back; ++i) Pop();
        return;
      }
      if ((found.scopes & scope) != 0) return;
    }
  }

  // Line breaks before the next word, written only if one comes.
  void Separate(ElementRole role) {
    if (hidden_ > 0) return;
    if (role == ElementRole::kCell) {
      is_blank_due_ = true;
    } else if (role == ElementRole::kBreak) {
      breaks_due_ = std::min(breaks_due_ + 1, 2);
    } else {
      breaks_due_ = std::max(breaks_due_, role == ElementRole::kLine ? 1 : 2);
    }
  }

  void Append(std::string_view text, bool keeps_lines) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t blank = BlankSizeAt(text, at);
      if (blank > 0) {
        if (keeps_lines) {
          Flush();
          page_.text += text.substr(at, blank);
        } else {
          is_blank_due_ = true;
        }
        at += blank;
        continue;
      }
      Flush();
      page_.text += text[at++];
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u)
        page_.text += text[at++];
    }
  }

  void Flush() {
    if (!page_.text.empty()) {
      if (breaks_due_ > 0) {
        page_.text.append(static_cast<std::size_t>(breaks_due_), '\n');
      } else if (is_blank_due_) {
        page_.text += ' ';
      }
    }
    breaks_due_ = 0;
    is_blank_due_ = false;
  }

  HtmlPage page_;
  std::vector<OpenElement> open_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::uint32_t> open_counts_;
  std::size_t hidden_ = 0;  // open elements that hide
  std::size_t titles_ = 0;
  std::size_t kept_ = 0;
  std::size_t link_begin_ = 0;
  bool is_in_link_ = false;
  bool is_blank_due_ = false;
  int breaks_due_ = 0;
};

}  // namespace

HtmlPage ReadHtml(std::string_view html) {
  PageReader reader;
  ScanMarkup(html, {.on_tag = [&reader](const MarkupTag& tag) { reader.OnTag(tag); },
                    .on_text = [&reader](std::string_view text) { reader.OnText(text); }});
  return reader.Finish();
}

}  // namespace assay
