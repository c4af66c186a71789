// Tests of signed requests, by the example keys of AWS and the signatures that it states for them.
#include "run/wire/signed/aws_signature.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

constexpr std::int64_t kMoment = 1'440'938'160'000;  // 2015-08-30T12:36:00Z

AwsKeys Keys() {
  return {.key_id = "AKIDEXAMPLE",
          .secret = Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
          .region = "us-east-1",
          .service = "service"};
}

std::string HeaderOf(const HttpRequest& request, std::string_view name) {
  for (const HttpHeader& header : request.headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

std::string SignatureOf(const HttpRequest& request) {
  const std::string header = HeaderOf(request, "authorization");
  constexpr std::string_view kMark = "Signature=";
  return header.substr(header.find(kMark) + kMark.size());
}

HttpRequest Asked(std::string method, std::string url) {
  HttpRequest request;
  request.method = std::move(method);
  request.url = std::move(url);
  return request;
}

TEST_CASE("requests are signed as the published examples are") {
  struct Row {
    const char* method;
    const char* url;
    const char* signature;
  };
  constexpr Row kRows[] = {
      {"GET", "https://example.amazonaws.com/",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"GET", "https://example.amazonaws.com:443",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"POST", "https://example.amazonaws.com/",
       "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.url);
    HttpRequest request = Asked(row.method, row.url);
    SignForAws(Keys(), kMoment, request);
    CHECK(HeaderOf(request, "x-amz-date") == "20150830T123600Z");
    CHECK(SignatureOf(request) == row.signature);
    CHECK(HeaderOf(request, "authorization")
              .starts_with("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                           "SignedHeaders=host;x-amz-date, "));
  }
}

TEST_CASE("the region is the host's where it names one, also in a network of one's own") {
  HttpRequest own =
      Asked("POST", "https://vpce-0a1b-2c.bedrock-runtime.us-west-2.vpce.amazonaws.com/model/a/converse");
  SignForAws(Keys(), kMoment, own);
  CHECK(HeaderOf(own, "authorization").find("/20150830/us-west-2/service/") != std::string::npos);
  HttpRequest request = Asked("POST", "https://bedrock-runtime.eu-west-3.amazonaws.com/model/a/converse");
  SignForAws(Keys(), kMoment, request);
  CHECK(HeaderOf(request, "authorization").find("/20150830/eu-west-3/service/") != std::string::npos);
}

TEST_CASE("a port that is not the scheme's own is part of the host") {
  const auto signature_of = [](std::string url) {
    HttpRequest request = Asked("GET", std::move(url));
    SignForAws(Keys(), kMoment, request);
    return SignatureOf(request);
  };
  CHECK(signature_of("http://example.amazonaws.com:80/") == signature_of("http://example.amazonaws.com/"));
  CHECK(signature_of("http://example.amazonaws.com:443/") != signature_of("http://example.amazonaws.com/"));
  CHECK(signature_of("https://example.amazonaws.com:80/") != signature_of("https://example.amazonaws.com/"));
}

TEST_CASE("all of a request is signed, its time and a lent key's token too; escapes are escaped once more") {
  const auto signature_of = [](auto change) {
    AwsKeys keys = Keys();
    HttpRequest request = Asked("POST", "http://127.0.0.1:8080/model/a%3A0/converse");
    request.headers.push_back({"content-type", " application/json "});
    request.body = "{}";
    std::int64_t now = kMoment;
    change(keys, request, now);
    SignForAws(keys, now, request);
    return SignatureOf(request);
  };
  const std::string plain = signature_of([](AwsKeys&, HttpRequest&, std::int64_t&) {});
  CHECK(plain == "e6611ea0a0cc3122d6f7c38f1dbb77a69fb8334e27bc0529ff4952bb78b1feed");
  CHECK(signature_of([](AwsKeys& keys, HttpRequest&, std::int64_t&) { keys.session = Secret("token-1"); }) ==
        "9a10b70ad364d881ba4985e5cb98a261a42aad3822d4ebcee058cd2ba6cf9698");
  CHECK(signature_of([](AwsKeys&, HttpRequest& request, std::int64_t&) { request.body = "{} "; }) != plain);
  CHECK(signature_of([](AwsKeys&, HttpRequest& request, std::int64_t&) { request.url += "?a=1"; }) != plain);
  CHECK(signature_of([](AwsKeys&, HttpRequest&, std::int64_t& now) { now += 1'000; }) != plain);
  CHECK(signature_of([](AwsKeys& keys, HttpRequest&, std::int64_t&) { keys.region = "eu-west-1"; }) != plain);
}

}  // namespace
}  // namespace assay
