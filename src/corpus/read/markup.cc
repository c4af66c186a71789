// A scanner of tags and texts, shared by the HTML reader and the EPUB reader.
#include <algorithm>
#include <array>
#include <charconv>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "corpus/limits.h"
#include "corpus/read/html.h"
#include "text/letters/escapes.h"

namespace assay {

namespace {

constexpr std::size_t kEntityBytesMax = 32;
// Elements whose insides are no markup, up to their closing tag.
constexpr std::array<std::string_view, 7> kRawElements = {"script",  "style",    "xmp",     "iframe",
                                                          "noembed", "noframes", "textarea"};

bool IsMarkupBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
char MarkupLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

class MarkupScanner {
 public:
  MarkupScanner(std::string_view markup, const MarkupHandler& handler) : markup_(markup), handler_(handler) {}

  void Scan() {
    while (at_ < markup_.size()) {
      const std::size_t open = std::min(markup_.find('<', at_), markup_.size());
      Text(open);
      if (at_ >= markup_.size()) return;
      if (!Markup()) {
        // A lone '<' is text.
        const std::size_t from = at_++;
        const std::size_t next = std::min(markup_.find('<', at_), markup_.size());
        at_ = from;
        Text(next);
      }
    }
  }

 private:
  void Text(std::size_t end) {
    if (end > at_) handler_.on_text(DecodeEntities(markup_.substr(at_, end - at_)));
    at_ = std::max(at_, end);
  }

  bool StartsWith(std::string_view text) const { return markup_.substr(at_).starts_with(text); }

  void SkipBehind(std::string_view mark, std::size_t from) {
    const std::size_t found = markup_.find(mark, from);
    at_ = found == std::string_view::npos ? markup_.size() : found + mark.size();
  }

  // At '<': false if nothing but text begins here.
  bool Markup() {
    if (StartsWith("<!--")) {
      // "<!-->" and "<!--->" are whole.
      SkipBehind("-->", at_ + 2);
      return true;
    }
    if (StartsWith("<![CDATA[")) {
      const std::size_t begin = at_ + std::string_view("<![CDATA[").size();
      SkipBehind("]]>", begin);
      const bool is_closed = markup_.substr(begin, at_ - begin).ends_with("]]>");
      const std::string_view inside = markup_.substr(begin, at_ - begin - (is_closed ? 3 : 0));
      if (!inside.empty()) handler_.on_text(inside);
      return true;
    }
    if (StartsWith("<!") || StartsWith("<?")) {
      SkipBehind(">", at_ + 2);
      return true;
    }
    const std::size_t name = at_ + (StartsWith("</") ? 2 : 1);
    if (name >= markup_.size() || !IsAsciiLetter(markup_[name])) return false;
    Tag(name);
    return true;
  }

  void Tag(std::size_t name) {
    MarkupTag tag;
    tag.is_closing = name == at_ + 2;
    at_ = name;
    while (at_ < markup_.size() && !IsMarkupBlank(markup_[at_]) && markup_[at_] != '>' &&
           markup_[at_] != '/') {
      tag.name += MarkupLower(markup_[at_++]);
    }
    while (at_ < markup_.size() && markup_[at_] != '>') {
      if (IsMarkupBlank(markup_[at_]) || markup_[at_] == '/') {
        tag.is_empty = markup_[at_] == '/';
        ++at_;
        continue;
      }
      tag.is_empty = false;
      Attribute(tag);
    }
    if (at_ >= markup_.size()) return;  // a tag that never ends shows nothing
    ++at_;
    handler_.on_tag(tag);
    const bool is_raw = !tag.is_closing && !tag.is_empty &&
                        std::find(kRawElements.begin(), kRawElements.end(), tag.name) != kRawElements.end();
    if (is_raw) at_ = ClosingOf(tag.name);
  }

  void Attribute(MarkupTag& tag) {
    MarkupAttribute attribute;
    const std::size_t begin = at_;
    while (at_ < markup_.size() && !IsMarkupBlank(markup_[at_]) && markup_[at_] != '>' &&
           markup_[at_] != '/' && (markup_[at_] != '=' || at_ == begin)) {
      attribute.name += MarkupLower(markup_[at_++]);
    }
    std::size_t behind = at_;
    while (behind < markup_.size() && IsMarkupBlank(markup_[behind])) ++behind;
    if (behind < markup_.size() && markup_[behind] == '=') {
      at_ = behind + 1;
      attribute.value = AttributeValue();
    }
    if (tag.attributes.size() < limits::kHtmlAttributesMax) {
      tag.attributes.push_back(std::move(attribute));
    } else {
      tag.is_cut = true;
    }
  }

  std::string AttributeValue() {
    while (at_ < markup_.size() && IsMarkupBlank(markup_[at_])) ++at_;
    if (at_ >= markup_.size()) return {};
    const char quote = markup_[at_];
    std::size_t begin = at_;
    if (quote == '"' || quote == '\'') {
      begin = at_ + 1;
      at_ = std::min(markup_.find(quote, begin), markup_.size());
      const std::string_view inside = markup_.substr(begin, at_ - begin);
      if (at_ < markup_.size()) ++at_;
      return DecodeEntities(inside);
    }
    while (at_ < markup_.size() && !IsMarkupBlank(markup_[at_]) && markup_[at_] != '>') ++at_;
    return DecodeEntities(markup_.substr(begin, at_ - begin));
  }

  // Where "</name" stands, in any case; the end if nowhere.
  std::size_t ClosingOf(std::string_view name) const {
    for (std::size_t at = markup_.find("</", at_); at != std::string_view::npos;
         at = markup_.find("</", at + 2)) {
      const std::string_view found = markup_.substr(at + 2, name.size());
      if (found.size() == name.size() && std::equal(found.begin(), found.end(), name.begin(),
                                                    [](char a, char b) { return MarkupLower(a) == b; })) {
        return at;
      }
    }
    return markup_.size();
  }

  std::string_view markup_;
  const MarkupHandler& handler_;
  std::size_t at_ = 0;
};

// Of "#233" or "#xE9"; 0 for what is no character.
char32_t NumericEntity(std::string_view digits) {
  digits.remove_prefix(1);
  int base = 10;
  if (digits.starts_with('x') || digits.starts_with('X')) {
    base = 16;
    digits.remove_prefix(1);
  }
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (problem != std::errc() || end != digits.data() + digits.size()) return 0;
  const bool is_text = number == '\t' || number == '\n' || number == '\r' ||
                       (number >= 0x20 && number < 0xd800) || (number > 0xdfff && number <= 0x10ffff);
  return is_text ? number : 0xfffd;
}

}  // namespace

const std::string* MarkupTag::Find(std::string_view attribute) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [attribute](const MarkupAttribute& a) { return a.name == attribute; });
  return found == attributes.end() ? nullptr : &found->value;
}

void ScanMarkup(std::string_view markup, const MarkupHandler& handler) {
  MarkupScanner(markup, handler).Scan();
}

std::string DecodeEntities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t mark = std::min(text.find('&', at), text.size());
    out += text.substr(at, mark - at);
    at = mark;
    if (at >= text.size()) break;
    const std::size_t end = text.substr(at, kEntityBytesMax).find(';');
    const std::string_view name =
        end == std::string_view::npos ? std::string_view() : text.substr(at + 1, end - 1);
    char32_t code_point = 0;
    if (!name.empty()) code_point = name.front() == '#' ? NumericEntity(name) : EntityCodePoint(name);
    if (code_point == 0) {
      out += text[at++];
      continue;
    }
    AppendUtf8(code_point, out);
    at += end + 1;
  }
  return out;
}

}  // namespace assay
