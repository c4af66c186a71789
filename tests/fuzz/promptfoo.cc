// The reader of promptfoo's configs. Input: the config, and behind a zero byte what every other file that it
// names holds. No text crashes it; a suite comes back exactly where there is no error.
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>

#include "base/errors/assert.h"
#include "dialects/dialect.h"
#include "spec/suite/suite.h"
#include "tests/fuzz/target.h"

namespace assay::fuzz {
namespace {

constexpr std::string_view kConfigName = "promptfooconfig.yaml";

// The config, and a disk on which every other name is the same file.
class ConfigFolder final : public FileReader {
 public:
  ConfigFolder(std::string config, std::string other)
      : config_(std::move(config)), other_(std::move(other)) {}
  Result<std::string> Read(std::string_view path) override { return path == kConfigName ? config_ : other_; }
  bool Exists(std::string_view) override { return true; }
  Result<std::vector<std::string>> List(std::string_view) override {
    return std::vector<std::string>{"a.txt", "b.csv"};
  }

 private:
  std::string config_;
  std::string other_;
};

void CheckConfigSuite(const Suite& suite) {
  std::unordered_set<std::string> ids;
  for (const Case& the_case : suite.cases) {
    ASSAY_ASSERT(ids.insert(the_case.id).second);
    for (const Variant& variant : suite.variants)
      ASSAY_ASSERT(variant.asking.empty() || AskingOf(the_case, variant) != nullptr);
    for (const Check& check : the_case.checks) {
      for (const JudgeIndex judge : *check.judges) ASSAY_ASSERT(judge < suite.named_judges.size());
    }
  }
}

}  // namespace

int ReadConfigFile(const std::string& all) {
  const std::size_t end = all.find('\0');
  ConfigFolder files(all.substr(0, end), end == std::string::npos ? "" : all.substr(end + 1));
  const ReadOptions options;
  SourceFiles sources;
  Diagnostics diagnostics;
  const FileId file = sources.Add(std::string(kConfigName), all.substr(0, end));
  const ReadInput input{std::string(kConfigName), options, files, sources, diagnostics};
  const DialectRow* row = FindDialect("promptfoo");
  row->reader.sniff(kConfigName, sources.Text(file));
  const std::optional<Suite> suite = row->reader.read(input, file, sources.Text(file));
  ASSAY_ASSERT(suite.has_value() != diagnostics.HasErrors());
  if (suite) CheckConfigSuite(*suite);
  FormatDiagnostics(diagnostics, sources);
  return 0;
}

}  // namespace assay::fuzz

FUZZ_TARGET(promptfoo)(const std::uint8_t* data, std::size_t size) {
  return assay::fuzz::ReadConfigFile(std::string(reinterpret_cast<const char*>(data), size));
}
