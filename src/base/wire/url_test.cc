// Tests of reading schemes and hosts of URLs, as decisions of trust need them.
#include "base/wire/url.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("schemes, however they are dressed up") {
  struct Row {
    std::string_view url;
    std::string_view scheme;
    bool is_web;
  };
  const Row rows[] = {
      {"http://a", "http", true},
      {"https://a/b?c#d", "https", true},
      {"HTTPS://a", "https", true},
      {"http:a", "http", false},
      {"http://", "http", false},
      {"http:///", "http", true},
      {" http://a", "http", false},
      {"http://a b", "http", false},
      {"http://a\n", "http", false},
      {"ht\ttp://a", "http", false},
      {"exec:touch x", "exec", false},
      {"EXEC:x", "exec", false},
      {" \x01"
       "exec:x",
       "exec", false},
      {"e\nx\te\rc:x", "exec", false},
      {"file:///etc/passwd", "file", false},
      {"a+b-c.d1:x", "a+b-c.d1", false},
      {"localhost:11434/v1", "localhost", false},
      {"1a:x", "", false},
      {"/a:b", "", false},
      {"a/b:c", "", false},
      {"[::1]:80", "", false},
      {":", "", false},
      {"", "", false},
      {"a", "", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.url);
    CHECK(SchemeOf(row.url) == row.scheme);
    CHECK(IsHttpUrl(row.url) == row.is_web);
  }
}

TEST_CASE("a service's URL has a host, and a number for its port") {
  for (const char* url :
       {"http://h", "https://u:p@h:8080/v1", "http://[::1]:80/v1", "http://h:/", "https://h/run/@cf/m"})
    CHECK_MESSAGE(IsServiceUrl(url), url);
  for (const char* url :
       {"http://u:S3/cret@h/v1", "http://", "https:///v1", "htp://h", "h:80", "http://h:8x/", ""})
    CHECK_MESSAGE(!IsServiceUrl(url), url);
  CHECK(ShownUrl("htp://u:geheim@h").find("geheim") == std::string::npos);
  CHECK(ShownUrl("htp://h").find("htp://h") != std::string::npos);
}

}  // namespace assay
