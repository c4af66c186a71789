// The tool web_search of the research agent, and the request to a SearXNG server with the reading of its
// reply (agent/search.h).
#include <fmt/core.h>

#include <charconv>

#include "agent/search.h"
#include "agent/tool.h"
#include "corpus/index/words.h"
#include "corpus/read/html.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::int64_t kResultsUsual = 5;
constexpr std::int64_t kResultsMost = 40;
constexpr std::size_t kSnippetCharacters = 400;
constexpr std::size_t kReplyBytesMax = 4u << 20;

// Words without tags and entities: services mark what they found.
std::string PlainWordsOf(const Value& result, std::string_view name) {
  return CollapseBlanks(ReadHtml(result.TextAt(name)).text);
}

}  // namespace

std::string SearchUrlOf(const TurnState& turn) {
  if (turn.profile().source_provider == kMockWebProvider) return std::string(kMockSearchUrl);
  std::string_view url = turn.suite().agent.search_url;
  while (url.ends_with('/')) url.remove_suffix(1);
  return std::string(url);
}

std::string QueryEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '-' || c == '_' || c == '.' || c == '~';
    if (is_plain) {
      escaped += c;
    } else if (c == ' ') {
      escaped += '+';
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

std::optional<std::string> QueryOfSearch(std::string_view url) {
  const std::string start = fmt::format("{}/search?q=", kMockSearchUrl);
  if (!url.starts_with(start)) return std::nullopt;
  const std::string_view escaped = url.substr(start.size(), url.find("&format=") - start.size());
  std::string query;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] == '%' && i + 2 < escaped.size()) {
      int byte = 0;
      std::from_chars(escaped.data() + i + 1, escaped.data() + i + 3, byte, 16);
      query += static_cast<char>(byte);
      i += 2;
    } else {
      query += escaped[i] == '+' ? ' ' : escaped[i];
    }
  }
  return query;
}

std::optional<Result<std::vector<SearchResult>>> SearchWeb(TurnState& turn, std::string_view query,
                                                           std::size_t most) {
  using Found = Result<std::vector<SearchResult>>;
  const std::string base = SearchUrlOf(turn);
  if (base.empty()) {
    return Found(Error{ErrorCode::kUnsupported,
                       "No search server is set up here. Work with the addresses that you know."});
  }
  ASSAY_AWAIT(const Exchange* exchange, turn.walk.Ask([&] {
    HttpRequest request{.method = "GET",
                        .url = fmt::format("{}/search?q={}&format=json", base, QueryEscaped(query)),
                        .headers = {},
                        .body = {},
                        .timeout = std::chrono::milliseconds(turn.suite().agent.search_timeout_ms),
                        .reply_bytes_max = kReplyBytesMax};
    return PlannedRequest{.request = std::move(request), .tag = TagOf(turn, RequestRole::kTool)};
  }));
  const auto* reply = exchange->error ? nullptr : std::get_if<HttpReply>(&exchange->reply);
  if (reply == nullptr)
    return Found(Error{ErrorCode::kService, "The search failed: " + exchange->error->message});
  if (reply->status != 200)
    return Found(Error{ErrorCode::kService, fmt::format("The search failed: status {}.", reply->status)});
  const Result<Value> body = ParseJson(reply->body);
  const List* results = body ? FindList(*body, "results") : nullptr;
  if (results == nullptr)
    return Found(Error{ErrorCode::kService, "The search failed: the server answered with something else."});
  std::vector<SearchResult> found;
  for (const Value& result : *results) {
    if (found.size() >= most) break;
    SearchResult& entry = found.emplace_back();
    entry.title = PlainWordsOf(result, "title");
    entry.url = result.TextAt("url");
    entry.snippet = FirstCodePoints(PlainWordsOf(result, "content"), kSnippetCharacters);
    entry.engine = PlainWordsOf(result, "engine");
  }
  return Found(std::move(found));
}

std::optional<Value> RunWebSearch(TurnState& turn, const Value& arguments) {
  const std::string query = TextArgument(arguments, "q");
  if (query.empty()) return ToolError("Say in q what to search for.");
  const std::int64_t most = CountArgument(arguments, "count", kResultsUsual, 1, kResultsMost);
  ASSAY_AWAIT(const Result<std::vector<SearchResult>> found,
              SearchWeb(turn, query, static_cast<std::size_t>(most)));
  if (!found) return ToolError(found.error().message);
  return Object{{"results", ArrayOf(*found, [&](const SearchResult& result) {
                   return Object{{"title", result.title},
                                 {"url", result.url},
                                 {"snippet", result.snippet},
                                 {"engine", result.engine}};
                 })}};
}

}  // namespace assay
