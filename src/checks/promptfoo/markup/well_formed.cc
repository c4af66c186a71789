// Checks XML 1.0 with namespaces, without validation and without a document type of one's own.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "checks/promptfoo/markup/tree.h"

namespace assay::promptfoo {
namespace {

constexpr std::size_t kNestedMax = 1'000;
constexpr std::string_view kXmlNamespace = "http://www.w3.org/XML/1998/namespace";
constexpr std::string_view kXmlnsNamespace = "http://www.w3.org/2000/xmlns/";

bool IsXmlBlank(char32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsXmlChar(char32_t c) {
  return IsXmlBlank(c) || (c >= 0x20 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd) ||
         (c >= 0x10000 && c <= 0x10ffff);
}

// Letters of names, by the fifth edition of XML 1.0.
bool IsNameStart(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  constexpr Range kRanges[] = {
      {0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0x2ff},    {0x370, 0x37d},
      {0x37f, 0x1fff},  {0x200c, 0x200d}, {0x2070, 0x218f}, {0x2c00, 0x2fef},
      {0x3001, 0xd7ff}, {0xf900, 0xfdcf}, {0xfdf0, 0xfffd}, {0x10000, 0xeffff},
  };
  if (c < 0x80) return IsAsciiLetter(c) || c == '_' || c == ':';
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [&](const Range& range) { return c >= range.first && c <= range.last; });
}

bool IsNamePart(char32_t c) {
  return IsNameStart(c) || IsAsciiDigit(c) || c == '-' || c == '.' || c == 0xb7 ||
         (c >= 0x300 && c <= 0x36f) || (c >= 0x203f && c <= 0x2040);
}

struct Attribute {
  std::string_view name;
  std::string value;
};

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  }

  std::optional<std::string> Fault() {
    Document();
    return fault_;
  }

 private:
  using Names = std::map<std::string, std::string, std::less<>>;  // prefix: namespace
  struct Open {
    std::string_view name;
    Names names;
  };

