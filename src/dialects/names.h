// Helpers that dialects share: model names with a provider, default judges, globs over case ids, and the keys
// by which suite files are told apart.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "spec/suite/model_ref.h"

namespace assay {

struct Judge;

// "openai:gpt-4o" -> {"openai", "gpt-4o"}; the provider in lower case, empty if there is no colon.
struct ModelAddress {
  std::string provider;
  std::string model;
};
ModelAddress ModelAddressOf(std::string_view id);
// Whether models of this provider are command lines of programs that the user names: those make their turns
// themselves.
bool NamesProgram(std::string_view provider);

// Says little, and the same each time, as far as a model can.
SamplingParams ParamsOfJudges();
// A judge of whom nothing is known but the model.
Judge StandardJudge(std::string_view model_id);

// Whether `text` matches `glob`: "*" is any run of characters, "?" any one byte.
bool MatchesGlob(std::string_view glob, std::string_view text);
// Whether --select (none: all) and --filter ("": all) leave the case with this id.
bool IsChosen(std::span<const std::string> selected, std::string_view filter, std::string_view id);

// Whether the text lists cases at its top, under a misspelt key too, and no prompts: InfiBench's suites do,
// and no blueprint does. By structure, in whatever form YAML or JSON has it.
bool ListsCases(std::string_view text);

}  // namespace assay
