// Fuzzes the blueprint reader. Input: one byte of choices (YAML or JSON, the mode, a suite or fixtures), then
// the file. No text crashes it; a suite that is read is one that the rest of assay can rely on.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/errors/assert.h"
#include "dialects/blueprint/blueprint.h"
#include "spec/suite/suite.h"
#include "tests/fuzz/target.h"

namespace {

// A disk without files.
class BlueprintNoFiles final : public assay::FileReader {
 public:
  assay::Result<std::string> Read(std::string_view) override {
    return assay::Error{assay::ErrorCode::kNotFound, "no such file"};
  }
  bool Exists(std::string_view) override { return false; }
  assay::Result<std::vector<std::string>> List(std::string_view) override {
    return std::vector<std::string>();
  }
};

void CheckTree(const assay::CheckNode& node, std::size_t check_count) {
  if (node.op == assay::CheckNode::Op::kLeaf) ASSAY_ASSERT(node.check < check_count);
  for (const assay::CheckNode& child : node.children) CheckTree(child, check_count);
}

void CheckSuite(const assay::Suite& suite) {
  ASSAY_ASSERT(!suite.variants.empty() && !suite.id.empty());
  std::unordered_set<std::string> ids;
  for (const assay::Variant& variant : suite.variants) ASSAY_ASSERT(ids.insert(variant.id).second);
  ids.clear();
  for (const assay::Case& the_case : suite.cases) {
    ASSAY_ASSERT(ids.insert(the_case.id).second);
    ASSAY_ASSERT(!the_case.turns.empty() && the_case.turns.back().kind == assay::TurnKind::kGenerate);
    CheckTree(the_case.tree, the_case.checks.size());
    for (const assay::VariantIndex variant : *the_case.variants)
      ASSAY_ASSERT(variant < suite.variants.size());
  }
}

}  // namespace

FUZZ_TARGET(blueprint)(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint8_t choices = data[0];
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  assay::ReadOptions options;
  if ((choices & 1) != 0) options.compat = assay::Compat::kWeval;
  if ((choices & 2) != 0) options.models = {"echo:m"};
  const std::string path = (choices & 4) != 0 ? "t.json" : "t.yml";
  BlueprintNoFiles files;
  assay::SourceFiles sources;
  assay::Diagnostics diagnostics;
  const assay::FileId file = sources.Add(path, text);
  const assay::ReadInput input{path, options, files, sources, diagnostics};
  if ((choices & 8) != 0) {
    const auto recording = assay::ReadBlueprintFixtures(input, file, text);
    ASSAY_ASSERT(recording.has_value() != diagnostics.HasErrors());
    return 0;
  }
  assay::SniffBlueprint(path, text);
  const auto suite = assay::ReadBlueprint(input, file, text);
  ASSAY_ASSERT(suite.has_value() != diagnostics.HasErrors());
  if (suite) CheckSuite(*suite);
  assay::FormatDiagnostics(diagnostics, sources);
  return 0;
}
