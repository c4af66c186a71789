// Parses the tags of a model's HTML, and keeps the elements and attributes that its tables list.
#include "report/page/html/safe_html.h"

#include <algorithm>
#include <iterator>

#include "base/text/ascii.h"

namespace assay {

namespace {

constexpr std::string_view kElements[] = {
    "a",          "abbr",       "address",  "article", "aside",   "b",       "bdi",    "bdo",      "big",
    "blockquote", "body",       "br",       "button",  "caption", "center",  "cite",   "code",     "col",
    "colgroup",   "dd",         "del",      "details", "dfn",     "div",     "dl",     "dt",       "em",
    "fieldset",   "figcaption", "figure",   "font",    "footer",  "h1",      "h2",     "h3",       "h4",
    "h5",         "h6",         "head",     "header",  "hgroup",  "hr",      "html",   "i",        "input",
    "ins",        "kbd",        "label",    "legend",  "li",      "main",    "mark",   "menu",     "meter",
    "nav",        "ol",         "optgroup", "option",  "output",  "p",       "pre",    "progress", "q",
    "rp",         "rt",         "ruby",     "s",       "samp",    "section", "select", "small",    "span",
    "strike",     "strong",     "sub",      "summary", "sup",     "table",   "tbody",  "td",       "tfoot",
    "th",         "thead",      "time",     "tr",      "tt",      "u",       "ul",     "var",      "wbr"};
constexpr std::string_view kAttributes[] = {
    "align",   "bgcolor", "border",   "cellpadding", "cellspacing", "checked",  "class", "color",
    "colspan", "dir",     "disabled", "face",        "height",      "hidden",   "id",    "lang",
    "max",     "min",     "open",     "placeholder", "rowspan",     "selected", "size",  "span",
    "start",   "style",   "title",    "type",        "valign",      "value",    "width"};
// Their content goes with them.
constexpr std::string_view kHollow[] = {"applet",   "audio",    "canvas", "iframe",    "math",   "noembed",
                                        "noframes", "noscript", "object", "plaintext", "script", "svg",
                                        "template", "textarea", "title",  "video",     "xmp"};
// What a style sheet would fetch with, and what could spell it otherwise.
constexpr std::string_view kUnsafeStyle[] = {"url(",     "image(", "image-set(", "cross-fade(",
                                             "element(", "src(",   "@import",    "@font-face",
                                             "\\",       "<",      "&"};

template <std::size_t kCount>
bool IsIn(std::string_view name, const std::string_view (&names)[kCount]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

bool IsSafeStyle(std::string_view style) {
  const std::string lower = AsciiLower(style);
  return std::none_of(std::begin(kUnsafeStyle), std::end(kUnsafeStyle),
                      [&lower](std::string_view part) { return lower.find(part) != std::string::npos; });
}

class Reader {
 public:
  explicit Reader(std::string_view html) : rest_(html) { out_.reserve(html.size()); }

  std::string Read() {
    while (!rest_.empty()) {
      if (rest_.front() == '<' && TakeMarkup()) continue;
      AppendText(rest_.front());
      rest_.remove_prefix(1);
    }
    return std::move(out_);
  }

 private:
  // Character references stay: they are text wherever text is written.
  void AppendText(char c) {
    if (c == '<') {
      out_ += "&lt;";
    } else if (c == '>') {
      out_ += "&gt;";
    } else {
      out_ += c;
    }
  }

  void SkipBehind(std::string_view end) {
    const std::size_t at = rest_.find(end);
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + end.size());
  }

  // False: the '<' is text.
  bool TakeMarkup() {
    if (rest_.starts_with("<!--")) {
      SkipBehind("-->");
    } else if (rest_.starts_with("<!") || rest_.starts_with("<?")) {
      SkipBehind(">");
    } else if (rest_.size() > 2 && rest_[1] == '/' && IsAsciiLetter(rest_[2])) {
      rest_.remove_prefix(2);
      const std::string name = TakeName();
      SkipBehind(">");
      if (IsIn(name, kElements)) out_ += "</" + name + ">";
    } else if (rest_.size() > 1 && IsAsciiLetter(rest_[1])) {
      rest_.remove_prefix(1);
      TakeElement(TakeName());
    } else {
      return false;
    }
    return true;
  }

  std::string TakeName() {
    const auto* end = std::find_if(rest_.begin(), rest_.end(),
                                   [](char c) { return IsSpace(c) || c == '/' || c == '>' || c == '='; });
    const auto size = static_cast<std::size_t>(end - rest_.begin());
    std::string name = AsciiLower(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return name;
  }

  void TakeElement(const std::string& name) {
    const bool is_kept = IsIn(name, kElements);
    const bool is_image = name == "img";
    if (is_kept) out_ += "<" + name;
    while (TakeAttribute(is_kept, is_image)) {
    }
    if (is_kept) out_ += '>';
    if (IsIn(name, kHollow)) SkipContent(name);
    if (name == "style") TakeStyle();
  }

  // False at the end of the tag.
  bool TakeAttribute(bool is_kept, bool is_image) {
    while (!rest_.empty() && (IsSpace(rest_.front()) || rest_.front() == '/')) rest_.remove_prefix(1);
    if (rest_.empty()) return false;
    if (rest_.front() == '>') {
      rest_.remove_prefix(1);
      return false;
    }
    std::string name = TakeName();
    if (name.empty()) rest_.remove_prefix(1);  // a '=' that belongs to nothing
    SkipSpace();
    std::string_view value;
    if (rest_.starts_with('=')) {
      rest_.remove_prefix(1);
      value = TakeValue();
    }
    if (is_kept && IsIn(name, kAttributes) && (name != "style" || IsSafeStyle(value))) {
      out_ += " " + name + "=\"";
      AppendValue(value);
      out_ += '"';
    }
    if (is_image && name == "alt" && !value.empty()) {
      out_ += "[image: ";
      for (const char c : value) AppendText(c);
      out_ += "]";
    }
    return true;
  }

  void SkipSpace() {
    while (!rest_.empty() && IsSpace(rest_.front())) rest_.remove_prefix(1);
  }

  std::string_view TakeValue() {
    SkipSpace();
    std::string_view value;
    if (!rest_.empty() && (rest_.front() == '"' || rest_.front() == '\'')) {
      const std::size_t end = std::min(rest_.find(rest_.front(), 1), rest_.size());
      value = rest_.substr(1, end - 1);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      return value;
    }
    const auto* end = std::find_if(rest_.begin(), rest_.end(), [](char c) { return IsSpace(c) || c == '>'; });
    value = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(value.size());
    return value;
  }

  void AppendValue(std::string_view value) {
    for (const char c : value) {
      if (c == '"') {
        out_ += "&quot;";
      } else {
        AppendText(c);
      }
    }
  }

  // Up to the tag that closes the element, in any case of letters; to the end without one.
  std::string_view TakeContent(const std::string& name) {
    std::size_t end = rest_.find("</");
    while (end != std::string_view::npos && AsciiLower(rest_.substr(end + 2, name.size())) != name)
      end = rest_.find("</", end + 2);
    const std::string_view content = rest_.substr(0, end);
    rest_.remove_prefix(content.size());
    return content;
  }

  void SkipContent(const std::string& name) {
    TakeContent(name);
    SkipBehind(">");
  }

  void TakeStyle() {
    const std::string_view sheet = TakeContent("style");
    SkipBehind(">");
    if (!IsSafeStyle(sheet)) return;
    out_ += "<style>";
    out_ += sheet;
    out_ += "</style>";
  }

  std::string_view rest_;
  std::string out_;
};

}  // namespace

std::string SafeHtml(std::string_view html) { return Reader(html).Read(); }

}  // namespace assay
