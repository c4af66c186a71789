// Parses the command line by CLI11 (no exception of it leaves this file), adds assay.toml and the
// environment, and calls the command.
#include "cli/line/command_line.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include "base/errors/diagnostics.h"
#include "base/text/shell_words.h"
#include "cli/line/command_row.h"
#include "cli/line/help.h"
#include "cli/settings/file/settings.h"
#include "cli/terminal/views/trust_view.h"
#include "dialects/habits.h"
#include "engine/ci.h"
#include "store/location.h"

namespace assay {

namespace {

constexpr std::string_view kStoreOption = "--store";

bool ConcernsPrices(const Power& power) { return power.setting.starts_with("prices."); }
bool ConcernsPlans(const Power& power) { return power.effect != PowerEffect::kAlias; }

// Names the settings that have no effect on what the command shows; "" if all have. Untrusted aliases are
// named where a suite uses them.
std::string WithheldNote(const Options& options, const CommandRow& command) {
  if (command.trust == TrustUse::kAsks) return {};
  const auto rows = OptionTable();
  const auto concerns = [&](const Power& power) {
    if (command.trust == TrustUse::kPrices && ConcernsPrices(power)) return true;
    if (command.trust == TrustUse::kShows && ConcernsPlans(power)) return true;
    // What the command looks for would be elsewhere.
    return power.subject == kStoreOption && std::any_of(rows.begin(), rows.end(), [&](const OptionRow& row) {
             return row.LongName() == kStoreOption && row.TakenBy(command.name);
           });
  };
  std::vector<Power> left_out;
  std::copy_if(options.granted.settings.withheld.begin(), options.granted.settings.withheld.end(),
               std::back_inserter(left_out), concerns);
  if (left_out.empty()) return {};
  return fmt::format(
      "nobody has trusted this of assay.toml, and it does not count here:\n{}"
      "`assay trust` trusts it",
      PowerLines(left_out));
}

constexpr std::size_t kColumnsDefault = 80;

struct BoundOption {
  const OptionRow* row;
  CLI::Option* option;
};

std::vector<BoundOption> AddOptions(const CommandRow& command, CLI::App& app) {
  std::vector<BoundOption> bound;
  for (const OptionRow& row : OptionTable()) {
    if (!row.TakenBy(command.name)) continue;
    const std::string names(row.names);
    // What may follow "=" need not be there.
    const bool is_flag = row.value.empty() || row.value.starts_with('[');
    CLI::Option* option = is_flag ? app.add_flag(names) : app.add_option(names);
    using CLI::MultiOptionPolicy;
    option->multi_option_policy(row.repeatable ? MultiOptionPolicy::TakeAll : MultiOptionPolicy::TakeLast);
    bound.push_back({&row, option});
  }
  return bound;
}

// "; assay run-config and assay doctor do"; "" if no command has the option.
std::string WhoTakes(std::string_view name) {
  std::string who;
  for (const CommandRow& command : CommandTable()) {
    const auto rows = OptionTable();
    if (std::any_of(rows.begin(), rows.end(), [&](const OptionRow& row) {
          return row.TakenBy(command.name) && row.LongName() == name;
        }))
      who += fmt::format("{}`assay {}`", who.empty() ? "" : " and ", command.name);
  }
  return who.empty() ? who : fmt::format(", it is one of {}", who);
}

// `--data FILE` for `--dataset FILE`, as argparse takes it: the one name that begins so.
void CompleteOptions(const CommandRow& command, std::vector<std::string>& words) {
  for (std::string& word : words) {
    if (word == "--") return;
    const std::size_t end = std::min(word.find('='), word.size());
    const std::string_view start = std::string_view(word).substr(0, end);
    if (!start.starts_with("--") || start.size() < 3) continue;
    std::vector<std::string_view> names;
    for (const OptionRow& row : OptionTable()) {
      if (row.TakenBy(command.name) && row.LongName().starts_with(start)) names.push_back(row.LongName());
    }
    const bool is_whole = std::find(names.begin(), names.end(), start) != names.end();
    if (names.size() == 1 && !is_whole) word = std::string(names.front()) + word.substr(end);
  }
}

// What other tools call an option.
struct OtherName {
  std::string_view name;
  std::string_view ours;
};
constexpr OtherName kOtherNames[] = {
    {"--concurrency", "--max-in-flight"},
    {"--max-concurrency", "--max-in-flight"},
    {"--max-connections", "--max-in-flight"},
    {"--parallel", "--max-in-flight"},
    {"--workers", "--max-in-flight"},
    {"--jobs", "--max-in-flight"},
    {"--repeat", "--attempts"},
    {"--epochs", "--attempts"},
    {"--samples", "--attempts"},
    {"--no-cache", "--fresh"},
    {"--models", "--model"},
    {"--judges", "--judge"},
    {"--grader", "--judge"},
    {"--max-cost", "--budget-usd"},
    {"--cost-limit", "--budget-usd"},
    {"--max-budget", "--budget-usd"},
    {"--verbosity", "--verbose"},
    {"--format", "--to"},
    {"--sample-id", "--select"},
    {"--no-color", "--color"},
};

// "-j, --max-in-flight" of the command, where other tools call it so; "" otherwise.
std::string OursFor(const CommandRow& command, std::string_view name) {
  const auto* found = std::find_if(std::begin(kOtherNames), std::end(kOtherNames),
                                   [name](const OtherName& each) { return each.name == name; });
  if (found == std::end(kOtherNames)) return {};
  for (const OptionRow& row : OptionTable()) {
    if (!row.TakenBy(command.name) || row.LongName() != found->ours) continue;
    const std::size_t comma = row.names.find(',');
    return comma == std::string_view::npos ? std::string(found->ours)
                                           : fmt::format("{}, {}", row.names.substr(0, comma), found->ours);
  }
  return {};
}

// "-model gpt" would be `-m odel` and a file `gpt`: one dash where the name has two.
Status CheckDashes(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    if (name.size() < 4 || name.starts_with("--") || !name.starts_with('-')) continue;
    for (const OptionRow& row : OptionTable()) {
      if (row.LongName().substr(1) != name) continue;
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{}: a long name has two dashes; write {}", name, row.LongName())};
    }
  }
  return Ok();
}

// `--trust=$DIGEST` of a variable that is not set would be the option without a value.
Status CheckValues(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    if (!word.starts_with("--") || !word.ends_with('=')) continue;
    for (const OptionRow& row : OptionTable()) {
      if (row.LongName() != word.substr(0, word.size() - 1) || !row.value.starts_with("[=")) continue;
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("{}: expected a value behind the sign; leave the sign out if there is none", word)};
    }
  }
  return Ok();
}

