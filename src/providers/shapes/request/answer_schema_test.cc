// Tests of answer schemas in each protocol, and of which are strict.
#include "providers/shapes/request/answer_schema.h"

#include <doctest/doctest.h>

#include "providers/provider.h"
#include "text/json/json.h"

namespace assay {

TEST_CASE("each service is told the schema in its own words, and nothing where none is written") {
  struct Row {
    std::string_view provider, model, fragment;
  };
  const Row rows[] = {
      {"openai", "gpt-4o",
       R"("response_format":{"type":"json_schema","json_schema":{"name":"answer",)"
       R"("schema":{"type":"object"},"strict":false}})"},
      {"mistral", "m", R"("response_format":{"type":"json_schema")"},
      {"openai", "gpt-5-pro",
       R"("text":{"format":{"type":"json_schema","name":"answer",)"
       R"("schema":{"type":"object"},"strict":false}})"},
      {"anthropic", "claude-x",
       R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}})"},
      {"google", "gemini-x",
       R"("responseMimeType":"application/json","responseJsonSchema":{"type":"object"})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.provider);
    ModelRequest request;
    request.provider = row.provider;
    request.model = row.model;
    request.messages = {{Role::kUser, "Go"}};
    const ProviderRow& provider = *FindProvider(row.provider);
    for (const std::string_view word : {"format", "responseJsonSchema"})
      CHECK(provider.Encode(request).value().body.find(word) == std::string::npos);
    request.answer_schema = *ParseJson(R"({"type":"object"})");
    CHECK(provider.Encode(request).value().body.find(row.fragment) != std::string::npos);
  }
}

TEST_CASE("models that a suite describes are told it as their family is") {
  struct Row {
    std::string_view family, fragment;
  };
  const Row rows[] = {
      {"openai", R"("response_format":{"type":"json_schema")"},
      {"anthropic", R"("output_config":{"format":{"type":"json_schema")"},
      {"google", R"("responseJsonSchema":{"type":"object"}})"},
  };
  for (const Row& row : rows) {
    ModelRequest request;
    request.provider = "custom";
    request.base_url = "http://h/x";
    request.messages = {{Role::kUser, "Go"}};
    Map custom;
    custom.Append("inherit", row.family);
    request.custom = Value(std::move(custom));
    request.answer_schema = *ParseJson(R"({"type":"object"})");
    const std::string body = FindProvider("custom")->Encode(request).value().body;
    CAPTURE(body);
    CHECK(body.find(row.fragment) != std::string::npos);
  }
}

TEST_CASE("a schema is strict where every object is closed and all of its members are required") {
  struct Row {
    std::string_view schema;
    bool strict;
  };
  const Row rows[] = {
      {R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"],)"
       R"("additionalProperties":false})",
       true},
      {R"({"type":"object","properties":{"a":{"type":"string"}},"required":[],)"
       R"("additionalProperties":false})",
       false},
      {R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})", false},
      {R"({"type":"object"})", false},
      {R"({"type":"array","items":{"type":"object","properties":{}}})", false},
      {R"({"type":"array","items":{"type":"object","properties":{},"additionalProperties":false}})", true},
      {R"({"type":"object","properties":{"properties":{"type":"object"}},"required":["properties"],)"
       R"("additionalProperties":false})",
       false},
      {R"({"type":"string","enum":["a"]})", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.schema);
    CHECK(IsStrictSchema(*ParseJson(row.schema)) == row.strict);
  }
}

}  // namespace assay
