// The tools of the research agent that read web pages: get_url_content, get_url_details, extract_links,
// get_link_summaries.
#include <fmt/core.h>

#include <algorithm>

#include "agent/limits.h"
#include "agent/tool.h"
#include "agent/web/pages.h"
#include "agent/words/summarizer.h"
#include "corpus/index/lexical_index.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::int64_t kLinksUsual = 30;
constexpr std::int64_t kLinksMost = 200;

std::vector<std::string> UrlsOf(const Value& arguments) {
  std::vector<std::string> urls = TextsArgument(arguments, "urls", limits::kPageUrlsMax);
  std::string one = TextArgument(arguments, "url");
  if (urls.empty() && !one.empty()) urls.push_back(std::move(one));
  return urls;
}

Value NoUrls() { return ToolError("Name at least one address of a page in urls."); }

List LinksOf(const WebPage& page, std::size_t most) {
  List links;
  for (const PageLink& link : page.links) {
    if (links.size() >= most) break;
    links.emplace_back(Object{{"text", link.text}, {"href", link.href}});
  }
  return links;
}

bool IsTrue(const Value& arguments, std::string_view name) {
  return arguments.BoolAt(name).value_or(false) || arguments.TextAt(name) == "true";
}

}  // namespace

std::optional<Value> RunGetUrlContent(TurnState& turn, const Value& arguments) {
  const std::vector<std::string> urls = UrlsOf(arguments);
  if (urls.empty()) return NoUrls();
  ASSAY_AWAIT(const std::vector<WebPage> pages, ReadPages(turn, urls));
  Map answer;
  for (const WebPage& page : pages) {
    if (!page.problem.empty()) {
      answer.Set(page.url, Value("Error: " + page.problem));
    } else if (!IsTrue(arguments, "summarize")) {
      answer.Set(page.url, Value(page.text));
    } else {
      ASSAY_AWAIT(const std::string summary, Summarize(turn, "a web page", page.text));
      answer.Set(page.url, Value(fmt::format("Summary of {}:\n{}", page.url, summary)));
    }
  }
  return answer;
}

std::optional<Value> RunGetUrlDetails(TurnState& turn, const Value& arguments) {
  std::vector<std::string> urls = UrlsOf(arguments);
  if (urls.empty()) return NoUrls();
  urls.resize(1);
  ASSAY_AWAIT(const std::vector<WebPage> pages, ReadPages(turn, urls));
  const WebPage& page = pages.front();
  if (!page.problem.empty()) return ToolError(page.problem);
  return Object{{"content", page.text},
                {"links", LinksOf(page, static_cast<std::size_t>(kLinksMost))},
                {"title", page.title},
                {"date", Null{}},
                {"final_url", page.final_url},
                {"page_type", "article"},
                {"system_note", "Read the pages behind these links with get_url_content."}};
}

std::optional<Value> RunExtractLinks(TurnState& turn, const Value& arguments) {
  const std::vector<std::string> urls = UrlsOf(arguments);
  if (urls.empty()) return NoUrls();
  const std::string query = TextArgument(arguments, "query");
  const auto most =
      static_cast<std::size_t>(CountArgument(arguments, "max_links", kLinksUsual, 1, kLinksMost));
  ASSAY_AWAIT(std::vector<WebPage> pages, ReadPages(turn, urls));
  Map answer;
  for (WebPage& page : pages) {
    if (!page.problem.empty()) {
      answer.Set(page.url, ToolError(page.problem));
      continue;
    }
    if (!query.empty()) {
      const std::vector<std::string> terms = QueryTerms(query);
      std::stable_sort(page.links.begin(), page.links.end(), [&](const PageLink& a, const PageLink& b) {
        return TermShare(terms, a.text + " " + a.href) > TermShare(terms, b.text + " " + b.href);
      });
    }
    Map entry;
    List links = LinksOf(page, most);
    const auto count = static_cast<std::int64_t>(links.size());
    Extend(entry, {{"links", std::move(links)},
                   {"cached", false},
                   {"link_count", count},
                   {"note", fmt::format("{} of {} links.", count, page.links.size())}});
    answer.Set(page.url, Value(std::move(entry)));
  }
  return answer;
}

std::optional<Value> RunGetLinkSummaries(TurnState& turn, const Value& arguments) {
  const std::vector<std::string> urls = UrlsOf(arguments);
  if (urls.empty()) return NoUrls();
  ASSAY_AWAIT(const std::vector<WebPage> pages, ReadPages(turn, urls));
  Map answer;
  for (const WebPage& page : pages) {
    if (!page.problem.empty()) {
      answer.Set(page.url, ToolError(page.problem));
      continue;
    }
    ASSAY_AWAIT(const std::string summary, Summarize(turn, "a web page", page.text));
    answer.Set(page.url, Object{{"title", page.title}, {"summary", summary}});
  }
  return answer;
}

}  // namespace assay
