// is-html and contains-html: whether the output is HTML alone, or has some.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "checks/promptfoo/families.h"
#include "checks/promptfoo/markup/tags.h"
#include "text/javascript/regex.h"

namespace assay::promptfoo {
namespace {

constexpr std::string_view kElements[] = {
    "a",       "abbr",     "address",    "area",       "article",  "aside",    "audio",    "b",
    "base",    "bdi",      "bdo",        "blockquote", "body",     "br",       "button",   "canvas",
    "caption", "cite",     "code",       "col",        "colgroup", "data",     "datalist", "dd",
    "del",     "details",  "dfn",        "dialog",     "div",      "dl",       "dt",       "em",
    "embed",   "fieldset", "figcaption", "figure",     "footer",   "form",     "h1",       "h2",
    "h3",      "h4",       "h5",         "h6",         "head",     "header",   "hr",       "html",
    "i",       "iframe",   "img",        "input",      "ins",      "kbd",      "label",    "legend",
    "li",      "link",     "main",       "map",        "mark",     "math",     "menu",     "meta",
    "meter",   "nav",      "noscript",   "object",     "ol",       "optgroup", "option",   "output",
    "p",       "param",    "picture",    "pre",        "progress", "q",        "rp",       "rt",
    "ruby",    "s",        "samp",       "script",     "section",  "select",   "slot",     "small",
    "source",  "span",     "strong",     "style",      "sub",      "summary",  "sup",      "svg",
    "table",   "tbody",    "td",         "template",   "textarea", "tfoot",    "th",       "thead",
    "time",    "title",    "tr",         "track",      "u",        "ul",       "var",      "video",
    "wbr",
};
constexpr std::string_view kVoid[] = {"area",  "base", "br",   "col",   "embed",  "hr",    "img",
                                      "input", "link", "meta", "param", "source", "track", "wbr"};
constexpr std::string_view kRawText[] = {"script", "style", "textarea", "title", "iframe", "noframes", "xmp"};
// Before these an open paragraph ends.
constexpr std::string_view kBlocks[] = {
    "address",  "article",    "aside",  "blockquote", "details", "dialog", "div",  "dl",
    "fieldset", "figcaption", "figure", "footer",     "form",    "h1",     "h2",   "h3",
    "h4",       "h5",         "h6",     "header",     "hr",      "main",   "menu", "nav",
    "ol",       "p",          "pre",    "section",    "table",   "ul",
};
constexpr std::string_view kTableParts[] = {"table", "tbody", "thead", "tfoot", "tr"};
constexpr std::string_view kFrame[] = {"html", "head", "body"};

template <class Names>
bool IsAmong(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// What matters of a page: whether text stands outside of all elements, and whether it has elements.
struct Page {
  bool has_bare_text = false;
  bool has_body = false;
  bool has_known = false;
};

class PageReader {
 public:
  explicit PageReader(std::string_view text) : text_(text) {}

  Page Read() {
    std::size_t at = 0;
    while (const std::optional<Tag> tag = NextTag(text_, at)) {
      AddText(text_.substr(at, tag->begin - at));
      at = tag->end;
      if (tag->kind == Tag::Kind::kOther) continue;
      const std::string name = AsciiLower(tag->name);
      if (tag->kind == Tag::Kind::kClose) {
        Close(name);
      } else {
        Start(name);
        if (IsAmong(kRawText, name)) at = SkipRawText(name, at);
      }
    }
    AddText(text_.substr(at));
    return page_;
  }

 private:
  void AddText(std::string_view text) {
    if (JsTrim(text).empty()) return;
    // Browsers move a table's text outside its cells in front of the table.
    const bool is_outside = std::all_of(open_.begin(), open_.end(),
                                        [](const std::string& name) { return IsAmong(kTableParts, name); });
    if (is_outside) page_.has_bare_text = true;
  }

  void Start(const std::string& name) {
    if (IsAmong(kElements, name) || name.find('-') != std::string::npos) page_.has_known = true;
    if (name == "body") page_.has_body = true;
    if (IsAmong(kFrame, name)) return;
    if (IsAmong(kBlocks, name)) CloseParagraph();
    if (!IsAmong(kVoid, name)) open_.push_back(name);
  }

  void CloseParagraph() {
    const auto found = std::find(open_.rbegin(), open_.rend(), "p");
    const auto scope = std::find(open_.rbegin(), open_.rend(), "button");
    if (found < scope) open_.erase(found.base() - 1, open_.end());
  }

  void Close(const std::string& name) {
    const auto found = std::find(open_.rbegin(), open_.rend(), name);
    if (found != open_.rend()) open_.erase(found.base() - 1, open_.end());
    if (name == "p" || name == "br") page_.has_known = true;  // both make an element by themselves
  }

  // One before the tag that ends a text which has no tags.
  std::size_t SkipRawText(const std::string& name, std::size_t at) const {
    const std::string lower = AsciiLower(text_.substr(at));
    const std::size_t end = lower.find("</" + name);
    return end == std::string::npos ? text_.size() : at + end;
  }

  std::string_view text_;
  std::vector<std::string> open_;
  Page page_;
};

// Signs of HTML, and how many points each gives.
struct Sign {
  std::string_view pattern;
  int points;
};
constexpr std::string_view kOpenTag = R"(<[a-z][a-z0-9-]*(?:\s[^>]*)?>)";
constexpr std::string_view kCloseTag = R"(</[a-z][a-z0-9-]*\s*>)";
constexpr Sign kSigns[] = {
    {R"(<[a-z][a-z0-9-]*(?:\s[^>]*)?/>)", 1},
    {R"(&(?:[a-z]+[0-9]*|#[0-9]+|#x[0-9a-f]+);)", 1},
    {R"(<!doctype\s+html)", 2},
    {R"(<!--[\s\S]*?-->)", 1},
    {R"(\s[a-z-]+\s*=\s*(?:"[^"]*"|'[^']*'))", 1},
    {R"(<(?:html|head|body|div|span|p|a|img|h[1-6]|ul|ol|li|table|tr|td|th|form|input|button|script|style)"
     R"(|link|meta|br|hr)\b)",
     2},
};
constexpr int kPointsWanted = 2;

bool Shows(std::string_view pattern, RegexSubject& subject) {
  const auto compiled = JsRegex::Compile(pattern, JsRegexFlags::kIgnoreCase);
  return compiled && (*compiled)->Search(subject).value_or(false);
}

int PointsOf(std::string_view text) {
  RegexSubject subject(text);
  const bool opens = Shows(kOpenTag, subject);
  const bool closes = Shows(kCloseTag, subject);
  int points = (opens ? 1 : 0) + (closes ? 1 : 0);
  for (const Sign& sign : kSigns) {
    if (Shows(sign.pattern, subject)) points += sign.points;
  }
  return points;
}

std::string_view HtmlFault(std::string_view given) {
  const std::string_view text = JsTrim(given);
  if (text.empty()) return "Output is empty";
  if (AsciiLower(text.substr(0, 5)) == "<?xml") return "Output appears to be XML, not HTML";
  const Page page = PageReader(text).Read();
  if (page.has_bare_text && !page.has_body) return "Output must be wrapped in HTML tags";
  if (!page.has_known) return "Output does not contain recognized HTML elements";
  return "";
}

}  // namespace

Result<AssertionResult> RunIsHtml(const AssertionCall& call) {
  const std::string_view fault = HtmlFault(call.text);
  return Verdict(call, fault.empty(), call.negated() ? "Output is valid HTML" : fault);
}

Result<AssertionResult> RunContainsHtml(const AssertionCall& call) {
  return Verdict(call, PointsOf(call.text) >= kPointsWanted,
                 fmt::format("Expected output to {}contain HTML content", call.Not()));
}

}  // namespace assay::promptfoo
