// Takes current folder and home from the process, and reads the dataset of an option.
#include "engine/research_files.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace assay {

namespace fs = std::filesystem;

PathRoots RootsOfProcess() {
  std::error_code problem;
  const std::string cwd = fs::current_path(problem).string();
  const char* home = std::getenv("HOME");
  return {.matrix_folder = cwd, .cwd = cwd, .home = home == nullptr ? "" : home};
}

std::optional<research::Dataset> LoadDataset(const std::string& path, FileReader& files, SourceFiles& sources,
                                             Diagnostics& diagnostics) {
  const Result<std::string> named = ResolveOptionPath(path, RootsOfProcess());
  if (!named) {
    diagnostics.Error("research.path", named.error().message, {});
    return std::nullopt;
  }
  std::error_code problem;
  const fs::path resolved = fs::weakly_canonical(*named, problem);
  const std::string absolute = problem ? *named : resolved.string();
  Result<std::string> text = files.Read(absolute);
  if (!text) {
    diagnostics.Error("research.dataset", text.error().message, {});
    return std::nullopt;
  }
  const FileId file = sources.Add(path, std::move(*text));
  const research::TableReading tables{files, sources};
  return research::ReadDataset(file, absolute, sources.Text(file), diagnostics, false, &tables);
}

}  // namespace assay
