// Tests of reading what services' tools found, in the form of each protocol.
#include "providers/shapes/reply/citations.h"

#include <doctest/doctest.h>

#include "text/json/json.h"

namespace assay {

TEST_CASE("sources are read wherever a protocol has them, each once") {
  struct Row {
    const char* body;
    const char* want;
  };
  const Row rows[] = {
      {R"({"choices":[{"message":{"annotations":[)"
       R"({"type":"url_citation","url_citation":{"url":"u","title":"t"}},)"
       R"({"type":"url_citation","url_citation":{"url":"u","title":"t"}}]}}]})",
       R"([{"url":"u","title":"t"}])"},
      {R"({"output":[{"type":"message","content":[{"annotations":[)"
       R"({"type":"url_citation","url":"u","title":"t"},)"
       R"({"type":"file_citation","filename":"f.pdf"}]}]}]})",
       R"([{"url":"u","title":"t"},{"title":"f.pdf"}])"},
      {R"({"content":[{"type":"text","citations":[{"document_title":"d","cited_text":"c"}]}]})",
       R"([{"title":"d","quote":"c"}])"},
      {R"({"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u","title":"t"}}]}}]})",
       R"([{"url":"u","title":"t"}])"},
      {R"({"citations":["u"],"search_results":[{"url":"u","title":"t","date":"d"}],"choices":[]})",
       R"([{"url":"u","title":"t"}])"},
      {R"({"citations":["u","v"]})", R"([{"url":"u"},{"url":"v"}])"},
      {R"({"message":{"citations":[{"text":"c","sources":[)"
       R"({"type":"document","document":{"title":"t","url":"u"}}]}]}})",
       R"([{"url":"u","title":"t","quote":"c"}])"},
      {R"({"choices":[{"message":{"content":"plain"}}],"citations":7,"output":{}})", "null"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    ModelReply reply;
    TakeCitations(*ParseJson(row.body), reply);
    CHECK(WriteJson(reply.citations, JsonStyle::kJavaScript) == row.want);
  }
}

TEST_CASE("a reply's sources are bounded") {
  List urls;
  for (int i = 0; i < 500; ++i)
    urls.emplace_back("https://e.org/" + std::to_string(i) + std::string(5'000, 'x'));
  Map body;
  body.Append("citations", std::move(urls));
  ModelReply reply;
  TakeCitations(Value(std::move(body)), reply);
  REQUIRE(reply.citations.AsList().size() == kCitationsMax);
  CHECK(reply.citations.AsList()[0].Find("url")->AsString().size() == kCitationBytesMax);
}

}  // namespace assay
