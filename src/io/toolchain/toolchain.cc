// Runs the scripts that ask a toolchain about itself, and reads their answers.
#include "io/toolchain/toolchain.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/hash.h"
#include "base/limits.h"
#include "io/launcher/launcher.h"
#include "io/launcher/own_program.h"
#include "io/launcher/warm_start.h"
#include "io/toolchain/question.h"
#include "io/toolchain/remembered.h"
#include "io/toolchain/table.h"

namespace assay {

namespace {

constexpr std::string_view kSystemPath = "/usr/local/bin:/usr/bin:/bin";
constexpr std::size_t kDigestDigits = 32;

std::string WithFolder(std::string_view text, const ToolchainPlaces& places) {
  constexpr std::string_view kName = "{folder}";
  const std::size_t at = text.find(kName);
  if (at == std::string_view::npos) return std::string(text);
  return fmt::format("{}{}{}", text.substr(0, at), places.folder, text.substr(at + kName.size()));
}

// Absolute folders alone.
std::string SearchPath(const ToolchainPlaces& places) {
  std::string path;
  if (!places.folder.empty())
    path = fmt::format("{0}/python/bin:{0}/node/node_modules/.bin:{0}/bin:", places.folder);
  for (const std::string& part : SplitWords(places.search_path, ':')) {
    if (part.starts_with('/')) path += part + ":";
  }
  if (!path.empty()) path.pop_back();
  return path;
}

void ReadAnswer(std::string_view answer, InstalledToolchain& toolchain, std::vector<std::string>& paths) {
  for (const std::string& line : SplitWords(answer, '\n')) {
    const std::size_t blank = std::min(line.find(' '), line.size() - 1);
    const std::string word = line.substr(0, blank);
    std::string rest = line.substr(blank + 1);
    if (word == "version") {
      toolchain.version = std::move(rest);
    } else if (word == "root") {
      AddRoot(rest, toolchain.roots);
    } else if (word == "path") {
      if (rest.starts_with('/') && rest.find(':') == std::string::npos) AddOnce(std::move(rest), paths);
    } else if (word == "package") {
      toolchain.packages.push_back(std::move(rest));
    } else if (word == "absent") {
      toolchain.absent.push_back(std::move(rest));
    }
  }
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
  for (const std::string& pair : SplitWords(row.environment, ' ')) {
    if (places.folder.empty() && pair.find("{folder}") != std::string::npos) continue;
    if (!row.scratch.empty() && pair.ends_with(row.scratch) && !HasScratch(row, places)) continue;
    const std::size_t equals = pair.find('=');
    toolchain.environment.emplace_back(pair.substr(0, equals), WithFolder(pair.substr(equals + 1), places));
  }
  for (const std::string& pair : SplitWords(row.settled, ' ')) {
    const std::size_t equals = pair.find('=');
    toolchain.environment.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
}

// Stand-ins that start warm come before the programs themselves. Where there are none, the path is the same.
void AddWarmStart(const std::string& folder, const std::string& search_path, InstalledToolchain& toolchain,
                  std::vector<std::string>& paths) {
  toolchain.warm_start = FindWarmStart(folder, search_path);
  if (toolchain.warm_start == WarmStart::kOutdated) return;
  AddRoot(folder, toolchain.roots);
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
  for (const std::string& program : SplitWords(row.programs, ' '))
    AddOnce(FindProgram(program, search_path), paths);
  for (const std::string& line : SplitWords(answer, '\n')) {
    for (const std::string_view word : {"watch ", "root "}) {
      if (line.starts_with(word)) AddOnce(line.substr(word.size()), paths);
    }
  }
  return paths;
}

using Environment = std::vector<std::pair<std::string, std::string>>;

// Everything that decides what the answer is, and may change without changing a file that it stands on.
std::string KeyOf(const ToolchainRow& row, const std::string& search_path, SandboxLevel level,
                  const ToolchainQuestion& question) {
  Sha256 hash;
  const auto add = [&hash](std::string_view text) {
    hash.Update(text);
    hash.Update(std::string_view("\0", 1));
  };
  add(SandboxLevelName(level));
  add(std::to_string(geteuid()));
  for (const std::string& word : question.argv) add(word);
  for (const std::string& path : *question.chosen_by) add(path);
  for (const std::string& path : question.roots) add(path);
  for (const auto& [name, value] : question.environment) add(fmt::format("{}={}", name, value));
  for (const std::string& program : SplitWords(row.programs, ' ')) add(FindProgram(program, search_path));
  return HexPrefix(hash.Finish(), kDigestDigits);
}

// Goes to /, says what the program's user cannot use of what comes before "--", and asks.
constexpr std::string_view kAsk = R"ask(cd /
while [ "$1" != -- ]; do [ -x "$1" ] || echo "unusable $1"; shift; done
shift; exec "$@")ask";
constexpr std::string_view kUnusable = "unusable ";
constexpr std::chrono::seconds kAnswerMost{30};

// One toolchain on its way from a name to what is known of it.
struct Probe {
  const ToolchainRow* row = nullptr;
  std::string search_path = {};
  ToolchainQuestion question = {};
  InstalledToolchain toolchain = {};
  std::string key = {};  // of the answer that is kept; "" where none may be
  bool was_kept = false;
  std::optional<Result<std::string>> answer = {};
};

// The level at which programs will run; where none works, nothing keeps them from anything.
SandboxLevel LevelOf(const ToolchainPlaces& places) {
  const std::string folder = LauncherOptions().folder;
  for (const std::optional<SandboxLevel> wanted : {places.level, std::optional<SandboxLevel>()}) {
    if (const Result<SandboxLevel> chosen = ChooseSandbox(wanted, folder)) return *chosen;
  }
  return SandboxLevel::kNone;
}

Result<Probe> Prepare(const ToolchainWanted& wanted, const ToolchainPlaces& places, SandboxLevel level) {
  const std::span<const ToolchainRow> table = ToolchainTable();
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const ToolchainRow& each) { return each.name == wanted.name; });
  if (row == table.end())
    return Error{ErrorCode::kInvalidInput, fmt::format("no toolchain is named {}", wanted.name)};
  Probe probe{.row = &*row, .search_path = SearchPath(places)};
  for (const std::string& program : SplitWords(row->programs, ' ')) {
    if (FindProgram(program, probe.search_path).empty()) {
      return Error{ErrorCode::kNotFound, fmt::format("{} is not installed: there is no program {} ({})",
                                                     row->name, program, row->install)};
    }
  }
  probe.toolchain.name = row->name;
  AddEnvironment(*row, places, probe.toolchain);
  Environment environment = probe.toolchain.environment;
  environment.emplace_back("PATH", probe.search_path);
  environment.emplace_back("LANG", "C.UTF-8");
  environment.emplace_back("ASSAY_PACKAGES", Joined(wanted.packages));
  probe.question = QuestionOf(*row, places, probe.search_path, std::move(environment));
  if (!places.memory.empty() && probe.question.chosen_by)
    probe.key = KeyOf(*row, probe.search_path, level, probe.question);
  if (probe.key.empty()) return probe;
  if (std::optional<std::string> kept = RememberedAnswer(places.memory, probe.key)) {
    probe.answer = *std::move(kept);
    probe.was_kept = true;
  }
  return probe;
}

