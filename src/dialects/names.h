// Names that dialects share: models and globs over case ids of the command line, and the keys that tell files
// apart.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// "openai:gpt-4o" -> {"openai", "gpt-4o"}; the provider in lower case, empty if there is no colon.
struct ModelAddress {
  std::string provider;
  std::string model;
};
ModelAddress ModelAddressOf(std::string_view id);

// Whether `text` matches `glob`: "*" is any run of characters, "?" any one byte.
bool MatchesGlob(std::string_view glob, std::string_view text);

// Whether the text lists cases at its top, and no prompts: InfiBench's suites do, and no blueprint does. By
// structure, in whatever form YAML or JSON has it.
bool ListsCases(std::string_view text);

}  // namespace assay
