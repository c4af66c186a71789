// Asks the programs and reads their answers.
#include "io/toolchain/toolchain.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/hash.h"
#include "io/launcher/own_program.h"
#include "io/launcher/warm_start.h"
#include "io/toolchain/remembered.h"
#include "io/toolchain/table.h"

namespace assay {

namespace {

constexpr std::string_view kSystemPath = "/usr/local/bin:/usr/bin:/bin";
constexpr std::size_t kDigestDigits = 32;

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string WithFolder(std::string_view text, const ToolchainPlaces& places) {
  constexpr std::string_view kName = "{folder}";
  const std::size_t at = text.find(kName);
  if (at == std::string_view::npos) return std::string(text);
  return fmt::format("{}{}{}", text.substr(0, at), places.folder, text.substr(at + kName.size()));
}

std::string SearchPath(const ToolchainPlaces& places) {
  if (places.folder.empty()) return places.search_path;
  return fmt::format("{0}/python/bin:{0}/node/node_modules/.bin:{0}/bin:{1}", places.folder,
                     places.search_path);
}

// A folder that would show more than a program's own tree: a home, or all that stands at the top.
bool ShowsTooMuch(const std::filesystem::path& path) {
  const auto depth = std::distance(path.begin(), path.end());  // "/" counts
  return depth <= 2 || (depth == 3 && path.parent_path() == "/home");
}

void AddOnce(std::string text, std::vector<std::string>& list) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

// Where a path leads; "" if nothing stands there. /usr is shown in any case.
void AddRoot(const std::string& path, InstalledToolchain& toolchain) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error || ShowsTooMuch(real)) return;
  if (!real.native().starts_with("/usr/")) AddOnce(real.native(), toolchain.roots);
  // A name that programs use for it is kept; what it leads to is shown above.
  const std::string named = std::filesystem::path(path).lexically_normal().native();
  if (named != real.native() && !named.starts_with("/usr/") && !ShowsTooMuch(named))
    AddOnce(named, toolchain.roots);
}

void ReadAnswer(std::string_view answer, InstalledToolchain& toolchain, std::vector<std::string>& paths) {
  for (const std::string& line : Split(answer, '\n')) {
    const std::size_t blank = std::min(line.find(' '), line.size() - 1);
    const std::string word = line.substr(0, blank);
    std::string rest = line.substr(blank + 1);
    if (word == "version") {
      toolchain.version = std::move(rest);
    } else if (word == "root") {
      AddRoot(rest, toolchain);
    } else if (word == "path") {
      AddOnce(std::move(rest), paths);
    } else if (word == "package") {
      toolchain.packages.push_back(std::move(rest));
    } else if (word == "absent") {
      toolchain.absent.push_back(std::move(rest));
    }
  }
}

// What stands below another root is shown with it.
void DropNested(std::vector<std::string>& roots) {
  std::sort(roots.begin(), roots.end());
  std::vector<std::string> outer;
  for (std::string& root : roots) {
    if (outer.empty() || !root.starts_with(outer.back() + "/")) outer.push_back(std::move(root));
  }
  roots = std::move(outer);
}

// What can change what a program says.
std::string DigestOf(const InstalledToolchain& toolchain, std::string_view environment) {
  Sha256 hash;
  const auto add = [&hash](std::string_view text) {
    hash.Update(text);
    hash.Update(std::string_view("\0", 1));
  };
  add(toolchain.name);
  add(toolchain.version);
  add(environment);
  for (const std::string& package : toolchain.packages) add(package);
  for (const std::string& package : toolchain.absent) add("absent " + package);
  return HexPrefix(hash.Finish(), kDigestDigits);
}

// What programs of the toolchain write and nobody has made is left to the toolchain's own default, below the
// program's HOME: it could not be made where it is missing.
bool HasScratch(const ToolchainRow& row, const ToolchainPlaces& places) {
  std::error_code error;
  return !places.folder.empty() && !row.scratch.empty() &&
         std::filesystem::is_directory(WithFolder(row.scratch, places), error);
}

