// Looks for toolchains of the languages that the suite's checks name, and makes the launcher.
#include "engine/open/programs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/errors/diagnostics.h"
#include "base/files/out_folder.h"
#include "base/limits.h"
#include "checks/check.h"
#include "checks/languages/language.h"
#include "engine/cores.h"
#include "engine/open/version_files.h"
#include "io/launcher/place.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// What checks run besides the programs of unit tests: handlers and cleanups.
constexpr std::string_view kHandlers = "python";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool IsAbsolute(std::string_view path) { return path.starts_with('/'); }

std::string FolderOfToolchains() {
  if (const std::string named = Variable("ASSAY_TOOLCHAINS"); IsAbsolute(named)) return named;
  const std::string data = Variable("XDG_DATA_HOME");
  const std::string home = Variable("HOME");
  const std::string share = IsAbsolute(data) ? data : IsAbsolute(home) ? home + "/.local/share" : "";
  const std::string machines = "/usr/local/share/assay/toolchains";
  const std::string own = share.empty() ? machines : share + "/assay/toolchains";
  const auto& [first, second] = geteuid() == 0 ? std::pair(machines, own) : std::pair(own, machines);
  std::error_code error;
  return std::filesystem::is_directory(first, error) || !std::filesystem::is_directory(second, error)
             ? first
             : second;
}

// Whether the check may call Python: with one at hand it would ask for something.
bool CallsPython(const CheckRow& row, const Check& check) {
  if (!row.asks) return false;
  Diagnostics unheard;  // the plan parses again and reports
  const Toolchain python{.language = std::string(kHandlers), .digest = {}, .missing = {}};
  const CheckArgs args = row.parse({.check = check, .toolchains = {&python, 1}}, unheard);
  return args != nullptr && row.MostRequests(args) > 0;
}

struct NamedLanguage {
  std::string_view name;
  bool is_certain = false;  // else only what runs beside other programs may need it
};

// The rows of the languages that a check's programs are in.
void AddLanguages(const Check& check, const Suite& suite, std::vector<NamedLanguage>& languages) {
  const CheckRow* row = FindCheck(check.kind, suite.offered_checks);
  if (row == nullptr || !row->AsksFor(RequestRole::kProgram)) return;
  const auto add = [&languages](std::string_view name, bool is_certain) {
    const auto found = std::find_if(languages.begin(), languages.end(),
                                    [name](const NamedLanguage& each) { return each.name == name; });
    if (found == languages.end()) {
      languages.push_back({name, is_certain});
    } else {
      found->is_certain = found->is_certain || is_certain;
    }
  };
  std::string named = check.args.TextAt("lang");
  if (named.empty()) named = check.args.TextAt("case_lang");
  const LanguageRow* language = FindLanguage(named, suite.programs);
  if (language != nullptr || CallsPython(*row, check)) add(kHandlers, language == nullptr);
  if (language != nullptr) add(language->name, true);
}

}  // namespace

ToolchainPlaces PlacesOfToolchains(std::string_view sandbox) {
  return {.search_path = Variable("PATH"),
          .folder = FolderOfToolchains(),
          .memory = {},
          .level = FindSandboxLevel(sandbox)};
}

std::vector<std::string_view> InjectedNames(const LanguageRow& language) {
  std::vector<std::string_view> names;
  for (const InjectedPackage& package : language.injected) names.push_back(package.name);
  return names;
}

namespace {

// Where what runtimes say of themselves is kept; "" where there is no home.
std::string MemoryOfToolchains() {
  const std::string cache = Variable("XDG_CACHE_HOME");
  const std::string home = Variable("HOME");
  if (cache.starts_with('/')) return WithoutLinks(cache) + "/assay";
  return home.starts_with('/') ? WithoutLinks(home + "/.cache") + "/assay" : std::string();
}

}  // namespace

std::size_t ProgramPlaces() { return Cores() * kPlacesPerWorker; }

