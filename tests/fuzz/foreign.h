// Fuzzes a reader of another format. Input: the file, and behind a zero byte what every other file that it
// names holds. No text crashes it; a suite comes back exactly where there is no error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/errors/assert.h"
#include "dialects/dialect.h"
#include "spec/suite/suite.h"

namespace assay::fuzz {

// A disk on which every name is the same file.
class OneFile final : public FileReader {
 public:
  explicit OneFile(std::string text) : text_(std::move(text)) {}
  Result<std::string> Read(std::string_view) override { return text_; }
  bool Exists(std::string_view) override { return true; }
  Result<std::vector<std::string>> List(std::string_view) override {
    return std::vector<std::string>{"a.yaml"};
  }

 private:
  std::string text_;
};

inline void CheckForeignSuite(const Suite& suite) {
  std::unordered_set<std::string> ids;
  for (const Case& the_case : suite.cases) {
    ASSAY_ASSERT(ids.insert(the_case.id).second);
    ASSAY_ASSERT(!the_case.turns.empty() && the_case.turns.back().kind == TurnKind::kGenerate);
    for (const Check& check : the_case.checks) {
      for (const JudgeIndex judge : *check.judges) ASSAY_ASSERT(judge < suite.named_judges.size());
    }
  }
}

inline int ReadForeignFile(std::string_view dialect, std::string_view path, const std::uint8_t* data,
                           std::size_t size) {
  const std::string all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = all.find('\0');
  const std::string text = all.substr(0, end);
  OneFile files(end == std::string::npos ? "" : all.substr(end + 1));
  ReadOptions options;
  options.models = {"echo:m"};
  SourceFiles sources;
  Diagnostics diagnostics;
  const FileId file = sources.Add(std::string(path), text);
  const ReadInput input{std::string(path), options, files, sources, diagnostics};
  const DialectRow* row = FindDialect(dialect);
  row->reader.sniff(path, text);
  const std::optional<Suite> suite = row->reader.read(input, file, sources.Text(file));
  ASSAY_ASSERT(suite.has_value() != diagnostics.HasErrors());
  if (suite) CheckForeignSuite(*suite);
  FormatDiagnostics(diagnostics, sources);
  return 0;
}

}  // namespace assay::fuzz
