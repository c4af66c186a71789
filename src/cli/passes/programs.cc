// Toolchains and the launcher.
#include "cli/passes/programs.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "base/limits.h"
#include "checks/check.h"
#include "checks/languages/language.h"

namespace assay {

namespace {

// What checks run besides the programs of unit tests: handlers and cleanups.
constexpr std::string_view kHandlers = "python";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string TextOf(const Value& args, std::string_view name) {
  const Value* found = args.Find(name);
  return found != nullptr && found->is_string() ? std::string(found->AsString()) : std::string();
}

// Whether the check may call Python: with one at hand it would ask for something.
bool CallsPython(const CheckRow& row, const Check& check) {
  if (row.max_requests == nullptr) return false;
  Diagnostics unheard;  // the plan parses again and reports
  const Toolchain python{.language = std::string(kHandlers), .digest = {}, .missing = {}};
  const CheckArgs args = row.parse({.check = check, .toolchains = {&python, 1}}, unheard);
  return args != nullptr && row.max_requests(args) > 0;
}

// The rows of the languages that a check's programs are in.
void AddLanguages(const Check& check, const Suite& suite, std::vector<std::string_view>& names) {
  const CheckRow* row = FindCheck(check.kind, suite.offered_checks);
  if (row == nullptr || row->asks != RequestRole::kProgram) return;
  const auto add = [&names](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  std::string named = TextOf(check.args, "lang");
  if (named.empty()) named = TextOf(check.args, "case_lang");
  const LanguageRow* language = FindLanguage(named, suite.programs);
  if (language != nullptr || CallsPython(*row, check)) add(kHandlers);
  if (language != nullptr) add(language->name);
}

}  // namespace

ToolchainPlaces PlacesOfToolchains() {
  ToolchainPlaces places{.search_path = Variable("PATH"), .home = Variable("HOME"), .folder = {}};
  places.folder = Variable("ASSAY_TOOLCHAINS");
  if (places.folder.empty()) {
    const std::string data = Variable("XDG_DATA_HOME");
    if (!data.empty() || !places.home.empty())
      places.folder = (data.empty() ? places.home + "/.local/share" : data) + "/assay/toolchains";
  }
  return places;
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
  if (cache.starts_with('/')) return cache + "/assay";
  return home.starts_with('/') ? home + "/.cache/assay" : std::string();
}

// One for each core.
std::size_t ProgramWorkers() { return static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

}  // namespace

std::size_t ProgramPlaces() { return ProgramWorkers() * kPlacesPerWorker; }

Result<InstalledToolchain> FindToolchain(std::string_view name) {
  ToolchainPlaces places = PlacesOfToolchains();
  places.memory = MemoryOfToolchains();
  return ProbeToolchain(name, places);
}

std::vector<InstalledToolchain> FindToolchains(Suite& suite) {
  std::vector<std::string_view> names;
  for (const Case& each : suite.cases) {
    for (const Check& check : each.checks) AddLanguages(check, suite, names);
  }
  std::vector<std::optional<Result<InstalledToolchain>>> found(names.size());
  {
    // Each asks a runtime that takes its time to start; all at once take no longer than the slowest.
    ToolchainPlaces places = PlacesOfToolchains();
    places.memory = MemoryOfToolchains();
    WorkerPool probes(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      probes.Submit([&places, &slot = found[i], name = names[i]](WorkerState&) {
        const LanguageRow* language = FindLanguage(name);
        slot = language == nullptr ? ProbeToolchain(name, places)
                                   : ProbeToolchain(language->toolchain, places, InjectedNames(*language));
      });
    }
  }
  std::vector<InstalledToolchain> installed;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Result<InstalledToolchain>& each = *found[i];
    suite.toolchains.push_back({.language = std::string(names[i]),
                                .digest = each ? each->digest : std::string(),
                                .missing = each ? std::string() : each.error().message,
                                .absent = each ? each->absent : std::vector<std::string>()});
    if (each) installed.push_back(std::move(*each));
  }
  return installed;
}

LazyLauncher::LazyLauncher(std::string_view level, std::vector<InstalledToolchain> toolchains)
    : inbox_(limits::kQueueDepthMax) {
  options_.level = FindSandboxLevel(level);
  options_.workers = ProgramWorkers();
  options_.toolchains = std::move(toolchains);
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
