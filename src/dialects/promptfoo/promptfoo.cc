// Recognises promptfoo's configs, and reads them into Suites.
#include "dialects/promptfoo/promptfoo.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "dialects/promptfoo/lower/suite.h"
#include "dialects/promptfoo/own_options.h"
#include "dialects/promptfoo/read/configs.h"
#include "dialects/promptfoo/read/paths.h"
#include "spec/suite/suite.h"
#include "text/yaml/keys.h"

namespace assay {
namespace {

constexpr int kSureByName = 99;
constexpr int kSure = 97;

// "promptfooconfig" for "a/promptfooconfig.yaml".
std::string StemOf(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return std::string(path.substr(0, path.find('.')));
}

// The name of the folder for a config of the usual name, as all of them have it.
std::string SuiteId(std::string_view path, std::string_view cwd) {
  const std::string stem = StemOf(path);
  if (stem != "promptfooconfig") return stem;
  std::string folder =
      promptfoo::FolderOf(path.starts_with('/') ? std::string(path) : fmt::format("{}/{}", cwd, path));
  folder.pop_back();
  const std::string name = folder.substr(folder.rfind('/') + 1);
  return name.empty() || name == "." || name == ".." ? stem : name;
}

}  // namespace

GradingRules PromptfooGradingRules(Compat compat) {
  const bool like_theirs = compat == Compat::kPromptfoo;
  return {.nan_is_score = like_theirs, .original_accidents = like_theirs};
}

int SniffPromptfoo(std::string_view path, std::string_view text) {
  const bool may_be = path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
  if (!may_be) return 0;
  const std::vector<std::string> keys = TopLevelKeys(text.substr(0, kSniffedBytesMax));
  const auto has = [&keys](std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  const bool asks = has("providers") || has("targets");
  const bool is_config = asks && (has("prompts") || has("tests") || has("scenarios") || has("defaultTest"));
  if (!is_config) return 0;
  return StemOf(path) == "promptfooconfig" ? kSureByName : kSure;
}

std::optional<Suite> ReadPromptfoo(const ReadInput& input, FileId file, std::string_view text) {
  const promptfoo::EvalOptions options = promptfoo::EvalOptionsOf(input);
  std::optional<promptfoo::Config> config = promptfoo::ReadConfigs(
      promptfoo::ConfigPathsOf(input), options, {input.files, input.sources, input.diagnostics});
  if (!config) return std::nullopt;
  std::optional<Suite> suite = promptfoo::LowerConfig(*std::move(config), options, input);
  if (!suite) return std::nullopt;
  suite->id = SuiteId(input.path, input.options.cwd);
  if (suite->title.empty()) suite->title = suite->id;
  suite->span = {file, 0, 0};
  suite->files.push_back({.path = input.path, .file = file, .sha256 = Hex(Sha256Of(text))});
  return suite;
}

}  // namespace assay
