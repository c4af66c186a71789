// Reads a mock_web file with all of its problems at once, and answers page and search requests from it.
#include "agent/web/mock_web.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/limits.h"
#include "agent/search.h"
#include "agent/web/addresses.h"
#include "base/hash.h"
#include "corpus/index/words.h"
#include "corpus/read/document.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/object.h"
#include "text/yaml/yaml.h"

namespace assay {

namespace {

constexpr std::size_t kSourceDigits = 12;
constexpr int kLeastStatus = 100;
constexpr int kMostStatus = 599;
constexpr int kNotFoundStatus = 404;
constexpr std::string_view kAnyQuery = "*";
constexpr std::string_view kWebKeys[] = {"pages", "search"};
constexpr std::string_view kPageKeys[] = {"status", "content_type", "body", "path"};
constexpr std::string_view kResultKeys[] = {"title", "url", "snippet"};

struct SuffixType {
  DocumentKind kind;
  std::string_view content_type;
};
constexpr SuffixType kSuffixTypes[] = {
    {DocumentKind::kText, "text/plain"},     {DocumentKind::kMarkdown, "text/markdown"},
    {DocumentKind::kCsv, "text/csv"},        {DocumentKind::kJson, "application/json"},
    {DocumentKind::kPdf, "application/pdf"}, {DocumentKind::kEpub, "application/epub+zip"},
};

std::string_view TypeOfFile(std::string_view path, std::string_view bytes) {
  const std::optional<DocumentKind> kind = DocumentKindOf(path, bytes);
  for (const SuffixType& row : kSuffixTypes) {
    if (kind == row.kind) return row.content_type;
  }
  return "text/html";
}

void HashText(Sha256& hash, std::string_view text) {
  hash.Update(fmt::format("{}:", text.size()));
  hash.Update(text);
}

}  // namespace

class MockWebReader {
 public:
  MockWebReader(const MockWebInput& input, Diagnostics& diagnostics)
      : input_(input), diagnostics_(diagnostics) {}

  std::optional<MockWeb> Read() {
    const std::size_t before = diagnostics_.ErrorCount();
    const std::vector<Value> documents = ReadYaml(input_.file, input_.text, YamlRules::kPyYaml, diagnostics_);
    if (diagnostics_.ErrorCount() > before) return std::nullopt;
    if (documents.size() != 1 || !documents[0].is_map()) {
      Problem("expected one mapping with pages and search",
              documents.empty() ? Span{input_.file, 0, 0} : documents[0].span);
      return std::nullopt;
    }
    CheckKeys(documents[0], kWebKeys);
    if (const Value* pages = documents[0].Find("pages")) ReadPages(*pages);
    if (const Value* searches = documents[0].Find("search")) ReadSearches(*searches);
    if (diagnostics_.ErrorCount() > before) return std::nullopt;
    web_.source_ = "mock_web:" + HexPrefix(hash_.Finish(), kSourceDigits);
    return std::move(web_);
  }

 private:
  void Problem(std::string message, Span where, std::string hint = {}) {
    diagnostics_.Error("mock_web.shape", std::move(message), where, std::move(hint));
  }

  void CheckKeys(const Value& map, std::span<const std::string_view> known) {
    for (const Member& member : map.AsMap()) {
      if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
      const std::string_view near = DidYouMean(member.key, known);
      diagnostics_.Warning("mock_web.unknown-key", fmt::format("unknown key {}", Quoted(member.key)),
                           member.key_span,
                           near.empty() ? "it has no effect" : fmt::format("did you mean \"{}\"?", near));
    }
  }

  // A text member, "" if it is absent; anything else is a problem.
  std::string TextMember(const Value& map, std::string_view key) {
    const Value* other = map.Find(key);
    if (const std::string* text = FindText(map, key)) return *text;
    if (other != nullptr && !other->is_null())
      Problem(fmt::format("expected a text as {}, found {}", key, KindName(*other)), other->span,
              "put it in quotes");
    return {};
  }

  void ReadPages(const Value& pages) {
    if (!pages.is_map()) {
      Problem(fmt::format("expected a mapping of addresses to pages, found {}", KindName(pages)), pages.span);
      return;
    }
    if (pages.AsMap().size() > limits::kMockPagesMax) {
      Problem(fmt::format("expected at most {} pages, found {}", limits::kMockPagesMax, pages.AsMap().size()),
              pages.span);
      return;
    }
    for (const Member& member : pages.AsMap()) ReadPage(member);
  }

  void ReadPage(const Member& member) {
    const std::string url = NormaliseUrl(member.key);
    if (url.empty()) {
      Problem(fmt::format("expected an address that begins with http:// or https://, found {}",
                          Quoted(member.key)),
              member.key_span);
      return;
    }
    if (!member.value.is_map()) {
      Problem(fmt::format("expected a mapping with body or path, found {}", KindName(member.value)),
              member.value.span);
      return;
    }
    CheckKeys(member.value, kPageKeys);
    MockPage page;
    ReadStatus(member.value, page);
    ReadBody(member.value, page);
    if (std::string type = TextMember(member.value, "content_type"); !type.empty())
      page.content_type = std::move(type);
    for (const std::string_view part :
         {std::string_view(url), std::string_view(page.content_type), std::string_view(page.body)}) {
      HashText(hash_, part);
    }
    HashText(hash_, fmt::format("{}", page.status));
    if (!web_.pages_.emplace(url, std::move(page)).second) {
      Problem(fmt::format("the page {} is there already", Quoted(url)), member.key_span,
              "addresses differ by more than trailing slashes and fragments");
    }
  }