Error UnknownOption(const CommandRow& command, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  std::string hint = WhoTakes(name);
  if (const std::string ours = OursFor(command, name); hint.empty() && !ours.empty())
    hint = fmt::format("; it is {} here", ours);
  std::vector<std::string_view> known = {"--help"};
  for (const OptionRow& row : OptionTable()) {
    if (row.TakenBy(command.name)) known.push_back(row.LongName());
  }
  const std::string_view near = DidYouMean(name, known);
  if (hint.empty() && !near.empty()) hint = fmt::format(", did you mean {}?", near);
  return Error{ErrorCode::kInvalidInput,
               fmt::format("assay {} has no option {}{}; `assay {} --help all` lists them", command.name,
                           Quoted(name), hint, command.name)};
}

// A store's address in the place of a file would make one whose name holds the password.
Error NotAFile(std::string_view where, std::string_view address) {
  return {ErrorCode::kInvalidInput,
          fmt::format("{}: expected a file or folder, found the address {}; --store takes that of a store",
                      where, Printable(ShownLocation(address)))};
}

Status CheckOption(const OptionRow& row, std::string_view text) {
  const bool names_file = row.value == "FILE" || row.value == "DIR" || row.value == "PATH";
  if (!names_file || row.LongName() == "--store" || !IsServer(text)) return Ok();
  return NotAFile(row.LongName(), text);
}

Status CheckArguments(const CommandRow& command, const Options& options) {
  const std::vector<std::string>& arguments = options.arguments;
  const auto address = std::find_if(arguments.begin(), arguments.end(),
                                    [](const std::string& argument) { return IsServer(argument); });
  const bool takes_stores = command.name == "cache" && arguments.front() == "copy";
  if (address != arguments.end() && !takes_stores)
    return NotAFile(fmt::format("assay {}", command.name), *address);
  const bool has_other = !command.in_place.empty() && options.Given(command.in_place) != nullptr;
  const std::size_t least = has_other ? 0 : command.arguments_min;
  if (arguments.size() >= least && arguments.size() <= command.arguments_max) return Ok();
  if (arguments.size() < least) {
    return Error{ErrorCode::kInvalidInput, fmt::format("assay {} needs {}, for example: {}", command.name,
                                                       command.arguments, command.example)};
  }
  return Error{ErrorCode::kInvalidInput, fmt::format("assay {} does not know what to do with {}",
                                                     command.name, Quoted(arguments[command.arguments_max]))};
}

