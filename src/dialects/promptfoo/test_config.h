// Test helper: configs with their files in memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/promptfoo/expand/expand.h"
#include "dialects/promptfoo/expand/render.h"
#include "dialects/promptfoo/read/configs.h"

namespace assay::promptfoo {

// Files by their paths, in folders.
class FolderFiles final : public FileReader {
 public:
  std::map<std::string, std::string, std::less<>> files;

  Result<std::string> Read(std::string_view path) override {
    const auto found = files.find(path);
    if (found == files.end()) return Error{ErrorCode::kNotFound, std::string(path) + " does not exist"};
    return found->second;
  }
  bool Exists(std::string_view path) override { return files.count(path) > 0; }
  Result<std::vector<std::string>> List(std::string_view path) override {
    std::string folder = path == "." ? "" : std::string(path);
    if (!folder.empty() && !folder.ends_with('/')) folder += '/';
    std::vector<std::string> names;
    for (const auto& [name, text] : files) {
      if (!name.starts_with(folder)) continue;
      std::string part = name.substr(folder.size(), name.find('/', folder.size()) - folder.size());
      if (names.empty() || names.back() != part) names.push_back(std::move(part));
    }
    if (names.empty()) return Error{ErrorCode::kNotFound, "there is no such folder"};
    return names;
  }
};

struct TestConfig {
  FolderFiles files;
  EvalOptions options;
  SourceFiles sources;
  Diagnostics diagnostics;
  std::optional<Config> config;
  std::optional<Expansion> expansion;

  explicit TestConfig(std::string text) { files.files["c.yaml"] = std::move(text); }
  ReadAccess Access() { return {files, sources, diagnostics}; }
  bool Read() {
    config = ReadConfigs({"c.yaml"}, options, Access());
    return config.has_value();
  }
  // The prompts of all cells in their order, a line each; what is wrong with one stands in its place.
  std::string Cells() {
    if (!Read()) return Problems();
    expansion = Expand(*config, options, Access());
    if (!expansion) return Problems();
    CellRenderer renderer(*config, options, files);
    std::string lines;
    for (const Row& row : expansion->rows) {
      for (const Column& column : expansion->columns) {
        if (!IsAsked(*config, *expansion, row, column)) continue;
        const RenderedCell cell = renderer.Render(*expansion, row, column);
        lines += (cell.prompt ? *cell.prompt : "error: " + cell.prompt.error().message) + "\n";
      }
    }
    return lines;
  }
  // "error promptfoo.test c.yaml:2:3: message (hint)", one line per problem.
  std::string Problems() const {
    std::string lines;
    for (const Diagnostic& problem : diagnostics.All()) {
      const LineColumn place = sources.Locate(problem.where);
      lines += std::string(SeverityName(problem.severity)) + " " + problem.code + " " +
               std::string(sources.Path(problem.where.file)) + ":" + std::to_string(place.line) + ":" +
               std::to_string(place.column) + ": " + problem.message + " (" + problem.hint + ")\n";
    }
    return lines;
  }
};

}  // namespace assay::promptfoo
