// Tests of mock_web files: what is found in one, and its problems with their places.
#include "agent/web/mock_web.h"

#include <doctest/doctest.h>

#include <map>

namespace assay {
namespace {

class PageFiles final : public FileReader {
 public:
  Result<std::string> Read(std::string_view path) override {
    if (path == "web/rules.pdf") return std::string("%PDF-1.4");
    return Error{ErrorCode::kNotFound, std::string(path) + " does not exist"};
  }
  bool Exists(std::string_view) override { return false; }
  Result<std::vector<std::string>> List(std::string_view) override { return std::vector<std::string>(); }
};

std::optional<MockWeb> ReadText(std::string_view text, Diagnostics& diagnostics) {
  PageFiles files;
  SourceFiles sources;
  const FileId file = sources.Add("web/web.yaml", std::string(text));
  return ReadMockWeb({.file = file, .path = "web/web.yaml", .text = text, .files = files}, diagnostics);
}

constexpr std::string_view kWeb =
    "pages:\n"
    "  https://A.org/x/: {body: \"<p>hi\"}\n"
    "  http://a.org/gone: {status: 410, content_type: text/plain}\n"
    "  https://a.org/rules: {path: rules.pdf}\n"
    "search:\n"
    "  ladder  rules: [{title: T, url: \"https://a.org/x\", snippet: S}]\n"
    "  \"*\": []\n";

TEST_CASE("pages are found by address, results by query") {
  Diagnostics diagnostics;
  const std::optional<MockWeb> web = ReadText(kWeb, diagnostics);
  REQUIRE(web.has_value());
  CHECK(diagnostics.All().empty());
  CHECK(web->pages() == 3);
  CHECK(web->FindPage("HTTPS://a.org/x#part")->body == "<p>hi");
  CHECK(web->FindPage("https://a.org/x")->content_type == "text/html");
  CHECK(web->FindPage("http://a.org/gone")->status == 410);
  CHECK(web->FindPage("https://a.org/rules")->content_type == "application/pdf");
  CHECK(web->FindPage("https://a.org/other") == nullptr);
  CHECK(web->FindPage("file:///etc/passwd") == nullptr);
  CHECK(web->Search(" ladder rules ")->size() == 1);
  CHECK(web->Search("anything")->empty());
}

TEST_CASE("without a star an unknown query was not recorded, and other contents are another source") {
  Diagnostics diagnostics;
  const std::optional<MockWeb> web = ReadText("search: {a: []}", diagnostics);
  REQUIRE(web.has_value());
  CHECK_FALSE(web->Search("b").has_value());
  CHECK(web->source() == ReadText("search: {a: []}", diagnostics)->source());
  CHECK(web->source() != ReadText("search: {c: []}", diagnostics)->source());
  CHECK(web->source().size() == std::string_view("mock_web:").size() + 12);
}

TEST_CASE("what is wrong is told where it stands") {
  struct Row {
    std::string_view text;
    std::string_view message;
  };
  const Row rows[] = {{"[]", "one mapping"},
                      {"", "one mapping"},
                      {"a: 1\n---\nb: 2", "one mapping"},
                      {"pages: []", "mapping of addresses"},
                      {"pages: {nowhere: {body: x}}", "begins with http://"},
                      {"pages: {\"file:///etc/passwd\": {body: x}}", "begins with http://"},
                      {"pages: {\"http://a/b\": text}", "body or path"},
                      {"pages: {\"http://a/b\": {body: x, path: y}}", "found both"},
                      {"pages: {\"http://a/b\": {body: 3}}", "a text as body"},
                      {"pages: {\"http://a/b\": {path: gone.html}}", "cannot be read"},
                      {"pages: {\"http://a/b\": {status: 99}}", "a status from"},
                      {"pages: {\"http://a/b\": {status: ok}}", "a status from"},
                      {"pages: {\"http://a/b\": {}, \"http://a/b/\": {}}", "there already"},
                      {"search: {a: {}}", "a list of results"},
                      {"search: {a: [x]}", "a result with title"}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Diagnostics diagnostics;
    CHECK_FALSE(ReadText(row.text, diagnostics).has_value());
    REQUIRE(diagnostics.ErrorCount() == 1);
    CHECK(diagnostics.All()[0].message.find(row.message) != std::string::npos);
  }
  Diagnostics warned;
  CHECK(ReadText("page: {}\nsearch: {a: [{titel: x}]}", warned).has_value());
  CHECK(warned.WarningCount() == 2);
  CHECK(warned.All()[0].hint == "did you mean \"pages\"?");
}

}  // namespace
}  // namespace assay
