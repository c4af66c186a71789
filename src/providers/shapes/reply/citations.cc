// Where each protocol has its citations. Sources: the services' API references; types of their SDKs.
//   OpenAI, OpenRouter  message.annotations[].url_citation {url, title}
//   OpenAI Responses    output[].content[].annotations[] {url, title} or {filename}
//   Anthropic           content[].citations[] {url, title, cited_text} or {document_title, cited_text}
//   Google              candidates[0].groundingMetadata.groundingChunks[].web {uri, title}
//   Perplexity, xAI     search_results[] {url, title}, citations[] of addresses
//   Cohere              message.citations[] {text, sources[].document {url, title}}
#include "providers/shapes/reply/citations.h"

#include <algorithm>

#include "base/text/utf8.h"
#include "providers/shapes/reply/reply_json.h"

namespace assay {

namespace {

// The first item of a member that is a list, or undefined.
const Value& FirstOf(const Value& map, std::string_view name) {
  static const Value none;
  const List& list = map.ListAt(name);
  return list.empty() ? none : list.front();
}

std::string AnyText(const Map& of, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (std::string text = of.TextAt(name); !text.empty()) return text;
  }
  return {};
}

class Citations {
 public:
  explicit Citations(ModelReply& reply) : reply_(reply) {}

  void Add(std::string url, std::string title, std::string quote = {}) {
    if (url.empty() && title.empty()) return;
    Map citation;
    for (auto& [name, text] : {std::pair{"url", &url}, {"title", &title}, {"quote", &quote}}) {
      if (!text->empty()) citation.Append(name, CutToBytes(*text, kCitationBytesMax));
    }
    Value made(std::move(citation));
    if (!reply_.citations.is_list()) reply_.citations = Value(List());
    List& known = reply_.citations.AsList();
    const bool is_known =
        std::any_of(known.begin(), known.end(), [&](const Value& each) { return SameValue(each, made); });
    if (!is_known && known.size() < kCitationsMax) known.push_back(std::move(made));
  }
  // {url, title, cited_text}, under the names of one protocol or another.
  void AddOf(const Value& source) {
    if (source.is_string()) return Add(source.AsString(), {});
    if (!source.is_map()) return;
    const Map& map = source.AsMap();
    Add(AnyText(map, {"url", "uri"}), AnyText(map, {"title", "document_title", "filename"}),
        map.TextAt("cited_text"));
  }

 private:
  ModelReply& reply_;
};

}  // namespace

void TakeCitations(const Value& body, ModelReply& reply) {
  Citations found(reply);
  const Value& choice = FirstOf(body, "choices");
  const Map& message = (choice.Find("message") != nullptr ? choice : body).MapAt("message");
  for (const Value& each : message.ListAt("annotations")) {
    const Value* cited = each.Find("url_citation");
    found.AddOf(cited == nullptr ? each : *cited);
  }
  for (const Value& each : message.ListAt("citations")) {
    for (const Value& source : each.ListAt("sources")) {
      const Map& document = source.MapAt("document");
      const bool has_document = source.Find("document") != nullptr;
      found.Add(document.TextAt("url"),
                has_document ? AnyText(document, {"title", "id"}) : source.TextAt("id"), each.TextAt("text"));
    }
  }
  for (const Value& item : body.ListAt("output")) {
    for (const Value& part : item.ListAt("content")) {
      for (const Value& each : part.ListAt("annotations")) found.AddOf(each);
    }
  }
  for (const Value& block : body.ListAt("content")) {
    for (const Value& each : block.ListAt("citations")) found.AddOf(each);
  }
  for (const Value& chunk :
       FirstOf(body, "candidates").MapAt("groundingMetadata").ListAt("groundingChunks")) {
    for (const std::string_view kind : {"web", "retrievedContext", "maps"}) {
      if (const Value* source = chunk.Find(kind)) found.AddOf(*source);
    }
  }
  // Beside search results the same addresses stand alone.
  for (const Value& each :
       body.ListAt(body.Find("search_results") != nullptr ? "search_results" : "citations"))
    found.AddOf(each);
}

}  // namespace assay
