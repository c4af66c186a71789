// The tools get_relevant_content and get_full_content of the research agent: matching passages, or the full
// text, of the case's documents and of web pages.
#include <algorithm>

#include "agent/limits.h"
#include "agent/tool.h"
#include "agent/web/pages.h"
#include "corpus/ask/operations.h"
#include "corpus/ask/relevant_content.h"
#include "text/object.h"

namespace assay {

namespace {

// What was asked for: documents by handle, pages by address, in the order of the call.
struct Sources {
  std::vector<std::string> all;
  std::vector<std::string> handles;
  std::vector<std::string> addresses;
};

// Without any, everything that is at hand.
Sources SourcesOf(const TurnState& turn, const Value& arguments) {
  Sources sources;
  sources.all = TextsArgument(arguments, "urls", limits::kPageUrlsMax);
  for (const char* other : {"corpus_urls", "section_ref"}) {
    for (std::string& more : TextsArgument(arguments, other, limits::kPageUrlsMax))
      sources.all.push_back(std::move(more));
  }
  if (sources.all.empty()) {
    for (const OpenDocument& document : turn.documents) sources.all.push_back(document.handle);
    for (const auto& [url, page] : turn.pages) {
      if (page->problem.empty()) sources.all.push_back(page->url);
    }
  }
  for (const std::string& source : sources.all)
    (IsCorpusHandle(source) ? sources.handles : sources.addresses).push_back(source);
  return sources;
}

// The same search in one page, as if it were a document.
Value RelevantOnPage(const WebPage& page, const Value& arguments) {
  CorpusBuilder builder({});
  const Status added = builder.Add(
      {.id = page.url, .title = page.title, .content = {.text = page.text, .title = {}, .page_starts = {}}});
  if (!added) return ToolError(added.error().message);
  const Result<std::shared_ptr<const Corpus>> corpus = std::move(builder).Build();
  if (!corpus) return ToolError(corpus.error().message);
  Map asked = arguments.AsMap();
  asked.Set("urls", Value(List{Value(HandleOf(0))}));
  for (const char* other : {"corpus_urls", "section_ref", "section_id"}) asked.Erase(other);
  const Value found = RelevantContent(**corpus, Value(std::move(asked)), {});
  const Value* of_page = found.is_map() ? found.Find(HandleOf(0)) : nullptr;
  return of_page == nullptr ? found : *of_page;
}

Value FullPage(const WebPage& page) {
  return Object{{"title", page.title},
                {"content", page.text},
                {"content_length", static_cast<std::int64_t>(page.text.size())}};
}

using OfPage = Value (*)(const WebPage& page, const Value& arguments);

// Documents are asked as a whole, pages one by one; the answer has them in the order of the call.
std::optional<Value> AnswerFrom(TurnState& turn, const Value& arguments, std::string_view operation,
                                OfPage of_page) {
  const Sources sources = SourcesOf(turn, arguments);
  if (sources.all.empty()) return ToolError("Name at least one document or page in urls.");
  Value documents{Map()};
  if (!sources.handles.empty()) {
    Map asked = arguments.AsMap();
    asked.Set("urls", Value(ArrayOf(sources.handles)));
    for (const char* other : {"corpus_urls", "section_ref"}) asked.Erase(other);
    ASSAY_AWAIT(documents, AskDocuments(turn, operation, std::move(asked)));
  }
  ASSAY_AWAIT(const std::vector<WebPage> pages, ReadPages(turn, sources.addresses));
  if (sources.addresses.empty()) return documents;
  Map answer;
  for (const std::string& source : sources.all) {
    const auto page =
        std::find_if(pages.begin(), pages.end(), [&](const WebPage& each) { return each.url == source; });
    if (page != pages.end()) {
      answer.Set(source, page->problem.empty() ? of_page(*page, arguments) : ToolError(page->problem));
    } else if (const Value* document = documents.Find(source)) {
      answer.Set(source, *document);
    }
  }
  return answer;
}

}  // namespace

std::optional<Value> RunGetRelevantContent(TurnState& turn, const Value& arguments) {
  if (TextArgument(arguments, "query").empty()) return ToolError("Say in query what to look for.");
  return AnswerFrom(turn, arguments, kRelevantContent, RelevantOnPage);
}

std::optional<Value> RunGetFullContent(TurnState& turn, const Value& arguments) {
  return AnswerFrom(turn, arguments, kFullContent,
                    [](const WebPage& page, const Value&) { return FullPage(page); });
}

}  // namespace assay
