// Requests web pages, with up to 5 redirects, and turns replies (HTML, JSON, plain text) into text and links;
// PDFs and books are not read from the web. Also says which addresses may not be read.
#include "agent/web/pages.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/limits.h"
#include "agent/web/addresses.h"
#include "base/wire/url.h"
#include "corpus/index/words.h"
#include "corpus/read/document.h"
#include "corpus/read/html.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::uint32_t kRedirectsMax = 5;
constexpr int kFirstGoodStatus = 200;
constexpr int kFirstOtherStatus = 300;  // redirects were followed already

// Why no page is asked for there; "" if one is.
std::string ProblemOf(std::string_view url) {
  if (!IsHttpUrl(url)) return "This is no address of a page: it has to begin with http:// or https://.";
  if (url.size() > limits::kAddressBytesMax) return "The address is too long.";
  return {};
}

PlannedRequest AskPage(const TurnState& turn, const std::string& url) {
  HttpRequest request{.method = "GET",
                      .url = url,
                      .headers = {{"accept", "text/html, text/plain;q=0.9, */*;q=0.5"}},
                      .body = {},
                      .timeout = std::chrono::milliseconds(turn.suite().agent.page_timeout_ms),
                      .reach = Reach::kPublic,
                      .redirects_max = kRedirectsMax,
                      .reply_bytes_max = limits::kPageBytesMax};
  return {.request = std::move(request), .tag = TagOf(turn, RequestRole::kTool)};
}

// The part of an address that a file's name would be.
std::string_view NameIn(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  return url.substr(url.rfind('/') + 1);  // npos + 1 is the start
}

DocumentKind KindOf(std::string_view url, std::string_view content_type, std::string_view body) {
  if (content_type.find("html") != std::string_view::npos) return DocumentKind::kHtml;
  if (content_type.find("json") != std::string_view::npos) return DocumentKind::kJson;
  if (content_type.find("pdf") != std::string_view::npos) return DocumentKind::kPdf;
  if (content_type.starts_with("text/")) return DocumentKind::kText;
  const std::string_view start = TrimBlanks(body.substr(0, 512));
  if (start.starts_with('<')) return DocumentKind::kHtml;
  return DocumentKindOf(NameIn(url), body).value_or(DocumentKind::kText);
}

void ReadInto(std::string_view body, DocumentKind kind, WebPage& page) {
  if (kind == DocumentKind::kHtml) {
    HtmlPage html = ReadHtml(DecodePlainText(body).text);
    page.title = std::move(html.title);
    page.text = std::move(html.text);
    for (HtmlLink& link : html.links) {
      std::string href = ResolvedLink(page.final_url, link.href);
      if (!href.empty()) page.links.push_back({.text = std::move(link.text), .href = std::move(href)});
    }
    return;
  }
  if (kind == DocumentKind::kPdf || kind == DocumentKind::kEpub) {
    page.problem = "The page is a file that is not read from the web.";
    return;
  }
  Result<DocumentText> read = ReadDocument(kind, body);
  if (!read) {
    page.problem = read.error().message;
    return;
  }
  page.title = read->title;
  page.text = std::move(read->text);
}

}  // namespace

std::string ResolvedLink(std::string_view base, std::string_view link) {
  link = TrimBlanks(link);
  link = link.substr(0, link.find('#'));
  if (link.empty()) return {};
  if (IsHttpUrl(link)) return std::string(link);
  const std::size_t scheme = base.find("://");
  if (scheme == std::string_view::npos) return {};
  if (link.starts_with("//")) return fmt::format("{}:{}", base.substr(0, scheme), link);
  const std::size_t colon = link.find(':');
  if (colon != std::string_view::npos && colon < link.find('/')) return {};  // mailto:, javascript:
  base = base.substr(0, base.find_first_of("?#"));
  const std::size_t path = std::min(base.find('/', scheme + 3), base.size());
  const std::string_view host = base.substr(0, path);
  std::vector<std::string_view> parts;
  const auto walk = [&parts](std::string_view text) {
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find('/', start), text.size());
      const std::string_view part = text.substr(start, end - start);
      start = end + 1;
      if (part == "..") {
        if (!parts.empty()) parts.pop_back();
      } else if (part != "." && !part.empty()) {
        parts.push_back(part);
      }
    }
  };
  if (!link.starts_with('/') && path < base.size()) {
    const std::string_view own = base.substr(path);
    walk(own.substr(0, own.rfind('/')));
  }
  walk(link);
  std::string resolved(host);
  for (const std::string_view part : parts) resolved += fmt::format("/{}", part);
  if (parts.empty() || link.ends_with('/')) resolved += '/';
  return resolved;
}

WebPage PageOf(std::string_view url, const Exchange& exchange) {
  WebPage page{.url = std::string(url), .final_url = std::string(url)};
  if (exchange.error) {
    page.problem = fmt::format("The page could not be read: {}.", ErrorCodeName(exchange.error->code));
    return page;
  }
  const auto* reply = std::get_if<HttpReply>(&exchange.reply);
  if (reply == nullptr) {
    page.problem = "The page could not be read.";
  } else if (reply->status < kFirstGoodStatus || reply->status >= kFirstOtherStatus) {
    page.problem = fmt::format("The page could not be read: status {}.", reply->status);
  } else {
    if (!reply->final_url.empty()) page.final_url = reply->final_url;
    ReadInto(reply->body, KindOf(page.final_url, reply->content_type, reply->body), page);
    if (page.problem.empty() && TrimBlanks(page.text).empty()) page.problem = "The page has no text.";
  }
  return page;
}

std::optional<std::vector<WebPage>> ReadPages(TurnState& turn, std::span<const std::string> urls) {
  const auto find = [&turn](const std::string& url) -> const WebPage* {
    const auto found = turn.pages.find(NormaliseUrl(url));
    return found == turn.pages.end() ? nullptr : found->second.get();
  };
  std::vector<std::string> wanted;
  for (const std::string& url : urls) {
    const std::string key = NormaliseUrl(url);
    const auto is_same = [&key](const std::string& other) { return NormaliseUrl(other) == key; };
    if (ProblemOf(url).empty() && find(url) == nullptr && std::none_of(wanted.begin(), wanted.end(), is_same))
      wanted.push_back(url);
  }
  ASSAY_AWAIT(const std::span<const Exchange> replies,
              turn.walk.AskAll(wanted.size(), [&](std::size_t i) { return AskPage(turn, wanted[i]); }));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    turn.pages.emplace(NormaliseUrl(wanted[i]),
                       std::make_shared<const WebPage>(PageOf(wanted[i], replies[i])));
  std::vector<WebPage> pages;
  for (const std::string& url : urls) {
    if (const WebPage* page = find(url)) {
      pages.push_back(*page);
      pages.back().url = url;  // as it was asked for now
    } else {
      pages.push_back({.url = url, .final_url = url, .problem = ProblemOf(url)});
    }
  }
  return pages;
}

}  // namespace assay