void AddEnvironment(const ToolchainRow& row, const ToolchainPlaces& places, InstalledToolchain& toolchain) {
  for (const std::string& pair : Split(row.environment, ' ')) {
    if (places.folder.empty() && pair.find("{folder}") != std::string::npos) continue;
    if (!row.scratch.empty() && pair.ends_with(row.scratch) && !HasScratch(row, places)) continue;
    const std::size_t equals = pair.find('=');
    toolchain.environment.emplace_back(pair.substr(0, equals), WithFolder(pair.substr(equals + 1), places));
  }
}

// Stand-ins that start warm come before the programs themselves. Where there are none, the path is the same.
void AddWarmStart(const std::string& folder, const std::string& search_path, InstalledToolchain& toolchain,
                  std::vector<std::string>& paths) {
  toolchain.warm_start = FindWarmStart(folder, search_path);
  if (toolchain.warm_start == WarmStart::kOutdated) return;
  AddRoot(folder, toolchain);
  paths.insert(paths.begin(), folder + "/bin");
}

std::string Joined(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : " ").append(name);
  return text;
}

// What the answer stands on, beside the programs: everything that it says it looked at.
std::vector<std::string> StandsOn(const ToolchainRow& row, const std::string& search_path,
                                  std::vector<std::string> chosen_by, std::string_view answer) {
  std::vector<std::string> paths = std::move(chosen_by);
  for (const std::string& program : Split(row.programs, ' '))
    AddOnce(FindProgram(program, search_path), paths);
  for (const std::string& line : Split(answer, '\n')) {
    for (const std::string_view word : {"watch ", "root "}) {
      if (line.starts_with(word)) AddOnce(line.substr(word.size()), paths);
    }
  }
  return paths;
}

// Version managers put scripts in the place of programs. These choose by a file in the current folder or one
// above it, else by `version` in their own.
struct ShimRow {
  std::string_view folder;
  std::string_view file;
};
constexpr ShimRow kShims[] = {{"/.pyenv/shims/", ".python-version"},
                              {"/.rbenv/shims/", ".ruby-version"},
                              {"/.nodenv/shims/", ".node-version"}};

bool AddShim(const std::string& program, std::vector<std::string>& files) {
  for (const ShimRow& row : kShims) {
    const std::size_t at = program.find(row.folder);
    if (at == std::string::npos) continue;
    AddOnce(program.substr(0, program.find("/shims/", at)) + "/version", files);
    std::error_code error;
    std::filesystem::path folder = std::filesystem::current_path(error);
    for (; !error && !folder.empty(); folder = folder.parent_path()) {
      AddOnce((folder / row.file).native(), files);
      if (folder == folder.root_path()) break;
    }
    return !error;
  }
  return false;
}

// The files by which scripts in the place of the programs choose; nothing if nobody knows them.
std::optional<std::vector<std::string>> ChosenBy(const ToolchainRow& row, const std::string& search_path,
                                                 const std::string& asked) {
  std::vector<std::string> files;
  std::vector<std::string> programs = {asked};
  for (const std::string& name : Split(row.programs, ' ')) programs.push_back(FindProgram(name, search_path));
  for (const std::string& program : programs) {
    if (program.find("/shims/") != std::string::npos && !AddShim(program, files)) return std::nullopt;
  }
  std::ifstream file(asked);
  const bool is_script = file.get() == '#' && file.get() == '!';
  return is_script && files.empty() ? std::nullopt : std::optional(std::move(files));
}

using Environment = std::vector<std::pair<std::string, std::string>>;

