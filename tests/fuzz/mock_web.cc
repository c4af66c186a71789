// Any bytes as the file of a mocked web: it is read or refused, and what is found in it is what was written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "agent/web/mock_web.h"
#include "base/errors/assert.h"
#include "tests/fuzz/target.h"

namespace assay {
namespace {

class MockWebNoFiles final : public FileReader {
 public:
  Result<std::string> Read(std::string_view) override { return Error{ErrorCode::kNotFound, "no files here"}; }
  bool Exists(std::string_view) override { return false; }
  Result<std::vector<std::string>> List(std::string_view) override { return std::vector<std::string>(); }
};

void CheckFile(std::string_view text) {
  MockWebNoFiles files;
  SourceFiles sources;
  Diagnostics diagnostics;
  const FileId file = sources.Add("web.yaml", std::string(text));
  const std::optional<MockWeb> web = ReadMockWeb({file, "web.yaml", text, files}, diagnostics);
  ASSAY_ASSERT(web.has_value() == !diagnostics.HasErrors());
  ASSAY_ASSERT(!FormatDiagnostics(diagnostics, sources).empty() || diagnostics.All().empty());
  if (!web) return;
  ASSAY_ASSERT(web->FindPage("") == nullptr && web->FindPage("/etc/passwd") == nullptr);
  web->Search(text.substr(0, 40));
}

}  // namespace
}  // namespace assay

FUZZ_TARGET(mock_web)(const std::uint8_t* data, std::size_t size) {
  assay::CheckFile(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
