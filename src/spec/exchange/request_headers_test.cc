// Tests of what keys hold of headers, and that requests without headers keep the keys that existing stores
// are full of.
#include "spec/exchange/request.h"

#include <doctest/doctest.h>

#include "spec/exchange/keyed_headers.h"
#include "text/json/json.h"

namespace assay {

namespace {

ModelRequest Custom(std::string_view headers) {
  ModelRequest request;
  request.provider = "custom";
  request.model = "m";
  request.base_url = "https://h/x";
  request.messages = {{Role::kUser, "q"}};
  request.custom =
      ParseJson(std::string(R"({"id":"custom:x","url":"https://h/x","inherit":"openai","headers":)") +
                std::string(headers) + "}")
          .value();
  return request;
}

HttpRequest ServiceCall(std::vector<HttpHeader> headers) {
  HttpRequest request;
  request.url = "https://h/x";
  request.headers = std::move(headers);
  request.body = "{}";
  return request;
}

std::string Hashed(std::string_view secret) { return "sha256:" + Hex(Sha256Of(secret)); }

std::string KeyText(const Request& request) { return Hex(KeyOf(CanonicalText(request))); }

}  // namespace

TEST_CASE("requests without headers keep their keys") {
  ModelRequest plain;
  plain.provider = "openai";
  plain.model = "gpt-4o";
  plain.messages = {{Role::kSystem, "be brief"}, {Role::kUser, "q"}};
  plain.params.temperature = 0.5;
  CHECK(KeyText(plain) == "abd0f1e1161f5e062145085967174a8e319b4ed5cc0b11928e1c3a2398567457");
  ModelRequest custom = Custom("{}");
  CHECK(KeyText(custom) == "0a1a135c2ffb2b33a6e8736844a662c0b96b710a165b35466eb762821d9de772");
  custom.custom.AsMap().Erase("headers");
  CHECK(KeyText(custom) == "0a1a135c2ffb2b33a6e8736844a662c0b96b710a165b35466eb762821d9de772");
  CHECK(KeyText(ServiceCall({})) == "038c3b5a1e972a71c101e5444c43293fcd867e13be097a592e079d19bc25a25c");
  CHECK(KeyText(ServiceCall({{"content-type", "application/json"}})) ==
        "038c3b5a1e972a71c101e5444c43293fcd867e13be097a592e079d19bc25a25c");
  EmbedRequest embed;
  embed.provider = "openai";
  embed.model = "e";
  embed.texts = {"a"};
  CHECK(CanonicalText(embed) == R"({"v":1,"embedding":"openai","model":"e","texts":["a"]})");
}

TEST_CASE("headers that a suite gives are part of the key, but no secret of them") {
  const std::string hash = Hashed("v");
  struct Row {
    std::string headers;
    std::string want;  // the member of the canonical form; "": none
  };
  const Row rows[] = {
      {R"({"X-Mode":"v"})", R"("headers":{"x-mode":")" + hash + R"("})"},
      {R"({"x-mode":"v","Authorization":"Bearer s3cret","COOKIE":"a=b"})",
       R"("headers":{"x-mode":")" + hash + R"("})"},
      {R"({"Authorization":"Bearer ${T}","Proxy-Authorization":"x",)"
       R"("X-API-Key":"k","api-key":"k","Cookie":"c"})",
       ""},
      {R"({"x-b":"${B}","X-A":"a ${A} b"})",
       R"("headers":{"x-a":")" + Hashed("a ") + "${A}" + Hashed(" b") + R"(","x-b":"${B}"})"},
      {R"({"x":"s3cret${A}${B}"})", R"("headers":{"x":")" + Hashed("s3cret") + R"(${A}${B}"})"},
      {R"({"x":"${s3cret key}"})", R"("headers":{"x":")" + Hashed("${s3cret key}") + R"("})"},
      {R"({"x":"${${A}${}${B"})", R"("headers":{"x":")" + Hashed("${") + "${A}" + Hashed("${}${B") + R"("})"},
      {R"({"x":""})", R"("headers":{"x":")" + Hashed("") + R"("})"},
      {R"({"X-Mode":"v","x-mode":"${B}"})", R"("headers":{"x-mode":")" + hash + R"(, ${B}"})"},
      {R"({"Content-Type":"application/json"})", ""},
      {R"({"x":5})", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.headers);
    const ModelRequest custom = Custom(row.headers);
    std::vector<HttpHeader> headers;
    for (const Member& member : custom.custom.Find("headers")->AsMap()) {
      if (member.value.is_string()) headers.push_back({member.key, member.value.AsString()});
    }
    for (const Request& request : {Request(custom), Request(ServiceCall(headers))}) {
      const std::string text = CanonicalText(request);
      CAPTURE(text);
      const std::size_t at = text.find("\"headers\"");
      REQUIRE((at == std::string::npos) == row.want.empty());
      CHECK(text.find("s3cret") == std::string::npos);
      CHECK(ParseJson(text).has_value());
      if (at != std::string::npos) CHECK(text.substr(at, text.size() - 1 - at) == row.want);
    }
  }
  CHECK(KeyText(Custom(R"({"X-Mode":"v"})")) != KeyText(Custom(R"({"X-Mode":"w"})")));
  CHECK(KeyText(Custom(R"({"Authorization":"v"})")) == KeyText(Custom(R"({"Authorization":"w"})")));
}

TEST_CASE("an address is part of the key, but no secret of it") {
  struct Row {
    std::string url;
    std::string want;
  };
  const Row rows[] = {
      {"https://h/x", "https://h/x"},
      {"https://h:8/x?api-version=2025-01-01&a=b#key=c", "https://h:8/x?api-version=2025-01-01&a=b#key=c"},
      {"no url?key=s3cret", "no url?key=s3cret"},
      {"https://h/x?key=s3cret", "https://h/x?key=" + Hashed("s3cret")},
      {"https://h?a=1&API_KEY=s3cret&b=2", "https://h?a=1&API_KEY=" + Hashed("s3cret") + "&b=2"},
      {"https://h/?accessToken=s3cret;sig=s3cret",
       "https://h/?accessToken=" + Hashed("s3cret") + ";sig=" + Hashed("s3cret")},
      {"https://h/?%61pi%4Bey=s3cret", "https://h/?%61pi%4Bey=" + Hashed("s3cret")},
      {"https://h/?key", "https://h/?key"},
      {"https://me:s3cret@h/x", "https://" + Hashed("me:s3cret") + "@h/x"},
      {"https://me:s3@cret@h?code=s3cret", "https://" + Hashed("me:s3@cret") + "@h?code=" + Hashed("s3cret")},
      {"https://h/x@y?z", "https://h/x@y?z"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.url);
    CHECK(KeyedUrl(row.url) == row.want);
    ModelRequest model;
    model.base_url = row.url;
    HttpRequest http;
    http.url = row.url;
    for (const Request& request : {Request(model), Request(http)}) {
      const bool is_told = CanonicalText(request).find("s3cret") != std::string::npos;
      CHECK(is_told == (row.want.find("s3cret") != std::string::npos));
    }
  }
}

TEST_CASE("descriptions lose their secrets at every depth, and nothing else") {
  const auto keyed = [](std::string_view json) {
    const Value described = ParseJson(json).value();
    const std::optional<Value> copy = KeyedCopyOf(described);
    return WriteJson(copy ? *copy : described, JsonStyle::kJavaScript);
  };
  const std::string hash = Hashed("v");
  CHECK(keyed(R"([1,{"a":["url",{"headers":{"X":"v","Cookie":"v"},"b":2}],"c":3},4])") ==
        R"([1,{"a":["url",{"headers":{"x":")" + hash + R"("},"b":2}],"c":3},4])");
  CHECK(keyed(R"({"a":1,"base_url":"https://h?token=v","text":"https://h?token=v","z":[]})") ==
        R"({"a":1,"base_url":"https://h?token=)" + hash + R"(","text":"https://h?token=v","z":[]})");
  for (const std::string_view same : {"null", "[]", R"({"a":[{"url":"https://h/?a=b"}],"header":"v"})"})
    CHECK(keyed(same) == same);
}

}  // namespace assay