// Terminals that show links say who they are; others might show the codes.
bool KnowsLinks() {
  constexpr const char* kOwnWords[] = {"VTE_VERSION",     "KITTY_WINDOW_ID", "WT_SESSION",
                                       "KONSOLE_VERSION", "WEZTERM_PANE",    "ALACRITTY_WINDOW_ID",
                                       "ITERM_SESSION_ID"};
  return std::any_of(std::begin(kOwnWords), std::end(kOwnWords),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

// Of standard output or standard error.
Screen ScreenOf(int file, ColorMode color) {
  Screen screen;
  const char* terminal = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  const bool is_terminal = isatty(file) == 1;
  const bool is_smart = terminal != nullptr && std::string_view(terminal) != "dumb";
  const bool may_color = no_color == nullptr || *no_color == '\0';
  screen.has_color =
      color == ColorMode::kAlways || (color == ColorMode::kAuto && is_terminal && is_smart && may_color);
  screen.has_links = is_terminal && is_smart && KnowsLinks();
  winsize size{};
  if (is_terminal && ioctl(file, TIOCGWINSZ, &size) == 0) screen.columns = size.ws_col;
  return screen;
}

UiSettings SettingsFor(const Options& options) {
  UiSettings settings{.status = StatusStyle::kLines, .quiet = options.shown.quiet};
  const char* terminal = std::getenv("TERM");
  const bool smart = terminal != nullptr && std::string_view(terminal) != "dumb";
  winsize size{};
  const bool has_size = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  settings.columns = has_size ? size.ws_col : kColumnsDefault;
  if (options.shown.progress == ProgressMode::kAuto && isatty(STDERR_FILENO) == 1 && smart && !IsInCi()) {
    settings.status = StatusStyle::kLive;
  }
  settings.err = ScreenOf(STDERR_FILENO, options.shown.color);
  const bool is_quiet = options.shown.quiet || options.shown.progress == ProgressMode::kNone;
  if (is_quiet) settings.status = StatusStyle::kNone;
  return settings;
}

// What assay.toml adds; false after an error in it.
bool AddSettings(const CommandRow& command, Options& options, Ui& ui) {
  WatchedFiles files;
  SourceFiles sources;
  Diagnostics diagnostics;
  Settings settings = ReadSettings(TrustOf(options.granted), files, sources, diagnostics);
  if (const std::string problems = FormatDiagnostics(diagnostics, sources); !problems.empty())
    ui.Problem(problems);
  if (diagnostics.HasErrors()) return false;
  options.settings_files = files.seen();
  const bool asks = command.trust == TrustUse::kAsks;
  ApplySettings(std::move(settings), options, asks ? Withheld::kApplied : Withheld::kLeftOut);
  if (const std::string note = WithheldNote(options, command); !note.empty()) ui.Note(note);
  return true;
}

// Whoever runs foreign changes by machine says what he trusts, not that he does.
Status CheckTrust(const Options& options, Environment environment) {
  const GivenOption* given = options.Given("--trust");
  if (given == nullptr || !options.granted.trust || environment == Environment::kIgnore) return Ok();
  constexpr std::string_view kRemedy =
      "`assay trust --print`, run where you have looked at assay.toml, prints the digest";
  if (given->origin != "command line") {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{}: expected a digest, found \"true\"; {}", given->origin, kRemedy)};
  }
  if (!IsInCi()) return Ok();
  return Error{ErrorCode::kInvalidInput,
               fmt::format("--trust: CI is set, where a change of anybody's would be trusted; write "
                           "--trust=DIGEST or ASSAY_TRUST: {}",
                           kRemedy)};
}

// The words of an option, or what the environment says in their place.
GivenOption ReadGiven(const BoundOption& bound, Environment environment) {
  GivenOption given{.name = bound.row->LongName(), .values = {}, .origin = {}};
  if (bound.option->count() > 0) {
    given.values = bound.option->results();
    given.origin = "command line";
  } else if (environment == Environment::kRead) {
    std::string name = bound.row->Environment();
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') return given;
    given.values = {value};
    given.origin = std::move(name);
  }
  return given;
}