Result<InstalledToolchain> FindToolchain(std::string_view name, std::string_view sandbox) {
  ToolchainPlaces places = PlacesOfToolchains(sandbox);
  places.memory = MemoryOfToolchains();
  return ProbeToolchain(name, places);
}

Result<SandboxLevel> SandboxHere(std::string_view sandbox) {
  return ChooseSandbox(FindSandboxLevel(sandbox), PlaceOfPrograms(MemoryOfToolchains()), {});
}

FoundToolchains FindToolchains(const Suite& suite, std::string_view sandbox) {
  FoundToolchains found;
  std::vector<NamedLanguage> languages;
  for (const Case& each : suite.cases) {
    for (const Check& check : each.checks) AddLanguages(check, suite, languages);
  }
  if (languages.empty()) return found;
  std::vector<ToolchainWanted> wanted;
  for (const auto& [name, is_certain] : languages) {
    const LanguageRow* language = FindLanguage(name);
    if (language == nullptr) {
      wanted.push_back({.name = name});
    } else {
      wanted.push_back({.name = language->toolchain, .packages = InjectedNames(*language)});
    }
  }
  ToolchainPlaces places = PlacesOfToolchains(sandbox);
  places.memory = MemoryOfToolchains();
  std::vector<Result<InstalledToolchain>> probed = ProbeToolchains(wanted, places);
  for (std::size_t i = 0; i < languages.size(); ++i) {
    const auto& [name, is_certain] = languages[i];
    Result<InstalledToolchain>& each = probed[i];
    found.here.push_back({.language = std::string(name),
                          .digest = each ? each->digest : std::string(),
                          .missing = each ? std::string() : each.error().message,
                          .absent = each ? each->absent : std::vector<std::string>()});
    if (!each && is_certain && each.error().code == ErrorCode::kRefused) found.unusable.emplace_back(name);
    if (!each) continue;
    if (is_certain) {
      for (const std::string& path : IgnoredVersionFiles(name))
        found.ignored.push_back(fmt::format("{} is ignored: programs in {} run with {}, as in any folder",
                                            Quoted(path), name, each->version));
    }
    found.installed.push_back(std::move(*each));
  }
  return found;
}

LazyLauncher::LazyLauncher(std::string_view level, std::vector<InstalledToolchain> toolchains)
    : inbox_(limits::kQueueDepthMax) {
  options_.level = FindSandboxLevel(level);
  options_.workers = Cores();
  options_.toolchains = std::move(toolchains);
  options_.folder = PlaceOfPrograms(MemoryOfToolchains());
}

LazyLauncher::~LazyLauncher() {
  stop_.request_stop();
  inbox_.Close();
}

void LazyLauncher::Run(Ticket ticket, ProcessRequest request, CompletionSink& sink) {
  if (!thread_) thread_.emplace(1).Submit([this](WorkerState&) { Loop(); });
  inbox_.PushUnbounded(Job{.ticket = ticket, .request = std::move(request), .sink = &sink});
}

void LazyLauncher::CancelAll() {
  if (!thread_) return;
  stop_.request_stop();  // whoever still looks for a level gives up
  const auto done = std::make_shared<BoundedQueue<bool>>(1);
  inbox_.PushUnbounded(Cancel{done});
  done->Pop();
}

void LazyLauncher::Loop() {
  const Result<std::unique_ptr<ProcessLauncher>> opened = ProcessLauncher::Open(options_, stop_.get_token());
  if (opened) level_ = (*opened)->level();
  while (std::optional<Message> message = inbox_.Pop()) {
    if (auto* job = std::get_if<Job>(&*message)) {
      if (opened) {
        (*opened)->Run(job->ticket, std::move(job->request), *job->sink);
        continue;
      }
      ProcessReply reply;
      reply.error = opened.error();
      job->sink->Deliver({.ticket = job->ticket, .reply = std::move(reply)});
    } else {
      if (opened) (*opened)->CancelAll();
      std::get<Cancel>(*message).done->PushUnbounded(true);
    }
  }
}

}  // namespace assay
