// Chooses the folders that a toolchain's programs may see while they are asked: the trees (bin/ beside lib/)
// in which those programs and the targets of their links stand.
#include "io/toolchain/question.h"

#include <fmt/core.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "io/launcher/own_program.h"

namespace assay {

namespace {

namespace fs = std::filesystem;

constexpr int kLinksMost = 40;

// Version managers put something in the place of programs that chooses one of several. They choose by the
// variable of a shell, by a file in the current folder or above it (for us that is "/"), else by one of their
// own.
struct ManagerRow {
  std::string_view part;       // of the program's path; what stands before it is the prefix
  std::string_view shown;      // below the prefix, with blanks between
  std::string_view chosen_by;  // below the prefix
  std::string_view variable;   // that names its folder, where HOME does not tell: NAME=below the prefix
};
constexpr ManagerRow kManagers[] = {
    {"/.pyenv/shims/", ".pyenv", ".pyenv/version", ""},
    {"/.rbenv/shims/", ".rbenv", ".rbenv/version", ""},
    {"/.nodenv/shims/", ".nodenv", ".nodenv/version", ""},
    {"/.cargo/bin/", ".cargo/bin .rustup", ".rustup/settings.toml", ""},
    {"/cargo/bin/", "cargo/bin rustup", "rustup/settings.toml", "RUSTUP_HOME=rustup"},
    {"/.asdf/shims/", ".asdf .tool-versions .asdfrc", ".tool-versions", ""},
    {"/.local/share/mise/shims/", ".local/share/mise .local/bin/mise .config/mise .tool-versions",
     ".config/mise/config.toml", ""},
    {"/.volta/bin/", ".volta", ".volta/tools/user/platform.json", ""},
};

// A folder that would show more than a program's own tree: a home, or all that stands at the top.
bool ShowsTooMuch(const fs::path& path) {
  const auto depth = std::distance(path.begin(), path.end());  // "/" counts
  constexpr std::string_view kShared[] = {"/home", "/var", "/dev"};
  return depth <= 2 || (depth == 3 && std::find(std::begin(kShared), std::end(kShared),
                                                path.parent_path().native()) != std::end(kShared));
}

bool IsShownAnyway(std::string_view path) {
  constexpr std::string_view kSystem[] = {"/usr/", "/bin/",   "/sbin/",
                                          "/lib/", "/lib64/", "/etc/alternatives/"};
  return std::any_of(std::begin(kSystem), std::end(kSystem),
                     [path](std::string_view each) { return path.starts_with(each); });
}

// The tree in which a program stands; the program alone where its folder is somebody's own.
fs::path TreeOf(const fs::path& program) {
  constexpr std::string_view kFolders[] = {"bin", "libexec", "shims", "condabin"};
  const fs::path folder = program.parent_path();
  const bool is_tree = std::find(std::begin(kFolders), std::end(kFolders), folder.filename().native()) !=
                       std::end(kFolders);
  const fs::path tree = folder.parent_path();
  return is_tree && !ShowsTooMuch(tree) && tree.filename() != ".local" ? tree : program;
}

// A virtual environment names the interpreter that it stands on.
void AddBase(const fs::path& tree, std::vector<std::string>& roots) {
  constexpr std::string_view kName = "home = ";
  std::ifstream settings(tree / "pyvenv.cfg");
  for (std::string line; std::getline(settings, line);) {
    if (line.starts_with(kName))
      AddRoot(TreeOf(fs::path(line.substr(kName.size())) / "python3").native(), roots);
  }
}

void AddTrees(const std::string& program, std::vector<std::string>& roots) {
  std::error_code error;
  fs::path hop = program;
  for (int i = 0; i < kLinksMost; ++i) {
    const fs::path tree = TreeOf(hop);
    AddRoot(tree.native(), roots);
    AddBase(tree, roots);
    const fs::path target = fs::read_symlink(hop, error);
    if (error) return;
    hop = (hop.parent_path() / target).lexically_normal();
  }
}

// False: no manager that is known stands behind it.
bool AddManager(const std::string& program, ToolchainQuestion& question) {
  for (const ManagerRow& row : kManagers) {
    const std::size_t at = program.find(row.part);
    if (at == std::string::npos) continue;
    question.home = program.substr(0, at);
    const std::string prefix = question.home + "/";
    for (const std::string& each : SplitWords(row.shown, ' ')) AddRoot(prefix + each, question.roots);
    AddOnce(prefix + std::string(row.chosen_by), *question.chosen_by);
    const std::size_t equals = row.variable.find('=');
    if (equals != std::string_view::npos)
      question.environment.emplace_back(row.variable.substr(0, equals),
                                        prefix + std::string(row.variable.substr(equals + 1)));
    return true;
  }
  return false;
}

bool IsScript(const std::string& program) {
  std::ifstream file(program);
  return file.get() == '#' && file.get() == '!';
}

}  // namespace

std::vector<std::string> SplitWords(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void AddBeside(std::string_view patterns, std::vector<std::string>& roots) {
  for (const std::string& pattern : SplitWords(patterns, ' ')) {
    glob_t found{};
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
      for (std::size_t i = 0; i < found.gl_pathc; ++i) AddRoot(found.gl_pathv[i], roots);
    }
    globfree(&found);
  }
}

void DropNested(std::vector<std::string>& roots) {
  std::sort(roots.begin(), roots.end());
  std::vector<std::string> outer;
  for (std::string& root : roots) {
    if (outer.empty() || !root.starts_with(outer.back() + "/")) outer.push_back(std::move(root));
  }
  roots = std::move(outer);
}

void AddOnce(std::string text, std::vector<std::string>& list) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

void AddRoot(const std::string& path, std::vector<std::string>& roots) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error || ShowsTooMuch(real)) return;
  if (!IsShownAnyway(real.native())) AddOnce(real.native(), roots);
  // A name that programs use for it is kept; what it leads to is shown above.
  const std::string named = fs::path(path).lexically_normal().native();
  if (named != real.native() && !IsShownAnyway(named) && !ShowsTooMuch(named)) AddOnce(named, roots);
}

ToolchainQuestion QuestionOf(const ToolchainRow& row, const ToolchainPlaces& places,
                             const std::string& search_path,
                             std::vector<std::pair<std::string, std::string>> environment) {
  ToolchainQuestion question{.argv = SplitWords(row.asked, ' '),
                             .environment = std::move(environment),
                             .home = {},
                             .roots = {},
                             .used = {},
                             .chosen_by = std::vector<std::string>()};
  question.argv[0] = FindProgram(question.argv[0], search_path + ":/bin");
  question.argv.emplace_back(row.script);
  bool is_known = true;
  std::vector<std::string> programs = {question.argv[0]};
  for (const std::string& name : SplitWords(row.programs, ' '))
    AddOnce(FindProgram(name, search_path), programs);
  for (const std::string& program : programs) {
    AddOnce(program, question.used);
    const bool is_managed = AddManager(program, question);
    if (!is_managed) AddTrees(program, question.roots);
    is_known = is_known && (is_managed || program.find("/shims/") == std::string::npos);
  }
  if (!is_known || (IsScript(question.argv[0]) && question.chosen_by->empty())) question.chosen_by.reset();
  AddBeside(row.beside, question.roots);
  for (const auto& [name, value] : question.environment) {
    std::error_code missing;
    const bool is_ours = !places.folder.empty() && value.starts_with(places.folder + "/");
    if (!is_ours || !fs::exists(value, missing)) continue;
    AddRoot(value, question.roots);
    AddOnce(value, question.used);
  }
  DropNested(question.roots);
  return question;
}

}  // namespace assay