ProcessRequest RequestOf(const ToolchainQuestion& question, std::string name) {
  ProcessRequest request;
  request.toolchain = std::move(name);
  request.argv = {"/bin/sh", "-c", std::string(kAsk), "sh"};
  request.argv.insert(request.argv.end(), question.used.begin(), question.used.end());
  request.argv.emplace_back("--");
  request.argv.insert(request.argv.end(), question.argv.begin(), question.argv.end());
  if (!question.home.empty()) request.env.emplace_back("HOME", question.home);
  request.limits.wall = request.limits.cpu = kAnswerMost;
  request.limits.processes = limits::kProgramProcessesMax;
  return request;
}

// Behind a colon, or nothing.
std::string FirstLine(std::string_view text) {
  const std::string line(text.substr(0, text.find('\n')));
  return line.empty() ? line : ": " + line;
}

Result<std::string> AnswerOf(const Probe& probe, SandboxLevel level, const ProcessReply& reply) {
  if (reply.error)
    return Error{reply.error->code, fmt::format("{} cannot be asked at level {}: {}", probe.row->name,
                                                SandboxLevelName(level), reply.error->message)};
  if (reply.stdout_text.starts_with(kUnusable)) {
    const std::string path = SplitWords(reply.stdout_text.substr(kUnusable.size()), '\n').front();
    return Error{
        ErrorCode::kRefused,
        fmt::format("{} needs {}, which programs cannot use at level {}, because they run as another user. "
                    "Install it where every user may read it ({}, or as root `./dev doctor --install`)",
                    probe.row->name, path, SandboxLevelName(level), probe.row->install)};
  }
  if (reply.timed_out)
    return Error{ErrorCode::kTimeout, fmt::format("{} does not answer", probe.question.argv[0])};
  if (reply.exit_code != 0)
    return Error{ErrorCode::kIo,
                 fmt::format("{} cannot be asked at level {}: it ends with an error{}", probe.row->name,
                             SandboxLevelName(level), FirstLine(reply.stderr_text))};
  return reply.stdout_text;
}

