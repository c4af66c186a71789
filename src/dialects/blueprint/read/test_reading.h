// Test helper: reads a blueprint from memory and keeps its diagnostics.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "dialects/blueprint/blueprint.h"
#include "spec/suite/suite.h"

namespace assay {

class MemoryFiles final : public FileReader {
 public:
  std::map<std::string, std::string> files;

  Result<std::string> Read(std::string_view path) override {
    const auto found = files.find(std::string(path));
    if (found == files.end()) return Error{ErrorCode::kNotFound, std::string(path) + " does not exist"};
    return found->second;
  }
  bool Exists(std::string_view path) override { return files.count(std::string(path)) > 0; }
  Result<std::vector<std::string>> List(std::string_view) override { return std::vector<std::string>(); }
};

struct TestReading {
  MemoryFiles files;
  SourceFiles sources;
  Diagnostics diagnostics;
  ReadOptions options;

  ReadInput Input(const std::string& path) { return {path, options, files, sources, diagnostics}; }
  std::optional<Suite> Read(const std::string& path, const std::string& text) {
    return ReadBlueprint(Input(path), sources.Add(path, text), text);
  }
  // "code at line:column", one line per problem, in order.
  std::string Problems() const {
    std::string lines;
    for (const Diagnostic& problem : diagnostics.All()) {
      const LineColumn place = sources.Locate(problem.where);
      lines += problem.severity == Severity::kError ? "error " : "warning ";
      lines += problem.code + " " + std::to_string(place.line) + ":" + std::to_string(place.column) + "\n";
    }
    return lines;
  }
};

}  // namespace assay
