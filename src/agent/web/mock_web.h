// MockWeb: a simulated web in one file, pages by address and search results by query, for cases of source
// provider mock_web.
//   pages:
//     https://example.org/rules: {status: 200, content_type: text/html, body: "<p>...", or path: rules.html}
//   search:
//     ladder rules: [{title: Rules, url: https://example.org/rules, snippet: At most 4 metres}]
//     "*": []
// An address that is not there is no page, and a query that is not there finds what "*" holds; without "*"
// nothing was recorded for it. Read once, then immutable.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "spec/exchange/recording.h"

namespace assay {

struct MockPage {
  int status = 200;
  std::string content_type = "text/html";  // of a `path`: what its suffix says
  std::string body;
};

struct MockResult {
  std::string title;
  std::string url;
  std::string snippet;
};

class MockWeb {
 public:
  // By the address's one form (agent/web/addresses.h); null: there is no such page.
  const MockPage* FindPage(std::string_view url) const;
  // By the query with white space collapsed, letter case kept; nothing: neither it nor "*" is there.
  std::optional<std::span<const MockResult>> Search(std::string_view query) const;
  std::size_t pages() const { return pages_.size(); }
  // "mock_web:<12 hex digits>" of all contents: goes into keys, so that other fixtures are other answers.
  const std::string& source() const { return source_; }

 private:
  friend class MockWebReader;
  std::map<std::string, MockPage, std::less<>> pages_;
  std::map<std::string, std::vector<MockResult>, std::less<>> searches_;
  std::string source_;
};

// Answers requests for pages and searches of the variants that have such a web (null: they have none), every
// one of them: what is not there is a page that is not found. Source: each web's own.
Recording MockWebRecording(std::vector<std::shared_ptr<const MockWeb>> of_variants);

struct MockWebInput {
  FileId file;
  std::string_view path;  // of the file: a page's `path` is relative to its folder
  std::string_view text;
  FileReader& files;
};
// Nothing if there was an error ("mock_web.…", with its place). Unknown keys are warnings.
std::optional<MockWeb> ReadMockWeb(const MockWebInput& input, Diagnostics& diagnostics);

}  // namespace assay