std::string KeyOf(const ToolchainRow& row, const std::string& search_path, const Environment& environment,
                  const std::vector<std::string>& argv, const std::vector<std::string>& chosen_by) {
  Sha256 hash;
  const auto add = [&hash](std::string_view text) {
    hash.Update(text);
    hash.Update(std::string_view("\0", 1));
  };
  for (const std::string& word : argv) add(word);
  for (const std::string& path : chosen_by) add(path);
  for (const auto& [name, value] : environment) add(fmt::format("{}={}", name, value));
  for (const std::string& program : Split(row.programs, ' ')) add(FindProgram(program, search_path));
  return HexPrefix(hash.Finish(), kDigestDigits);
}

// What the toolchain says of itself, now or as it was kept.
Result<std::string> Ask(const ToolchainRow& row, const ToolchainPlaces& places,
                        const std::string& search_path, const Environment& environment) {
  std::vector<std::string> argv = Split(row.asked, ' ');
  argv[0] = FindProgram(argv[0], search_path + ":/bin");
  argv.emplace_back(row.script);
  if (places.memory.empty()) return RunOwnProgram(argv, environment);
  std::optional<std::vector<std::string>> chosen_by = ChosenBy(row, search_path, argv[0]);
  if (!chosen_by) return RunOwnProgram(argv, environment);
  const std::string key = KeyOf(row, search_path, environment, argv, *chosen_by);
  if (std::optional<std::string> kept = RememberedAnswer(places.memory, key)) return *std::move(kept);
  ASSAY_TRY(std::string answer, RunOwnProgram(argv, environment));
  RememberAnswer(places.memory, key, answer, StandsOn(row, search_path, *std::move(chosen_by), answer));
  return answer;
}

Result<InstalledToolchain> Probe(const ToolchainRow& row, const ToolchainPlaces& places,
                                 std::span<const std::string_view> packages) {
  const std::string search_path = SearchPath(places);
  for (const std::string& program : Split(row.programs, ' ')) {
    if (FindProgram(program, search_path).empty()) {
      return Error{ErrorCode::kNotFound, fmt::format("{} is not installed: there is no program {} ({})",
                                                     row.name, program, row.install)};
    }
  }
  InstalledToolchain toolchain;
  toolchain.name = row.name;
  AddEnvironment(row, places, toolchain);
  Environment environment = toolchain.environment;
  environment.emplace_back("PATH", search_path);
  environment.emplace_back("LANG", "C.UTF-8");
  environment.emplace_back("HOME", places.home);
  environment.emplace_back("ASSAY_PACKAGES", Joined(packages));
  ASSAY_TRY(const std::string answer, Ask(row, places, search_path, environment));
  std::vector<std::string> paths;
  ReadAnswer(answer, toolchain, paths);
  if (!places.folder.empty())
    AddWarmStart(fmt::format("{}/warm/{}", places.folder, row.name), search_path, toolchain, paths);
  DropNested(toolchain.roots);
  if (toolchain.version.empty())
    return Error{ErrorCode::kNotFound,
                 fmt::format("{} does not say its version ({})", row.name, row.install)};
  std::string path;
  for (const std::string& each : paths) path += each + ":";
  toolchain.environment.emplace_back("PATH", path + std::string(kSystemPath));
  toolchain.environment.emplace_back("LANG", "C.UTF-8");
  if (HasScratch(row, places)) toolchain.scratch_roots.push_back(WithFolder(row.scratch, places));
  toolchain.digest = DigestOf(toolchain, row.environment);
  return toolchain;
}

}  // namespace

Result<InstalledToolchain> ProbeToolchain(std::string_view name, const ToolchainPlaces& places,
                                          std::span<const std::string_view> packages) {
  for (const ToolchainRow& row : ToolchainTable()) {
    if (row.name == name) return Probe(row, places, packages);
  }
  return Error{ErrorCode::kInvalidInput, fmt::format("no toolchain is named {}", name)};
}

std::vector<std::string_view> ToolchainNames() {
  std::vector<std::string_view> names;
  for (const ToolchainRow& row : ToolchainTable()) names.push_back(row.name);
  return names;
}

}  // namespace assay
