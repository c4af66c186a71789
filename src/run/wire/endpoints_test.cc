// Tests of keys, grants and redaction.
#include "run/wire/endpoints.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "run/wire/redaction.h"
#include "run/wire/wire.h"

namespace assay {
namespace {

Endpoints MakeEndpoints() {
  Endpoints endpoints;
  endpoints.providers["openai"] = {.base_url = "http://mine/v1", .key = Secret("sk-0123456789")};
  endpoints.providers["anthropic"] = {.base_url = "", .key = Secret("ak-0123456789")};
  endpoints.environment["TOKEN"] = Secret("token-0123456789");
  endpoints.hosts = {"127.0.0.1"};
  return endpoints;
}

Request Model(std::string provider, std::string base_url, const char* header = nullptr) {
  ModelRequest request;
  request.provider = std::move(provider);
  request.base_url = std::move(base_url);
  if (header == nullptr) return request;
  Map headers;
  headers.Append("x", header);
  Map custom;
  custom.Append("headers", Value(std::move(headers)));
  request.custom = Value(std::move(custom));
  return request;
}

}  // namespace

TEST_CASE("a key goes to its provider's own URL and to the user's, nowhere else") {
  struct Row {
    const char* provider;
    const char* base_url;
    const char* header;  // "": none is added
  };
  const Row rows[] = {
      {"openai", "http://mine/v1", "authorization: Bearer sk-0123456789"},
      {"openai", "", "authorization: Bearer sk-0123456789"},
      {"openai", "http://evil/v1", ""},
      {"openai", "http://mine/v1.evil.com", ""},
      {"anthropic", "", "x-api-key: ak-0123456789"},
      {"anthropic", "http://evil", ""},
      {"echo", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.provider);
    CAPTURE(row.base_url);
    HttpRequest wire;
    REQUIRE(Authorise(MakeEndpoints(), Model(row.provider, row.base_url), wire));
    const std::string got = wire.headers.empty() ? "" : wire.headers[0].name + ": " + wire.headers[0].value;
    CHECK(got == row.header);
    CHECK(wire.reach == Reach::kAnywhere);
  }
}

TEST_CASE("each URL of a provider has its own key and patience, and no other's") {
  Endpoints endpoints = MakeEndpoints();
  endpoints.named[{"openai", "http://a/v1"}] = {.base_url = "http://a/v1",
                                                .key = Secret("key-of-a-123"),
                                                .patience = {.timeout = std::chrono::seconds(7)}};
  endpoints.named[{"openai", "http://b/v1"}] = {.base_url = "http://b/v1", .key = Secret("key-of-b-123")};
  struct Row {
    const char* provider;
    const char* base_url;
    const char* key;  // "": none is added
    std::int64_t timeout_ms;
  };
  const Row rows[] = {
      {"openai", "http://a/v1", "Bearer key-of-a-123", 7000},
      {"openai", "http://b/v1", "Bearer key-of-b-123", 50},
      {"openai", "http://mine/v1", "Bearer sk-0123456789", 50},
      {"openai", "", "Bearer sk-0123456789", 50},
      {"openai", "http://a/v1/", "", 50},
      {"openai", "http://c/v1", "", 50},
      {"anthropic", "http://a/v1", "", 50},
  };
  endpoints.timeout = std::chrono::milliseconds(50);
  for (const Row& row : rows) {
    CAPTURE(row.provider);
    CAPTURE(row.base_url);
    HttpRequest wire;
    REQUIRE(Authorise(endpoints, Model(row.provider, row.base_url), wire));
    CHECK((wire.headers.empty() ? "" : wire.headers[0].value) == row.key);
    CHECK(wire.timeout.count() == row.timeout_ms);
  }
  endpoints.named[{"openai", "http://c/v1"}] = {
      .base_url = "http://c/v1", .key = {}, .key_variable = "KEY_OF_C"};
  HttpRequest wire;
  const Status without = Authorise(endpoints, Model("openai", "http://c/v1"), wire);
  REQUIRE_FALSE(without);
  CHECK(without.error().message.find("KEY_OF_C is not set") != std::string::npos);
  std::string text = "key-of-a-123 key-of-b-123";
  CHECK(Redactor(endpoints).Redact(text));
  CHECK(text == "[secret] [secret]");
}

TEST_CASE("an address that only a folder names is asked under no provider's name") {
  Endpoints endpoints = MakeEndpoints();
  for (const char* url : {"http://evil/v1", "http://a/v1", "http://mine/v1"})
    endpoints.untrusted.emplace("openai", url);
  endpoints.named[{"openai", "http://a/v1"}] = {.base_url = "http://a/v1", .key = {}};
  struct Row {
    const char* provider;
    const char* base_url;
    bool is_asked;
  };
  const Row rows[] = {
      {"openai", "http://evil/v1", false},
      {"OpenAI", "http://evil/v1", false},
      {"mistral", "http://evil/v1", false},
      {"openai", "http://a/v1", true},
      {"mistral", "http://a/v1", false},
      {"openai", "http://mine/v1", true},
      {"openai", "", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.provider);
    CAPTURE(row.base_url);
    HttpRequest wire;
    CHECK(Authorise(endpoints, Model(row.provider, row.base_url), wire).has_value() == row.is_asked);
  }
}

TEST_CASE("a program is asked only if the user named it, word for word") {
  struct Row {
    const char* command;
    bool is_asked;
  };
  const Row rows[] = {
      {"python3 agent.py", true}, {" python3  'agent.py' ", true}, {"python3 agent.py -v", false},
      {"python3", false},         {"python3 'agent.py ", false},   {"", false},
      {"python3agent.py", false},
  };
  Endpoints endpoints = MakeEndpoints();
  endpoints.programs = {{"other"}, {"python3", "agent.py"}};
  for (const Row& row : rows) {
    CAPTURE(row.command);
    ModelRequest request;
    request.provider = "exec";
    request.model = row.command;
    HttpRequest wire;
    const Status asked = Authorise(endpoints, request, wire);
    CHECK(asked.has_value() == row.is_asked);
    if (!asked) CHECK(asked.error().code == ErrorCode::kRefused);
  }
}

TEST_CASE("a provider without its key is not asked") {
  HttpRequest wire;
  const Status status = Authorise(MakeEndpoints(), Model("mistral", ""), wire);
  REQUIRE(!status);
  Status copy = status;
  CHECK(copy.error().message.find("MISTRAL_API_KEY") != std::string::npos);
  CHECK(Authorise(MakeEndpoints(), Model("mistral", "http://mine"), wire));
  CHECK(Authorise(MakeEndpoints(), Model("ollama", ""), wire));
}

TEST_CASE("what only a suite names reaches public hosts with granted secrets") {
  struct Row {
    const char* url;
    const char* header;
    const char* want;  // the header's value; "": refused
    Reach reach;
  };
  const Row rows[] = {
      {"https://api.example.com/x", "plain", "plain", Reach::kPublic},
      {"http://127.0.0.1:80/x", "a ${TOKEN}${TOKEN}", "a token-0123456789token-0123456789", Reach::kAnywhere},
      {"http://127.0.0.1.evil.com/x", "x", "x", Reach::kPublic},
      {"http://127.0.0.1@evil.com/x", "x", "x", Reach::kPublic},
      {"http://evil.com/@127.0.0.1", "x", "x", Reach::kPublic},
      {"http://evil.com#@127.0.0.1", "x", "x", Reach::kPublic},
      {"https://e.com", "${OPENAI_API_KEY}", "", Reach::kAnywhere},
      {"https://e.com", "${TOKEN", "${TOKEN", Reach::kPublic},
      {"https://e.com", "a\nb: c", "", Reach::kAnywhere},
  };
  for (const Row& row : rows) {
    CAPTURE(row.url);
    CAPTURE(row.header);
    HttpRequest wire;
    wire.url = row.url;
    const bool passed = Authorise(MakeEndpoints(), Model("custom", row.url, row.header), wire).has_value();
    REQUIRE(passed == (row.want[0] != '\0'));
    if (!passed) continue;
    CHECK(wire.headers.back().value == row.want);
    CHECK(wire.reach == row.reach);
  }
}

TEST_CASE("a header that a suite gives comes in the place of the protocol's own") {
  HttpRequest wire;
  wire.url = "https://e.com";
  wire.headers = {{"X", "2023-06-01"}, {"y", "kept"}};
  REQUIRE(Authorise(MakeEndpoints(), Model("custom", wire.url, "mine"), wire));
  REQUIRE(wire.headers.size() == 2);
  CHECK(wire.headers[0].name == "y");
  CHECK(wire.headers[1].value == "mine");
}

TEST_CASE("services get granted secrets; facts are checked where the user says, with the token") {
  struct Row {
    const char* url;
    HttpHeader header;
    const char* want_url;  // "": refused
    const char* want;      // the last header's value
    Reach reach;
  };
  const Row rows[] = {
      {"https://e.com/x", {"x", "${TOKEN}"}, "https://e.com/x", "token-0123456789", Reach::kPublic},
      {"http://127.0.0.1/x", {"x", "y"}, "http://127.0.0.1/x", "y", Reach::kAnywhere},
      {"https://e.com/x", {"x", "${OPENAI_API_KEY}"}, "", "", Reach::kPublic},
      {"https://e.com/x", {"x: y\r\nz", "v"}, "", "", Reach::kPublic},
      {"https://e.com/x", {"", "v"}, "", "", Reach::kPublic},
      {"factcheck:/a", {"x", "${TOKEN}"}, "http://mine/a", "fact-0123456789", Reach::kAnywhere},
  };
  Endpoints endpoints = MakeEndpoints();
  endpoints.factcheck = {.base_url = "http://mine/", .key = Secret("fact-0123456789")};
  for (const Row& row : rows) {
    CAPTURE(row.url);
    CAPTURE(row.header.value);
    HttpRequest wire{.method = "POST", .url = row.url, .headers = {row.header}, .body = ""};
    REQUIRE(Authorise(endpoints, Request(wire), wire).has_value() == (row.want_url[0] != '\0'));
    if (row.want_url[0] == '\0') continue;
    CHECK(wire.url == row.want_url);
    CHECK(wire.headers.back().value == row.want);
    CHECK(wire.reach == row.reach);
  }
  HttpRequest without{.method = "POST", .url = "factcheck:/a", .headers = {}, .body = ""};
  CHECK_FALSE(Authorise(MakeEndpoints(), Request(without), without));
}

TEST_CASE("keys that come back are blotted out") {
  std::string text = "a sk-0123456789, sk-0123456789 and token-0123456789";
  CHECK(Redactor(MakeEndpoints()).Redact(text));
  CHECK(text == "a [secret], [secret] and [secret]");
}

TEST_CASE("a key that its service refuses is read again, once for all calls that carried it") {
  using std::chrono::seconds;
  std::string in_file = "key-of-the-first-hour";
  int reads = 0;
  Endpoint endpoint{.base_url = "", .key = Secret(in_file)};
  CHECK(!endpoint.HasOtherKey(TimePoint(seconds(1)), TimePoint(seconds(2))));
  endpoint.read_key = [&]() -> Result<Secret> {
    ++reads;
    if (in_file.empty()) return Error{ErrorCode::kNotFound, "no such file"};
    return Secret(in_file);
  };
  CHECK(!endpoint.HasOtherKey(TimePoint(seconds(1)), TimePoint(seconds(2))));
  in_file.clear();
  CHECK(!endpoint.HasOtherKey(TimePoint(seconds(1)), TimePoint(seconds(2))));
  CHECK(endpoint.key.Reveal() == "key-of-the-first-hour");
  in_file = "key-of-the-second-hour";
  CHECK(endpoint.HasOtherKey(TimePoint(seconds(1)), TimePoint(seconds(10))));
  CHECK(endpoint.key.Reveal() == "key-of-the-second-hour");
  CHECK(reads == 3);
  // One that left before goes again; one that left with the new key has been told.
  CHECK(endpoint.HasOtherKey(TimePoint(seconds(9)), TimePoint(seconds(11))));
  CHECK(reads == 3);
  CHECK(!endpoint.HasOtherKey(TimePoint(seconds(11)), TimePoint(seconds(12))));
  CHECK(reads == 4);
}

TEST_CASE("the user's keys of AWS sign where he says that the service is, and are redacted") {
  Endpoints endpoints;
  endpoints.providers["bedrock"] = {
      .base_url = "http://mine",
      .key = {},
      .aws = AwsKeys{.key_id = "AKIDEXAMPLE",
                     .secret = Secret("secret-0123456789"),
                     .session = Secret("session-0123456789"),
                     .region = "us-east-1",
                     .service = "bedrock"}};
  const ModelBook models;
  const Wire wire(endpoints, models, {});
  for (const auto& [url, headers] : {std::pair("http://mine", 3), std::pair("http://evil", 0)}) {
    PreparedRequest prepared;
    prepared.request = Model("bedrock", url);
    HttpRequest request;
    request.url = fmt::format("{}/model/a/converse", url);
    CHECK(Authorise(endpoints, prepared.request, request));
    wire.Sign(prepared, 0, request);
    CHECK(static_cast<int>(request.headers.size()) == headers);
  }
  std::string text = "secret-0123456789 c2Vzc2lvbi0wMTIzNDU2Nzg5";  // the second in base64
  CHECK(Redactor(endpoints).Redact(text));
  CHECK(text == "[secret] [secret]");
}

}  // namespace assay
