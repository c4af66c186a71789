// Splits command lines into words and hashes those that name files.
#include "engine/plan/program_inputs.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "base/text/shell_words.h"
#include "providers/provider.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

std::vector<std::string> DigestsOf(const std::string& command, const std::string& cwd, FileReader& files) {
  std::vector<std::string> digests;
  const Result<std::vector<std::string>> words = SplitWords(command);
  if (!words) return digests;
  for (const std::string& word : *words) {
    const std::string path = word.starts_with('/') ? word : fmt::format("{}/{}", cwd, word);
    if (!files.Exists(path)) continue;
    if (const Result<std::string> text = files.Read(path)) digests.push_back(Hex(Sha256Of(*text)));
  }
  return digests;
}

}  // namespace

ProgramInputs TakeProgramInputs(const std::string& cwd, FileReader& files, Suite& suite) {
  ProgramInputs inputs;
  // Null: it is no program, or names no file.
  const auto take = [&](const ModelRef& model) -> const std::vector<std::string>* {
    const ProviderRow* provider = FindProvider(model.provider);
    if (provider == nullptr || provider->route != Route::kProgram) return nullptr;
    const std::string id = fmt::format("{}:{}", model.provider, model.model);
    if (const auto known = inputs.find(id); known != inputs.end()) return &known->second;
    std::vector<std::string> digests = DigestsOf(model.model, cwd, files);
    return digests.empty() ? nullptr : &(inputs[id] = std::move(digests));
  };
  for (Variant& variant : suite.variants) {
    if (const std::vector<std::string>* digests = take(variant)) variant.inputs = *digests;
    for (const ModelRef& fallback : variant.fallbacks) take(fallback);
  }
  for (const Judge* judge : JudgesOf(suite)) take(*judge);
  return inputs;
}

}  // namespace assay