  void ReadStatus(const Value& map, MockPage& page) {
    const Value* status = map.Find("status");
    if (status == nullptr || status->is_null()) return;
    const double number = map.NumberAt("status").value_or(0);
    const bool is_status =
        number >= kLeastStatus && number <= kMostStatus && number == static_cast<int>(number);
    if (is_status) {
      page.status = static_cast<int>(number);
    } else {
      Problem(fmt::format("expected a status from {} to {}", kLeastStatus, kMostStatus), status->span);
    }
  }

  void ReadBody(const Value& map, MockPage& page) {
    const Value* body = map.Find("body");
    const Value* path = map.Find("path");
    if (body != nullptr && path != nullptr) {
      Problem("expected body or path, found both", path->span, "leave one of them out");
      return;
    }
    page.body = TextMember(map, "body");
    const std::string name = TextMember(map, "path");
    if (name.empty()) return;
    const std::size_t slash = input_.path.rfind('/');
    const bool is_beside = !name.starts_with('/') && slash != std::string_view::npos;
    const std::string file = is_beside ? fmt::format("{}/{}", input_.path.substr(0, slash), name) : name;
    Result<std::string> bytes = input_.files.Read(file);
    if (!bytes) {
      diagnostics_.Error("mock_web.file", fmt::format("the page cannot be read: {}", bytes.error().message),
                         path->span);
      return;
    }
    page.body = std::move(*bytes);
    page.content_type = TypeOfFile(name, page.body);
  }

  void ReadSearches(const Value& searches) {
    if (!searches.is_map()) {
      Problem(fmt::format("expected a mapping of queries to results, found {}", KindName(searches)),
              searches.span);
      return;
    }
    if (searches.AsMap().size() > limits::kMockPagesMax) {
      Problem(fmt::format("expected at most {} queries, found {}", limits::kMockPagesMax,
                          searches.AsMap().size()),
              searches.span);
      return;
    }
    for (const Member& member : searches.AsMap()) {
      if (!member.value.is_list()) {
        Problem(fmt::format("expected a list of results, found {}", KindName(member.value)),
                member.value.span, "write [] for none");
        continue;
      }
      const std::string query = CollapseBlanks(member.key);
      HashText(hash_, query);
      std::vector<MockResult>& results = web_.searches_[query];
      for (const Value& item : member.value.AsList()) ReadResult(item, results);
    }
  }

  void ReadResult(const Value& item, std::vector<MockResult>& results) {
    if (!item.is_map()) {
      Problem(fmt::format("expected a result with title, url and snippet, found {}", KindName(item)),
              item.span);
      return;
    }
    CheckKeys(item, kResultKeys);
    MockResult result{TextMember(item, "title"), TextMember(item, "url"), TextMember(item, "snippet")};
    for (const std::string& part : {result.title, result.url, result.snippet}) HashText(hash_, part);
    results.push_back(std::move(result));
  }

  const MockWebInput& input_;
  Diagnostics& diagnostics_;
  MockWeb web_;
  Sha256 hash_;
};

const MockPage* MockWeb::FindPage(std::string_view url) const {
  const auto found = pages_.find(NormaliseUrl(url));
  return found == pages_.end() ? nullptr : &found->second;
}

std::optional<std::span<const MockResult>> MockWeb::Search(std::string_view query) const {
  auto found = searches_.find(CollapseBlanks(query));
  if (found == searches_.end()) found = searches_.find(kAnyQuery);
  if (found == searches_.end()) return std::nullopt;
  return std::span<const MockResult>(found->second);
}

namespace {

HttpReply PageReply(const MockWeb& web, std::string_view url) {
  HttpReply reply;
  const MockPage* page = web.FindPage(url);
  reply.status = page == nullptr ? kNotFoundStatus : page->status;
  if (page == nullptr) return reply;
  reply.content_type = page->content_type;
  reply.body = page->body;
  return reply;
}

// In the form in which a SearXNG server answers.
HttpReply SearchReply(const MockWeb& web, std::string_view query) {
  HttpReply reply;
  const auto found = web.Search(query);
  reply.status = found ? 200 : kNotFoundStatus;
  if (!found) return reply;
  Map body = Object{{"results", ArrayOf(*found, [&](const MockResult& result) {
                       return Object{{"title", result.title},
                                     {"url", result.url},
                                     {"content", result.snippet},
                                     {"engine", "mock_web"}};
                     })}};
  reply.content_type = "application/json";
  reply.body = WriteJson(Value(std::move(body)), JsonStyle::kJavaScript);
  return reply;
}

}  // namespace

Recording MockWebRecording(std::vector<std::shared_ptr<const MockWeb>> of_variants) {
  Recording recording;
  recording.path = "mock_web";
  Sha256 hash;
  for (const std::shared_ptr<const MockWeb>& web : of_variants)
    hash.Update(web ? web->source() + "\n" : "\n");
  recording.source = fmt::format("mock_web:{}", HexPrefix(hash.Finish(), kSourceDigits));
  recording.find = [](const Suite&, const ModelRequest&, const RequestTag&) {
    return std::optional<ModelReply>();
  };
  recording.find_other = [webs = std::move(of_variants)](const Suite&, const Request& request,
                                                         const RequestTag& tag) -> std::optional<Reply> {
    const auto* http = std::get_if<HttpRequest>(&request);
    if (http == nullptr || tag.role != RequestRole::kTool || tag.variant >= webs.size() || !webs[tag.variant])
      return std::nullopt;
    const MockWeb& web = *webs[tag.variant];
    const std::optional<std::string> query = QueryOfSearch(http->url);
    return Reply(query ? SearchReply(web, *query) : PageReply(web, http->url));
  };
  return recording;
}

std::optional<MockWeb> ReadMockWeb(const MockWebInput& input, Diagnostics& diagnostics) {
  return MockWebReader(input, diagnostics).Read();
}

}  // namespace assay
