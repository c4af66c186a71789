// Reads lines of NAME=VALUE.
#include "dialects/promptfoo/read/environment_files.h"

#include <fmt/core.h>

#include <algorithm>

#include "text/javascript/text.h"

namespace assay::promptfoo {

namespace {

// NAME=VALUE lines, as .env files have them.
void ReadDotEnv(std::string_view text, Environment& environment) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = JsTrim(text.substr(at, end - at));
    at = end + 1;
    if (line.starts_with("export ")) line = JsTrim(line.substr(7));
    const std::size_t equals = line.find('=');
    if (line.starts_with('#') || equals == std::string_view::npos) continue;
    const std::string name(JsTrim(line.substr(0, equals)));
    std::string_view value = JsTrim(line.substr(equals + 1));
    const bool is_quoted =
        value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
    if (is_quoted) {
      value = value.substr(1, value.size() - 2);
    } else if (const std::size_t comment = value.find(" #"); comment != std::string_view::npos) {
      value = JsTrim(value.substr(0, comment));
    }
    environment.emplace(name, value);  // what the process says stands
  }
}

}  // namespace

void ReadEnvironmentFiles(const std::string& config_folder, FileReader& files, Diagnostics& diagnostics,
                          EvalOptions& options) {
  if (options.has_environment_files) return;
  options.has_environment_files = true;
  for (const std::string& path : options.env_files) {
    if (const Result<std::string> text = files.Read(path)) {
      ReadDotEnv(*text, options.environment);
    } else {
      diagnostics.Error("promptfoo.file", fmt::format("--env-file: {}", text.error().message), {},
                        "name a file of lines NAME=VALUE");
    }
  }
  if (!options.env_files.empty()) return;
  for (const std::string& folder : {options.folder, config_folder}) {
    const std::string path = folder + ".env";
    if (!files.Exists(path)) continue;
    if (const Result<std::string> text = files.Read(path)) ReadDotEnv(*text, options.environment);
  }
}

}  // namespace assay::promptfoo