// Asks all that have no answer yet, at once: each takes its time to start.
void AskAll(SandboxLevel level, std::vector<Result<Probe>>& probes) {
  LauncherOptions options;
  std::vector<ProcessRequest> requests;
  std::vector<Probe*> asked;
  for (Result<Probe>& probe : probes) {
    if (!probe || probe->answer) continue;
    InstalledToolchain& shown = options.toolchains.emplace_back();
    shown.name = std::to_string(asked.size());
    shown.roots = probe->question.roots;
    shown.environment = probe->question.environment;
    requests.push_back(RequestOf(probe->question, shown.name));
    asked.push_back(&*probe);
  }
  options.workers = asked.size();
  const std::vector<ProcessReply> replies = RunAll(level, std::move(options), std::move(requests));
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->answer = AnswerOf(*asked[i], level, replies[i]);
}

Result<InstalledToolchain> Finish(Probe probe, const ToolchainPlaces& places) {
  ASSAY_TRY(const std::string answer, *std::move(probe.answer));
  const ToolchainRow& row = *probe.row;
  InstalledToolchain toolchain = std::move(probe.toolchain);
  std::vector<std::string> paths;
  ReadAnswer(answer, toolchain, paths);
  AddBeside(row.beside, toolchain.roots);
  if (!places.folder.empty())
    AddWarmStart(fmt::format("{}/warm/{}", places.folder, row.name), probe.search_path, toolchain, paths);
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

std::vector<Result<InstalledToolchain>> ProbeToolchains(std::span<const ToolchainWanted> wanted,
                                                        const ToolchainPlaces& places) {
  const SandboxLevel level = LevelOf(places);
  std::vector<Result<Probe>> probes;
  for (const ToolchainWanted& each : wanted) probes.push_back(Prepare(each, places, level));
  AskAll(level, probes);
  std::vector<Result<InstalledToolchain>> found;
  for (Result<Probe>& each : probes) {
    if (!each) {
      found.emplace_back(each.error());
      continue;
    }
    Probe& probe = *each;
    if (!probe.key.empty() && !probe.was_kept && *probe.answer) {
      RememberAnswer(places.memory, probe.key, **probe.answer,
                     StandsOn(*probe.row, probe.search_path, *probe.question.chosen_by, **probe.answer));
    }
    found.push_back(Finish(std::move(probe), places));
  }
  return found;
}

Result<InstalledToolchain> ProbeToolchain(std::string_view name, const ToolchainPlaces& places,
                                          std::span<const std::string_view> packages) {
  const ToolchainWanted wanted{.name = name, .packages = {packages.begin(), packages.end()}};
  return std::move(ProbeToolchains({&wanted, 1}, places).front());
}

std::vector<std::string_view> ToolchainNames() {
  std::vector<std::string_view> names;
  for (const ToolchainRow& row : ToolchainTable()) names.push_back(row.name);
  return names;
}

}  // namespace assay
