// Opens the stores, prints the address, and answers until a signal comes.
#include "cli/commands/parts/pages.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>

#include "base/clock.h"
#include "base/text/percent.h"
#include "base/text/shell_words.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/files/opening_page.h"
#include "engine/local_time.h"
#include "engine/signals.h"
#include "engine/state/known_stores.h"
#include "engine/write/closing.h"
#include "plan/answers/retelling.h"
#include "report/fold/fold.h"
#include "report/page/page_data.h"
#include "run/limits/cost/run_cost.h"
#include "spec/suite/suite.h"
#include "view/site.h"

namespace assay {

namespace {

ViewPowers PowersOf(const PagesAsk& ask, const Options& options, const ModelBook& models) {
  ViewPowers powers;
  powers.utc_offset_min = UtcOffsetMinutes;
  if (!ask.labels.empty())
    powers.calibrate = [&ask](const Report& report) -> Result<std::vector<Calibration>> {
      ASSAY_TRY(Calibrations calibrations, Calibrate(report, ask.labels));
      return std::move(calibrations.variants);
    };
  powers.retelling = [&models](const RunRecord& run) {
    Retelling retelling = RetellingOf(run.generators);
    retelling.price = PricesBy(models);
    return retelling;
  };
  powers.suite = [](Store& store, const RunRecord& run) { return SuiteOf(store, run); };
  powers.pass = [&options](const RunRecord& run) {
    const Result<RunSpec> spec = DecodeRunSpec(run.spec);
    return PassRuleOfRun(options, spec ? *spec : RunSpec(), run.dialect);
  };
  powers.cost = [&models](Store& store, const RunRecord& run) { return CostOfRun(store, run, models); };
  powers.foreign = [](Store& store, const std::string& path, const RunRecord& run,
                      const RunTotals& totals) -> Result<std::uint64_t> {
    ASSAY_TRY(const StoreOrigin origin, OriginOf(store, path));
    return CountForeign(store, origin, run, totals);
  };
  powers.made_elsewhere = [](Store& store, const std::string& path) {
    const RowRanges all = RowRanges::UpTo(std::numeric_limits<std::int64_t>::max());
    const Result<StoreOrigin> origin = OriginOf(store, path);
    return origin ? MarkedRows{.exchanges = origin->exchanges, .runs = origin->runs}
                  : MarkedRows{.exchanges = all, .runs = all};
  };
  return powers;
}

// One run by itself, two side by side, of more the list, in which they are marked. A store may hold any id.
std::string LandingOf(std::vector<std::string> ids) {
  for (std::string& id : ids) id = PercentEncoded(id);
  if (ids.size() == 1) return "/run/" + ids[0];
  if (ids.size() == 2) return fmt::format("/compare/{},{}", ids[0], ids[1]);
  return fmt::format("/runs?mark={}", fmt::join(ids, ","));
}

// Whether a program was there that opens addresses. It is waited for by nobody.
bool OpenInBrowser(const std::string& address) {
  const char* own = std::getenv("BROWSER");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0);
  bool is_started = false;
  for (const char* program : {own == nullptr ? "" : own, "xdg-open", "open"}) {
    if (*program == '\0' || is_started) continue;
    std::string name(program);
    std::string argument(address);
    char* const words[] = {name.data(), argument.data(), nullptr};
    pid_t pid = 0;
    is_started = posix_spawnp(&pid, program, &actions, nullptr, words, environ) == 0;
  }
  posix_spawn_file_actions_destroy(&actions);
  return is_started;
}

// Starts a browser with a page that leads on to `address`. Null: none was started, which is said.
std::unique_ptr<OpeningPage> OpenPage(const std::string& address, std::uint16_t port, Ui& ui) {
  Result<std::unique_ptr<OpeningPage>> page = OpeningPage::Write(address, port);
  if (!page) {
    ui.Note(fmt::format("no browser is started: {}; open the address yourself", page.error().message));
    return nullptr;
  }
  if (!OpenInBrowser((*page)->Url())) {
    ui.Note("no program was found that opens a browser; open the address yourself");
    return nullptr;
  }
  return *std::move(page);
}

}  // namespace

ExitCode ServePages(const PagesAsk& ask, const Options& options, Ui& ui) {
  StopSignals signals;
  std::vector<ViewedStore> stores;
  for (const std::string& path : ask.stores) {
    Result<std::unique_ptr<Store>> store = OpenForReading({.path = path});
    if (!store) return FailWith(ui, store.error());
    stores.push_back({.path = path, .store = *std::move(store)});
  }
  const SystemClock clock;
  Result<std::unique_ptr<LocalServer>> server = LocalServer::Open(options.command.port, clock);
  if (!server) return FailWith(ui, server.error());
  const ModelBook models(options.granted.settings.models);
  Library library(std::move(stores), PowersOf(ask, options, models), clock);
  Site site(library, (*server)->port());
  const auto address = [&](const std::string& token) {
    const std::string page = ask.runs.empty() ? "" : LandingOf(ask.runs) + "&";
    return fmt::format("http://127.0.0.1:{}{}#{}token={}", (*server)->port(), site.folder(), page, token);
  };
  ui.Out(address(site.token()) + "\n");
  if (!ui.Flush()) return ExitCode::kUsage;
  ui.Note("only this machine can open it; Ctrl-C ends");
  std::unique_ptr<OpeningPage> page;
  if (options.command.open) {
    const std::string once = site.AddTokenForOnce([&page] { page.reset(); });
    page = OpenPage(address(once), (*server)->port(), ui);
  }
  (*server)->SendWithRefusals(PolicyHeaders());
  signals.Watch([&server] { (*server)->Stop(); });
  (*server)->Run([&site](const ServedRequest& request) { return site.Answer(request); });
  signals.EndWatch();
  return ExitCode::kDone;
}

std::string NextStepText(const Suite& suite, const std::vector<std::string>& files, const Options& options) {
  const auto page = std::find_if(files.begin(), files.end(),
                                 [](const std::string& path) { return path.ends_with("report.html"); });
  // The demo runs with --offline, and names its own steps.
  const bool is_for_people = !options.shown.json && !options.outputs.payload && !options.command.open &&
                             !options.granted.calls.offline;
  if (!is_for_people || page == files.end() || suite.cases.empty()) return {};
  std::error_code unknown;
  return fmt::format("\nthe page, for a browser: {}\nto try next: assay show latest --case {}",
                     Printable(std::filesystem::absolute(*page, unknown).string()),
                     QuoteWord(Printable(suite.cases.front().id)));
}

}  // namespace assay
