// Reads elements from tags, follows paths along them, and finds the parts whose tags are balanced.
#include "checks/promptfoo/markup/tree.h"

#include "checks/promptfoo/markup/tags.h"
#include "text/javascript/own_keys.h"

namespace assay::promptfoo {
namespace {

constexpr std::size_t kOpenMax = 1'000;  // elements within each other

// The names of `a="x" b='y' c`.
std::vector<std::string> AttributeNames(std::string_view rest) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < rest.size();) {
    if (!IsTagNameStart(rest[at])) {
      ++at;
      continue;
    }
    const std::size_t start = at;
    while (at < rest.size() && IsTagNamePart(rest[at])) ++at;
    names.emplace_back(rest.substr(start, at - start));
    while (at < rest.size() && IsMarkupBlank(rest[at])) ++at;
    if (at >= rest.size() || rest[at] != '=') continue;
    ++at;
    while (at < rest.size() && IsMarkupBlank(rest[at])) ++at;
    if (at >= rest.size()) break;
    const char quote = rest[at];
    const bool is_quoted = quote == '"' || quote == '\'';
    at = is_quoted ? rest.find(quote, at + 1) : rest.find_first_of(" \t\r\n", at);
    if (at == std::string_view::npos) break;
    ++at;
  }
  return names;
}

bool IsBlankText(std::string_view text) { return JsTrim(text).empty(); }

// What a path has come to: an element, several of one name, or an attribute or text.
struct Found {
  std::vector<const XmlElement*> elements;
  bool is_plain = false;
};

Found StepTo(const Found& from, std::string_view part) {
  if (from.is_plain || from.elements.empty()) return {};
  if (from.elements.size() > 1) {
    const std::optional<std::uint32_t> index = ArrayIndex(part);
    if (!index || *index >= from.elements.size()) return {};
    return {{from.elements[*index]}};
  }
  const XmlElement& element = *from.elements.front();
  constexpr std::string_view kAttribute = "@_";
  Found found;
  if (part.starts_with(kAttribute)) {
    const auto& names = element.attributes;
    found.is_plain = std::find(names.begin(), names.end(), part.substr(kAttribute.size())) != names.end();
    return found;
  }
  if (part == "#text") {
    found.is_plain = element.has_text && (!element.children.empty() || !element.attributes.empty());
    return found;
  }
  for (const XmlElement& child : element.children) {
    if (child.name == part) found.elements.push_back(&child);
  }
  return found;
}

struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

}  // namespace

XmlElement ReadElements(std::string_view text) {
  std::vector<XmlElement> open(1);
  const auto close = [&] {
    XmlElement done = std::move(open.back());
    open.pop_back();
    open.back().children.push_back(std::move(done));
  };
  std::size_t at = 0;
  while (const std::optional<Tag> tag = NextTag(text, at)) {
    if (!IsBlankText(text.substr(at, tag->begin - at))) open.back().has_text = true;
    at = tag->end;
    if (tag->kind == Tag::Kind::kOther) {
      if (text.substr(tag->begin, 3) == "<![") open.back().has_text = true;
      continue;
    }
    if (tag->kind == Tag::Kind::kClose) {
      if (open.size() > 1 && open.back().name == tag->name) close();
      continue;
    }
    if (open.size() > kOpenMax) break;
    open.push_back({std::string(tag->name), AttributeNames(tag->rest), {}});
    if (tag->kind == Tag::Kind::kEmpty) close();
  }
  while (open.size() > 1) close();
  return std::move(open.front());
}

bool HasPath(const XmlElement& root, std::string_view path) {
  Found found{{&root}};
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('.', start), path.size());
    found = StepTo(found, path.substr(start, end - start));
    if (found.elements.empty() && !found.is_plain) return false;
    start = end + 1;
  }
  return true;
}

std::vector<std::string_view> BalancedParts(std::string_view text) {
  struct Open {
    std::string_view name;
    std::size_t begin;
  };
  std::vector<Part> parts;
  std::vector<Open> open;
  std::size_t at = 0;
  while (const std::optional<Tag> tag = NextTag(text, at)) {
    at = tag->end;
    if (tag->kind == Tag::Kind::kOpen) {
      open.push_back({tag->name, tag->begin});
    } else if (tag->kind == Tag::Kind::kEmpty) {
      parts.push_back({tag->begin, tag->end});
    } else if (tag->kind == Tag::Kind::kClose) {
      if (open.empty() || open.back().name != tag->name) {
        open.clear();  // nothing around this tag is balanced
        continue;
      }
      const std::size_t begin = open.back().begin;
      open.pop_back();
      while (!parts.empty() && parts.back().begin > begin) parts.pop_back();
      parts.push_back({begin, tag->end});
    }
  }
  std::vector<std::string_view> found;
  for (std::size_t first = 0; first < parts.size();) {
    std::size_t last = first;
    while (last + 1 < parts.size() &&
           IsBlankText(text.substr(parts[last].end, parts[last + 1].begin - parts[last].end)))
      ++last;
    if (last > first) found.push_back(text.substr(parts[first].begin, parts[last].end - parts[first].begin));
    for (; first <= last; ++first)
      found.push_back(text.substr(parts[first].begin, parts[first].end - parts[first].begin));
  }
  return found;
}

}  // namespace assay::promptfoo
