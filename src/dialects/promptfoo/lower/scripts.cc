// Follows the imports of scripts.
#include "dialects/promptfoo/lower/scripts.h"

#include <fmt/core.h>

#include <algorithm>

#include "dialects/promptfoo/read/paths.h"
#include "text/script/modules.h"

namespace assay::promptfoo {
namespace {

constexpr std::size_t kFilesMax = 1000;
constexpr std::size_t kBytesMax = 4u << 20;  // of one file

}  // namespace

bool ScriptCollector::AddFile(const std::string& path, Span where) {
  const bool is_outside = path.starts_with("../") || path.starts_with('/');
  if (is_outside) {
    diagnostics_.Error("promptfoo.script",
                       fmt::format("{}: scripts lie in the config's folder", Quoted(path)), where,
                       "move the file below the config");
    return false;
  }
  if (!files_.Exists(folder_ + path)) return false;
  if (!known_.insert(path).second) return true;
  Result<std::string> source = files_.Read(folder_ + path);
  const bool is_too_much = source && (source->size() > kBytesMax || scripts_.size() >= kFilesMax);
  if (!source || is_too_much) {
    diagnostics_.Error("promptfoo.script",
                       source ? fmt::format("{}: more than {} scripts, or one of more than {} bytes", path,
                                            kFilesMax, kBytesMax)
                              : fmt::format("{}: {}", path, source.error().message),
                       where, "name files of JavaScript from the config's folder");
    return true;
  }
  const std::vector<std::string> imports = RelativeImports(*source);
  scripts_.push_back({.path = path, .source = *std::move(source)});
  for (const std::string& name : imports) {
    const std::vector<std::string> candidates = ImportedPaths(ImportedPath(path, name));
    const bool is_there =
        std::any_of(candidates.begin(), candidates.end(),
                    [&](const std::string& candidate) { return AddFile(candidate, where); });
    if (!is_there)
      diagnostics_.Error("promptfoo.script",
                         fmt::format("{} imports {}, which is not there", path, Quoted(name)), where,
                         "scripts import files beside them, and no packages");
  }
  return true;
}

std::string ScriptCollector::Add(const std::string& named, Span where) {
  CodePath code = CodePathOf(WithoutFilePrefix(named));
  code.path = JoinedPath("", code.path);
  if (!AddFile(code.path, where) && !code.path.starts_with("../") && !code.path.starts_with('/'))
    diagnostics_.Error("promptfoo.script", fmt::format("{} does not exist", code.path), where,
                       "name a file from the config's folder");
  return fmt::format("{}{}{}{}", kFilePrefix, code.path, code.function.empty() ? "" : ":", code.function);
}

}  // namespace assay::promptfoo
