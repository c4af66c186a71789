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

const Value* PartOf(const Value* of, std::string_view name) {
  return of == nullptr ? nullptr : of->Find(name);
}

const Value* First(const Value* list) {
  return list != nullptr && list->is_list() && !list->AsList().empty() ? &list->AsList().front() : nullptr;
}

template <class Take>
void ForEach(const Value* list, const Take& take) {
  if (list == nullptr || !list->is_list()) return;
  for (const Value& item : list->AsList()) take(item);
}

std::string AnyText(const Value& of, std::initializer_list<std::string_view> names) {
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
    Add(AnyText(source, {"url", "uri"}), AnyText(source, {"title", "document_title", "filename"}),
        AnyText(source, {"cited_text"}));
  }

 private:
  ModelReply& reply_;
};

}  // namespace

void TakeCitations(const Value& body, ModelReply& reply) {
  Citations found(reply);
  const Value* message = PartOf(First(body.Find("choices")), "message");
  if (message == nullptr) message = body.Find("message");
  ForEach(PartOf(message, "annotations"), [&](const Value& each) {
    const Value* cited = each.Find("url_citation");
    found.AddOf(cited == nullptr ? each : *cited);
  });
  ForEach(PartOf(message, "citations"), [&](const Value& each) {
    ForEach(each.Find("sources"), [&](const Value& source) {
      const Value* document = source.Find("document");
      found.Add(document == nullptr ? std::string() : document->TextAt("url"),
                document == nullptr ? source.TextAt("id") : AnyText(*document, {"title", "id"}),
                each.TextAt("text"));
    });
  });
  ForEach(body.Find("output"), [&](const Value& item) {
    ForEach(item.Find("content"), [&](const Value& part) {
      ForEach(part.Find("annotations"), [&](const Value& each) { found.AddOf(each); });
    });
  });
  ForEach(body.Find("content"), [&](const Value& block) {
    ForEach(block.Find("citations"), [&](const Value& each) { found.AddOf(each); });
  });
  const Value* grounding = PartOf(First(body.Find("candidates")), "groundingMetadata");
  ForEach(PartOf(grounding, "groundingChunks"), [&](const Value& chunk) {
    for (const std::string_view kind : {"web", "retrievedContext", "maps"}) {
      if (const Value* source = chunk.Find(kind)) found.AddOf(*source);
    }
  });
  const Value* results = body.Find("search_results");
  ForEach(results, [&](const Value& each) { found.AddOf(each); });
  // Beside them the same addresses stand alone.
  if (results == nullptr) ForEach(body.Find("citations"), [&](const Value& each) { found.AddOf(each); });
}

}  // namespace assay