  bool Fail(std::string why) {
    if (!fault_) fault_ = fmt::format("{} (at byte {})", why, at_);
    return false;
  }
  bool AtEnd() const { return at_ >= text_.size(); }
  bool StartsWith(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }
  char32_t Peek() const { return DecodeUtf8(text_, at_).code_point; }
  bool SkipBlanks() {
    const std::size_t start = at_;
    while (!AtEnd() && IsXmlBlank(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ > start;
  }

  bool Name(std::string_view& name) {
    const std::size_t start = at_;
    if (AtEnd() || !IsNameStart(Peek())) return Fail("expected a name");
    while (!AtEnd() && IsNamePart(Peek())) at_ += DecodeUtf8(text_, at_).size_bytes;
    name = text_.substr(start, at_ - start);
    return true;
  }

  // Up to `mark`, which is passed, all characters of XML.
  bool Until(std::string_view mark, std::string_view& content) {
    const std::size_t end = text_.find(mark, at_);
    if (end == std::string_view::npos) return Fail(fmt::format("expected {}", mark));
    content = text_.substr(at_, end - at_);
    for (std::size_t i = 0; i < content.size(); i += DecodeUtf8(content, i).size_bytes) {
      if (!IsXmlChar(DecodeUtf8(content, i).code_point)) return Fail("a character that XML does not allow");
    }
    at_ = end + mark.size();
    return true;
  }

  bool Comment() {
    at_ += 4;
    std::string_view content;
    if (!Until("--", content)) return false;
    if (!StartsWith(">")) return Fail("a comment has \"--\" inside");
    ++at_;
    return true;
  }

  bool Instruction(bool may_declare) {
    const std::size_t start = at_;
    at_ += 2;
    std::string_view name;
    if (!Name(name)) return false;
    if (name.find(':') != std::string_view::npos) return Fail("a colon in the name of an instruction");
    const bool declares = AsciiLower(name) == "xml";
    if (declares && (name != "xml" || start != 0 || !may_declare))
      return Fail("a declaration that is not first");
    if (!StartsWith("?>") && !SkipBlanks()) return Fail("expected white space");
    std::string_view content;
    return Until("?>", content) && (!declares || Declaration(content));
  }

  bool Declaration(std::string_view content) {
    XmlReader inner(content);
    const bool has_version = content.starts_with("version");
    std::size_t next = 0;
    constexpr std::string_view kOrder[] = {"version", "encoding", "standalone"};
    while (!inner.AtEnd()) {
      Attribute attribute;
      if (!inner.ReadAttribute(attribute)) return Fail("a broken declaration");
      while (next < std::size(kOrder) && kOrder[next] != attribute.name) ++next;
      if (next == std::size(kOrder)) return Fail("a broken declaration");
      const bool fits = attribute.name == "version"    ? attribute.value == "1.0" || attribute.value == "1.1"
                        : attribute.name == "encoding" ? !attribute.value.empty()
                                                       : attribute.value == "yes" || attribute.value == "no";
      if (!fits) return Fail("a broken declaration");
      if (!inner.SkipBlanks() && !inner.AtEnd()) return Fail("a broken declaration");
    }
    return has_version || Fail("a declaration without a version");
  }

  bool DocumentType() {
    at_ += std::string_view("<!DOCTYPE").size();
    std::string_view content;
    if (!SkipBlanks()) return Fail("expected white space");
    if (!Until(">", content)) return false;
    if (content.find('[') != std::string_view::npos) return Fail("a document type of its own is not read");
    return true;
  }

  bool Reference(std::string* into) {
    std::string_view name;
    ++at_;
    const std::size_t end = text_.find(';', at_);
    if (end == std::string_view::npos) return Fail("a bare &");
    name = text_.substr(at_, end - at_);
    at_ = end + 1;
    constexpr std::pair<std::string_view, char> kKnown[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [known, letter] : kKnown) {
      if (name != known) continue;
      if (into != nullptr) *into += letter;
      return true;
    }
    return Character(name, into);
  }

  bool Character(std::string_view name, std::string* into) {
    if (!name.starts_with('#')) return Fail(fmt::format("the entity \"{}\" is not known", name));
    const bool is_hex = name.size() > 1 && name[1] == 'x';
    const std::string_view digits = name.substr(is_hex ? 2 : 1);
    char32_t code = 0;
    for (const char c : digits) {
      const int digit = HexDigitValue(c);
      if (digit < 0 || (!is_hex && digit > 9) || code > 0x10ffff) return Fail("a broken character reference");
      code = code * (is_hex ? 16 : 10) + static_cast<char32_t>(digit);
    }
    if (digits.empty() || !IsXmlChar(code)) return Fail("a broken character reference");
    if (into != nullptr) AppendUtf8(code, *into);
    return true;
  }

  bool ReadAttribute(Attribute& attribute) {
    if (!Name(attribute.name)) return false;
    SkipBlanks();
    if (!StartsWith("=")) return Fail("an attribute without a value");
    ++at_;
    SkipBlanks();
    if (!StartsWith("\"") && !StartsWith("'")) return Fail("a value without quotes");
    const char quote = text_[at_++];
    while (!AtEnd() && text_[at_] != quote) {
      if (text_[at_] == '<') return Fail("a < in a value");
      if (text_[at_] == '&') {
        if (!Reference(&attribute.value)) return false;
        continue;
      }
      const DecodedCodePoint next = DecodeUtf8(text_, at_);
      if (!IsXmlChar(next.code_point)) return Fail("a character that XML does not allow");
      AppendUtf8(next.code_point, attribute.value);
      at_ += next.size_bytes;
    }
    if (AtEnd()) return Fail("a value without its last quote");
    ++at_;
    return true;
  }

  bool Bind(const Attribute& attribute, Names& names) {
    constexpr std::string_view kDeclares = "xmlns";
    if (attribute.name == kDeclares) {
      names[""] = attribute.value;
      return (attribute.value != kXmlNamespace && attribute.value != kXmlnsNamespace) ||
             Fail("a namespace that is taken");
    }
    const std::string_view prefix = attribute.name.substr(kDeclares.size() + 1);
    const bool is_xml = prefix == "xml";
    if (prefix == kDeclares || attribute.value.empty() || (attribute.value == kXmlNamespace) != is_xml ||
        attribute.value == kXmlnsNamespace)
      return Fail("a namespace that cannot be bound");
    names[std::string(prefix)] = attribute.value;
    return true;
  }

  // The name with its namespace, for comparing.
  bool Expanded(std::string_view name, const Names& names, bool is_attribute, std::string& out) {
    const std::size_t colon = name.find(':');
    if (colon == std::string_view::npos) {
      out = std::string(is_attribute ? "" : "{}") + std::string(name);
      return true;
    }
    const std::string_view prefix = name.substr(0, colon);
    const std::string_view local = name.substr(colon + 1);
    if (prefix.empty() || local.empty() || local.find(':') != std::string_view::npos)
      return Fail(fmt::format("the name \"{}\" has its colon in the wrong place", name));
    const auto found = names.find(prefix);
    if (found == names.end()) return Fail(fmt::format("the prefix \"{}\" is not bound", prefix));
    out = fmt::format("{{{}}}{}", found->second, local);
    return true;
  }

  bool AreDistinct(const std::vector<Attribute>& attributes, const Names& names) {
    std::set<std::string> seen;
    for (const Attribute& attribute : attributes) {
      std::string expanded;
      const bool declares = attribute.name == "xmlns" || attribute.name.starts_with("xmlns:");
      if (declares) {
        expanded = attribute.name;
      } else if (!Expanded(attribute.name, names, true, expanded)) {
        return false;
      }
      if (!seen.insert(expanded).second)
        return Fail(fmt::format("there are two attributes \"{}\"", attribute.name));
    }
    return true;
  }

  bool StartTag() {
    ++at_;
    Open element;
    if (!open_.empty()) element.names = open_.back().names;
    if (open_.empty()) element.names["xml"] = kXmlNamespace;
    if (!Name(element.name)) return false;
    std::vector<Attribute> attributes;
    while (true) {
      const bool has_blank = SkipBlanks();
      if (AtEnd()) return Fail("a tag without its end");
      if (StartsWith(">") || StartsWith("/>")) break;
      if (!has_blank) return Fail("expected white space");
      if (!ReadAttribute(attributes.emplace_back())) return false;
      const Attribute& last = attributes.back();
      const bool declares = last.name == "xmlns" || last.name.starts_with("xmlns:");
      if (declares && !Bind(last, element.names)) return false;
    }
    std::string expanded;
    if (!Expanded(element.name, element.names, false, expanded) || !AreDistinct(attributes, element.names))
      return false;
    const bool is_empty = StartsWith("/>");
    at_ += is_empty ? 2 : 1;
    if (open_.size() >= kNestedMax) return Fail("elements are nested too deeply");
    if (!is_empty) open_.push_back(std::move(element));
    return true;
  }

  bool EndTag() {
    at_ += 2;
    std::string_view name;
    if (!Name(name)) return false;
    SkipBlanks();
    if (!StartsWith(">")) return Fail("a tag without its end");
    ++at_;
    if (open_.empty() || open_.back().name != name) return Fail(fmt::format("</{}> closes nothing", name));
    open_.pop_back();
    return true;
  }

  // What stands between tags of an element.
  bool Text() {
    if (StartsWith("&")) return Reference(nullptr);
    if (StartsWith("]]>")) return Fail("a bare ]]>");
    const DecodedCodePoint next = DecodeUtf8(text_, at_);
    if (!IsXmlChar(next.code_point)) return Fail("a character that XML does not allow");
    at_ += next.size_bytes;
    return true;
  }

  bool Content() {
    std::string_view ignored;
    if (StartsWith("<!--")) return Comment();
    if (StartsWith("<![CDATA[")) {
      at_ += 9;
      return Until("]]>", ignored);
    }
    if (StartsWith("<?")) return Instruction(false);
    if (StartsWith("</")) return EndTag();
    if (StartsWith("<")) return StartTag();
    return Text();
  }

  void Document() {
    bool has_root = false;
    bool has_type = false;
    while (!AtEnd()) {
      bool is_good = true;
      if (!open_.empty()) {
        is_good = Content();
      } else if (StartsWith("<!--")) {
        is_good = Comment();
      } else if (StartsWith("<?")) {
        is_good = Instruction(true);
      } else if (StartsWith("<!DOCTYPE")) {
        is_good = (!has_root && !has_type) ? DocumentType() : Fail("a document type that is not first");
        has_type = true;
      } else if (StartsWith("<") && !has_root) {
        has_root = true;
        is_good = StartTag();
      } else if (!SkipBlanks()) {
        is_good = Fail("text outside of the root element");
      }
      if (!is_good) return;
    }
    if (!has_root) Fail("there is no root element");
    if (!open_.empty()) Fail(fmt::format("<{}> is not closed", open_.back().name));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  std::optional<std::string> fault_;
};

}  // namespace

std::optional<std::string> XmlFault(std::string_view text) { return XmlReader(text).Fault(); }

}  // namespace assay::promptfoo
