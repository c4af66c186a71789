// Looks in the current folder and those above it for the files that version managers read
// (rust-toolchain.toml, .nvmrc and the like).
#include "engine/open/version_files.h"

#include <cstdlib>
#include <filesystem>

namespace assay {

namespace {

struct VersionFileRow {
  std::string_view name;
  std::string_view languages;  // with blanks around each; "": all
};
constexpr VersionFileRow kRows[] = {
    {".tool-versions", ""},
    {"mise.toml", ""},
    {".mise.toml", ""},
    {".python-version", " python "},
    {"rust-toolchain.toml", " rust "},
    {"rust-toolchain", " rust "},
    {"global.json", " csharp "},
    {".nvmrc", " javascript typescript "},
    {".node-version", " javascript typescript "},
    {".ruby-version", " ruby "},
    {".java-version", " java "},
    {".sdkmanrc", " java "},
    {".go-version", " go "},
    {".php-version", " php "},
};

bool IsAbout(const VersionFileRow& row, std::string_view language) {
  return row.languages.empty() ||
         row.languages.find(" " + std::string(language) + " ") != std::string_view::npos;
}

}  // namespace

std::vector<std::string> IgnoredVersionFiles(std::string_view language, const std::string& folder,
                                             const std::string& home) {
  std::vector<std::string> found;
  for (std::filesystem::path at = folder; at.has_relative_path() && at != home; at = at.parent_path()) {
    for (const VersionFileRow& row : kRows) {
      std::error_code error;
      if (IsAbout(row, language) && std::filesystem::is_regular_file(at / row.name, error))
        found.push_back((at / row.name).native());
    }
  }
  return found;
}

std::vector<std::string> IgnoredVersionFiles(std::string_view language) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::current_path(error);
  const char* home = std::getenv("HOME");
  if (error) return {};
  return IgnoredVersionFiles(language, folder.native(), home == nullptr ? "" : home);
}

}  // namespace assay
