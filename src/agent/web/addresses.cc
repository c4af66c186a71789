// Finds addresses in two passes (URLs with a scheme, then bare domains in the rest) and normalises them.
#include "agent/web/addresses.h"

#include <algorithm>

#include "agent/limits.h"
#include "base/text/ascii.h"
#include "base/wire/url.h"
#include "corpus/index/words.h"

namespace assay {

namespace {

constexpr std::string_view kMarksBehindUrls = ".,;:!?)]}>\"'";
constexpr std::string_view kTrackers[] = {"fbclid", "gclid",   "mc_cid", "mc_eid",
                                          "igshid", "msclkid", "ref_src"};

bool IsDomainChar(char c) { return IsAsciiAlphanumeric(c) || c == '-'; }

// Up to white space, a quote or an angle bracket.
std::size_t AddressEnd(std::string_view text, std::size_t at) {
  constexpr std::string_view kStops = "\"<>";
  while (at < text.size() && BlankSizeAt(text, at) == 0 && kStops.find(text[at]) == std::string_view::npos)
    ++at;
  return at;
}

class AddressFinder {
 public:
  PromptAddresses Find(std::string_view prompt) {
    const std::string without = Pass(prompt, &AddressFinder::HttpAt);
    found_.rest = CollapseBlanks(Pass(without, &AddressFinder::DomainAt));
    return std::move(found_);
  }

 private:
  // The text with a blank for each address that `at` takes: it returns how many bytes that are, 0 for none.
  std::string Pass(std::string_view text,
                   std::size_t (AddressFinder::*at_of)(std::string_view, std::size_t)) {
    std::string rest;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = (this->*at_of)(text, at);
      if (size == 0) {
        rest += text[at++];
      } else {
        rest += ' ';
        at += size;
      }
    }
    return rest;
  }

  void Add(std::string url) {
    const bool is_new = std::find(found_.urls.begin(), found_.urls.end(), url) == found_.urls.end();
    if (is_new && found_.urls.size() < limits::kPromptUrlsMax && url.size() <= limits::kAddressBytesMax)
      found_.urls.push_back(std::move(url));
  }

  static std::string_view WithoutMarks(std::string_view url) {
    while (!url.empty() && kMarksBehindUrls.find(url.back()) != std::string_view::npos) url.remove_suffix(1);
    return url;
  }

  std::size_t HttpAt(std::string_view text, std::size_t at) {
    if (text[at] != 'h' && text[at] != 'H') return 0;
    const std::string start = AsciiLower(text.substr(at, 8));
    if (!start.starts_with("http://") && !start.starts_with("https://")) return 0;
    const std::size_t end = AddressEnd(text, at);
    Add(std::string(WithoutMarks(text.substr(at, end - at))));
    return end - at;
  }

  // Labels and dots, the last label of two letters or more, and a path if one follows. Whole words are looked
  // at once: a place inside a word is passed over.
  std::size_t DomainAt(std::string_view text, std::size_t at) {
    const bool is_inside =
        at > 0 && (IsDomainChar(text[at - 1]) || text[at - 1] == '_' || text[at - 1] == '.');
    if (is_inside || !IsDomainChar(text[at]) || (at > 0 && text[at - 1] == '@')) return 0;
    std::size_t end = at;
    std::size_t domain_end = 0;
    while (end < text.size() && IsDomainChar(text[end])) {
      const std::size_t label = end;
      while (end < text.size() && IsDomainChar(text[end])) ++end;
      const std::string_view last = text.substr(label, end - label);
      if (label > at && last.size() >= 2 && std::all_of(last.begin(), last.end(), IsAsciiLetter<char>))
        domain_end = end;
      if (end >= text.size() || text[end] != '.') break;
      ++end;
    }
    const bool is_mail = end < text.size() && text[end] == '@';
    if (domain_end == 0 || is_mail) return 0;
    end = domain_end;
    if (end < text.size() && text[end] == '/') end = AddressEnd(text, end);
    Add("https://" + std::string(WithoutMarks(text.substr(at, end - at))));
    return end - at;
  }

  PromptAddresses found_;
};

bool IsTracker(std::string_view parameter) {
  const std::string name = AsciiLower(parameter.substr(0, parameter.find('=')));
  return name.starts_with("utm_") ||
         std::find(std::begin(kTrackers), std::end(kTrackers), name) != std::end(kTrackers);
}

std::string WithoutTrackers(std::string_view query) {
  std::string kept;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view parameter = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (parameter.empty() || IsTracker(parameter)) continue;
    if (!kept.empty()) kept += '&';
    kept += parameter;
  }
  return kept;
}

}  // namespace

PromptAddresses FindPromptAddresses(std::string_view prompt) { return AddressFinder().Find(prompt); }

std::string NormaliseUrl(std::string_view url) {
  url = TrimBlanks(url);
  const std::string scheme = SchemeOf(url);
  if (!IsHttpUrl(url)) return {};
  url = url.substr(0, url.find('#'));
  const std::size_t authority_begin = url.find("://") + 3;
  const std::size_t authority_end = std::min(url.find_first_of("/?", authority_begin), url.size());
  std::string authority = AsciiLower(url.substr(authority_begin, authority_end - authority_begin));
  const std::string_view port = scheme == "https" ? ":443" : ":80";
  if (authority.ends_with(port)) authority.resize(authority.size() - port.size());
  if (authority.empty()) return {};
  const std::size_t mark = std::min(url.find('?', authority_end), url.size());
  std::string path(url.substr(authority_end, mark - authority_end));
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path.empty()) path = "/";
  const std::string query = mark < url.size() ? WithoutTrackers(url.substr(mark + 1)) : std::string();
  return scheme + "://" + authority + path + (query.empty() ? "" : "?" + query);
}

}  // namespace assay