int RunOne(const CommandRow& command, std::vector<std::string> words) {
  Result<Options> options = ParseWords(command, std::move(words), Environment::kRead);
  Ui ui(stdout, stderr, options ? SettingsFor(*options) : UiSettings{});
  if (!options) {
    ui.Problem(fmt::format("error: {}", options.error().message));
    return static_cast<int>(ExitCode::kUsage);
  }
  options->shown.screen = ScreenOf(STDOUT_FILENO, options->shown.color);
  if (!AddSettings(command, *options, ui)) return static_cast<int>(ExitCode::kUsage);
  const ExitCode code = command.run(*options, ui);
  if (ui.Flush()) return NumberOf(code, options->gates.failed_exit_code);
  // A reader that has seen enough closes the pipe; that is no problem of ours.
  if (errno != EPIPE) ui.Problem("error: standard output could not be written; is its disk full?");
  return static_cast<int>(code == ExitCode::kDone ? ExitCode::kUnfinished : code);
}

// The command that the words of another tool stand for.
int RunRewritten(const CommandRow& command, const std::vector<std::string>& words, Ui& ui) {
  Result<RewrittenWords> ours = command.rewrite(words);
  if (!ours) {
    ui.Problem(fmt::format("error: {}", ours.error().message));
    return static_cast<int>(ExitCode::kUsage);
  }
  for (const std::string& note : ours->notes) ui.Note(note);
  return RunOne(*FindCommand(ours->command), std::move(ours->words));
}

// CLI11's words begin with the option's name.
Error MissingValue(const CommandRow& command, std::string_view said) {
  for (const OptionRow& row : OptionTable()) {
    const std::string_view name = row.LongName();
    if (row.TakenBy(command.name) && said.starts_with(fmt::format("{}:", name)))
      return {ErrorCode::kInvalidInput, fmt::format("{0} needs a value: {0} {1}", name, row.value)};
  }
  return {ErrorCode::kInvalidInput, Printable(said)};
}

// Commands of other tools that assay stands for, and what it has instead.
struct ForeignCommand {
  std::string_view name;
  std::string_view instead;
};
constexpr ForeignCommand kForeignCommands[] = {
    {"redteam", "assay has no attacks on models"},
    {"share", "assay publishes nothing; `assay export latest --to html` writes a page that needs no server"},
    {"generate", "assay writes no tests; `assay init dataset FILE` writes a suite for a table"},
    {"validate", "`assay check FILE` reports every problem of a config"},
    {"import", "`assay show FILE`, `assay compare` and `assay grade` read files of results"},
    {"retry", "the same command sends again what ended in an error"},
    {"delete", "`assay cache prune` removes old replies"},
    {"auth", "assay has no accounts"},
    {"config", "`assay doctor --config` shows the settings of a run"},
    {"scan-model", "assay reads no files of models"},
    {"mcp", "assay is no server"},
};

int UnknownCommand(std::string_view word, Ui& ui) {
  const auto* foreign = std::find_if(std::begin(kForeignCommands), std::end(kForeignCommands),
                                     [word](const ForeignCommand& each) { return each.name == word; });
  if (foreign != std::end(kForeignCommands) && access(std::string(word).c_str(), F_OK) != 0) {
    ui.Problem(fmt::format("error: {} is a command of promptfoo; {}", Quoted(word), foreign->instead));
    return static_cast<int>(ExitCode::kUsage);
  }
  std::vector<std::string_view> names;
  for (const CommandRow& row : CommandTable()) names.push_back(row.name);
  const std::string_view near = DidYouMean(word, names);
  std::string hint = "`assay --help` lists them";
  if (!near.empty()) hint = fmt::format("did you mean `assay {}`?", near);
  if (access(std::string(word).c_str(), F_OK) == 0) {
    hint = fmt::format("to evaluate a file: assay run {}", QuoteWord(Printable(word)));
  }
  ui.Problem(fmt::format("error: there is no command {}; {}", Quoted(word), hint));
  return static_cast<int>(ExitCode::kUsage);
}

// `--help`, and `--help all` or `--help=all`.
std::optional<HelpExtent> WantedHelp(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") break;
    if (words[i] == "--help=all") return HelpExtent::kAll;
    if (words[i] != "--help" && words[i] != "-h") continue;
    return i + 1 < words.size() && words[i + 1] == "all" ? HelpExtent::kAll : HelpExtent::kUsual;
  }
  return std::nullopt;
}

// Variables that are read elsewhere than in the table of options.
constexpr std::string_view kOtherVariables[] = {"ASSAY_TOOLCHAINS", "ASSAY_TRUST"};

// A twin of an option that is almost one does nothing, which nobody would notice.
void WarnOfMisspeltVariables(Ui& ui) {
  constexpr std::string_view kPrefix = "ASSAY_";
  std::vector<std::string> known(std::begin(kOtherVariables), std::end(kOtherVariables));
  for (const OptionRow& row : OptionTable()) known.push_back(row.Environment());
  std::vector<std::string_view> names;  // what all have in common likens nothing
  for (const std::string_view name : known) names.push_back(name.substr(kPrefix.size()));
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    if (!variable.starts_with(kPrefix)) continue;
    const std::string_view name = variable.substr(kPrefix.size(), variable.find('=') - kPrefix.size());
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string_view near = DidYouMean(name, names);
    if (near.empty()) continue;
    ui.Problem(
        fmt::format("warning: {0}{1} has no effect; did you mean {0}{2}?", kPrefix, Printable(name), near));
  }
}

}  // namespace

Result<Options> ParseWords(const CommandRow& command, std::vector<std::string> words,
                           Environment environment) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  Options options;
  const std::vector<BoundOption> bound = AddOptions(command, app);
  CLI::Option* arguments = app.add_option("arguments", options.arguments);
  arguments->expected(0, CLI::detail::expected_max_vector_size);
  if (command.completes_options) CompleteOptions(command, words);
  ASSAY_CHECK_OK(CheckDashes(words));
  ASSAY_CHECK_OK(CheckValues(words));
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them last word first
    app.parse(std::move(words));
  } catch (const CLI::ArgumentMismatch& error) {
    return MissingValue(command, error.what());
  } catch (const CLI::Error& error) {
    return Error{ErrorCode::kInvalidInput, Printable(error.what())};
  }
  const std::vector<std::string> extras = app.remaining();
  if (!extras.empty()) return UnknownOption(command, extras.front());
  for (const BoundOption& each : bound) {
    GivenOption given = ReadGiven(each, environment);
    for (const std::string& value : given.values) {
      ASSAY_CHECK_OK(CheckOption(*each.row, value));
      if (Status set = each.row->Set(value, options); !set) {
        return Error{set.error().code, fmt::format("{}: {}", each.row->LongName(), set.error().message)};
      }
    }
    if (!given.values.empty()) options.given.push_back(std::move(given));
  }
  const std::string& matrix = options.command.matrix;
  if (!matrix.empty()) options.arguments.insert(options.arguments.begin(), matrix);
  ASSAY_CHECK_OK(CheckArguments(command, options));
  if (!options.arguments.empty()) options.spec.file = options.arguments.front();
  if (!options.gates.failed_exit_code)
    options.gates.failed_exit_code = HabitsOf(options.spec.compat).failed_exit_code;
  ASSAY_CHECK_OK(CheckTrust(options, environment));
  return options;
}

namespace {

// A crash leaves no file in which keys stand. With a limit of 0 the kernel may still hand the core to a
// program; with one of a byte it does not.
void LeaveNoCore() {
  rlimit limit{};
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 1);
  setrlimit(RLIMIT_CORE, &limit);
}

// One write, whatever else is being printed.
void TellOfSlowServer(const std::string& server, std::chrono::seconds silent) {
  const std::string line =
      fmt::format("\nwaiting for {}: no answer for {} s\n", Printable(server), silent.count());
  static_cast<void>(write(STDERR_FILENO, line.data(), line.size()));
}

}  // namespace

int RunProgram(std::vector<std::string> words) {
  LeaveNoCore();
  TellOfSlowServers(TellOfSlowServer);
  // A closed pipe is an error of the write; the store must not be left by a signal.
  std::signal(SIGPIPE, SIG_IGN);
  const Screen screen = ScreenOf(STDOUT_FILENO, ColorMode::kAuto);
  Ui ui(stdout, stderr, UiSettings{.err = ScreenOf(STDERR_FILENO, ColorMode::kAuto)});
  const std::string first = words.empty() ? "--help" : words.front();
  if (first == "--version" || first == "-V") {
    ui.Out(VersionText());
    return static_cast<int>(ui.Flush() ? ExitCode::kDone : ExitCode::kUnfinished);
  }
  if (first == "--help" || first == "-h") {
    ui.Out(ProgramHelp(screen));
    return static_cast<int>(words.empty() ? ExitCode::kUsage : ExitCode::kDone);
  }
  const CommandRow* command = FindCommand(first);
  if (command == nullptr) return UnknownCommand(first, ui);
  if (const std::optional<HelpExtent> extent = WantedHelp(words)) {
    ui.Out(CommandHelp(*command, *extent, screen));
    return static_cast<int>(ExitCode::kDone);
  }
  WarnOfMisspeltVariables(ui);
  words.erase(words.begin());
  return command->rewrite == nullptr ? RunOne(*command, std::move(words)) : RunRewritten(*command, words, ui);
}

}  // namespace assay
