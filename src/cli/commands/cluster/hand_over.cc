// Says the command again for jobs that have nothing of this environment, writes scripts, and starts the
// engine's own program.
#include "cli/commands/cluster/hand_over.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/bounded_queue.h"
#include "base/files/file_reader.h"
#include "base/text/option_text.h"
#include "base/text/shell_words.h"
#include "cli/commands/cluster/folding.h"
#include "cli/commands/cluster/said_words.h"
#include "cli/commands/parts/powers_used.h"
#include "cli/commands/parts/watch_run.h"
#include "cli/terminal/json_values.h"
#include "cluster/cluster.h"
#include "engine/network/key_file.h"
#include "engine/network/network.h"
#include "engine/words.h"
#include "engine/write/written_files.h"
#include "io/exec/started_program.h"
#include "io/launcher/own_program.h"
#include "providers/provider.h"
#include "spec/exchange/keyed_headers.h"
#include "store/coordinator.h"
#include "store/location.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kNoRunYet = "RUN";
constexpr std::string_view kScripts = ".assay/cluster";  // below the current folder

// Names of the environment that say where things are, and no secret; of jobs that see this machine's files,
// the first kind too.
constexpr std::string_view kOfMachine[] = {"PATH", "HOME",      "XDG_CONFIG_HOME",  "XDG_STATE_HOME",
                                           "TZ",   "ASKY_HOME", "ASSAY_TOOLCHAINS", "SSL_CERT_FILE"};
constexpr std::string_view kOfServer[] = {"PGHOST",        "PGHOSTADDR", "PGPORT",    "PGUSER",
                                          "PGDATABASE",    "PGSERVICE",  "PGSSLMODE", "PGSERVICEFILE",
                                          "PGSSLROOTCERT", "PGPASSFILE", "PGSSLCERT", "PGSSLKEY"};

std::string SaidBy(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::string() : std::string(value);
}

// As the user calls it: where homes are mounted on demand, the disk's own name leads nowhere elsewhere.
std::string FolderHere() {
  std::error_code problem;
  std::string called = SaidBy("PWD");
  if (called.starts_with('/') && std::filesystem::equivalent(called, ".", problem) && !problem) return called;
  return std::filesystem::current_path(problem).string();
}

std::string OwnProgram() {
  std::error_code problem;
  return std::filesystem::canonical("/proc/self/exe", problem).string();
}

const ClusterRow& EngineOf(const Options& options) { return *FindCluster(options.command.sharing.cluster); }

bool SeesThisMachine(const ClusterRow& row) { return !row.program.empty(); }

std::vector<std::pair<std::string, std::string>> EnvironmentOfJobs(const ClusterRow& row) {
  std::vector<std::pair<std::string, std::string>> environment;
  const auto add = [&environment](std::string_view name) {
    if (std::string value = SaidBy(name); !value.empty() && WithoutCredentials(value) == value)
      environment.emplace_back(name, std::move(value));
  };
  if (SeesThisMachine(row)) std::for_each(std::begin(kOfMachine), std::end(kOfMachine), add);
  std::for_each(std::begin(kOfServer), std::end(kOfServer), add);
  for (const ProviderRow& provider : ProviderTable()) {
    if (!provider.base_url_variable.empty()) add(provider.base_url_variable);
  }
  return environment;
}

// The digests of those powers that the command uses and the user has agreed to, here and once; of recordings
// and stores those that he named.
std::string TrustOfJobs(const Options& options) {
  const std::vector<Power>& powers = options.granted.settings.powers;
  std::vector<std::string> digests = options.granted.trust_digests;
  std::erase_if(digests, [&powers](const std::string& digest) {
    return digest == DigestOf(powers) || std::any_of(powers.begin(), powers.end(), [&](const Power& power) {
             return digest == DigestOf(power);
           });
  });
  for (const Power& power : TrustedPowersUsed(options)) digests.push_back(DigestOf(power));
  return fmt::format("{}", fmt::join(digests, ","));
}

// The command as it was said, and what was agreed to: jobs have no environment of the user's.
std::vector<std::string> WordsOfJobs(const Options& options) {
  std::vector<std::string> words = SaidWords(options);
  if (const std::string trust = TrustOfJobs(options); !trust.empty()) words.push_back("--trust=" + trust);
  return words;
}

// The files that arguments name. MayHandOver refuses what cannot be read.
std::vector<ClusterPatch> PatchesOf(const Options& options) {
  std::vector<ClusterPatch> patches;
  const std::string_view argument = EngineOf(options).patch;
  for (const std::string& each : options.command.sharing.cluster_arguments) {
    if (argument.empty() || !each.starts_with(argument)) continue;
    ClusterPatch& patch = patches.emplace_back();
    patch.file = each.substr(argument.size());
    Result<std::string> text = DiskFileReader().Read(patch.file);
    if (text) {
      patch.text = *std::move(text);
    } else {
      patch.problem = text.error().message;
    }
  }
  return patches;
}

std::string PatchesProblem(const ClusterJob& job) {
  for (const ClusterPatch& patch : job.patches) {
    if (!patch.problem.empty()) return patch.problem;
  }
  return {};
}

ClusterJob JobOf(const Options& options, std::string_view run) {
  const ShardOptions& sharing = options.command.sharing;
  const std::string folder = FolderHere();
  ClusterJob job{.run = std::string(run),
                 .shards = sharing.shards,
                 .program = OwnProgram(),
                 .shard = WordsOfJobs(options),
                 .fold = {},
                 .folder = folder,
                 .scripts = fmt::format("{}/{}/{}", folder, kScripts, run),
                 .environment = EnvironmentOfJobs(EngineOf(options)),
                 .setup = sharing.cluster_setup,
                 .arguments = sharing.cluster_arguments,
                 .patches = PatchesOf(options),
                 .version = ASSAY_VERSION,
                 .waits = sharing.wait};
  job.fold = job.shard;
  job.fold.push_back(fmt::format("--fold={}", run));
  job.shard.push_back(fmt::format("--shards={}", sharing.shards));
  job.shard.push_back(fmt::format("--join={}", run));
  return job;
}

// Why a job would not have the key that this process has; "" if it would.
std::string KeyProblem(const ModelToAsk& model, const Planned& planned, const Options& options) {
  const ProviderRow* provider = FindProvider(model.provider);
  const Endpoint* endpoint = planned.endpoints.Find(model.provider, model.base_url);
  if (provider == nullptr || endpoint == nullptr || endpoint->key_holder.empty()) return {};
  const std::string file = KeyFileOf(model.provider, model.base_url, options.granted.settings);
  if (file.empty())
    return fmt::format(
        "jobs do not have {}, which holds the key of {} here; write {} into a file that only you can read, "
        "and into assay.toml [providers.{}] key_file = \"FILE\"; or say by --cluster-setup where it comes "
        "from",
        endpoint->key_holder, model.provider, endpoint->aws ? "a key of its own" : "it", model.provider);
  // Pods have files of their own.
  if (!SeesThisMachine(EngineOf(options))) return {};
  const Result<Secret> key = ReadKeyFile(file);
  return key ? std::string() : key.error().message;
}

Status HasKeys(const Options& options, const Planned& planned) {
  if (!options.command.sharing.cluster_setup.empty() || options.granted.calls.offline) return Ok();
  if (!SaidBy("PGPASSWORD").empty()) {
    return Error{
        ErrorCode::kInvalidInput,
        "jobs do not have PGPASSWORD; write the password into the file that PGPASSFILE names, or into a "
        "service (PGSERVICEFILE)"};
  }
  for (const ModelToAsk& model : ModelsOfRun(planned, options.spec)) {
    if (const std::string problem = KeyProblem(model, planned, options); !problem.empty())
      return Error{ErrorCode::kInvalidInput, problem};
  }
  return Ok();
}

// Addresses with a password would stand in scripts; "" if none is among the words of jobs.
std::string PasswordProblem(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.starts_with("--store=") || WithoutCredentials(word) == word) continue;
    return fmt::format("{} holds a password, and clusters keep command lines in clear",
                       word.substr(0, word.find('=')));
  }
  return {};
}

// What is printed of a job that nobody here starts.
std::string Printed(const ClusterText& text) {
  std::string printed;
  for (const ClusterFile& file : text.files) {
    if (text.files.size() > 1) printed += fmt::format("# {}\n", file.name);
    printed += file.text;
  }
  for (const ClusterCommand& command : text.commands) printed += LineOf(WordsAfter(command, "JOB")) + "\n";
  return printed;
}

Status WriteScripts(const ClusterJob& job, const ClusterText& text) {
  WrittenFiles files(".", Existing::kReplace);
  files.EnterFolder(fmt::format("{}/{}", kScripts, job.run));
  for (const ClusterFile& file : text.files) {
    ASSAY_CHECK_OK(files.Open(file.name));
    ASSAY_CHECK_OK(files.Write(file.text));
    ASSAY_CHECK_OK(files.Close());
  }
  return Ok();
}

// What the user does where the engine said no.
std::string Remedy(const ClusterCommand& command, const ClusterJob& job) {
  if (command.after.empty()) return "nothing was handed over; the same command continues the run";
  return fmt::format(
      "the shards were handed over, what makes the report was not: when they are done, assay {}",
      LineOf(job.fold));
}

// Hands over one after the other; the ids, in their order.
struct Handed {
  std::vector<std::string> ids;
  StartedEnd last;
};
Result<Handed> HandEach(const ClusterJob& job, const ClusterText& text, const Granted& granted,
                        const HandOverWorld& world, const std::function<bool()>& is_over) {
  Handed handed;
  WorkTeller teller(world.ui);
  for (std::size_t i = 0; i < text.commands.size() && !handed.last.is_left; ++i) {
    const ClusterCommand& command = text.commands[i];
    StartedWatch watch{.on_first_line = {}, .is_over = is_over, .on_tick = {}};
    watch.on_first_line = [&](const std::string& printed) {
      handed.ids.push_back(IdOfPrinted(printed));
      world.ui.Note(fmt::format("{}: job {}", command.what, Printable(handed.ids.back())));
    };
    if (i + 1 == text.commands.size() && job.waits) {
      watch.on_tick = [&] {
        if (const Result<RunWork> work = WorkOnRun(world.store, job.run)) teller.Tell(*work);
      };
    }
    ASSAY_TRY(handed.last, RunToItsEnd(WordsAfter(command, i == 0 ? "" : handed.ids.back()),
                                       EnvironmentOfPrograms(granted), watch));
    // Whoever waits for the report has its exit code; what was not handed over has no id.
    if (handed.ids.size() > i || handed.last.is_left) continue;
    const std::string& said = handed.last.errors;
    return Error{
        ErrorCode::kRefused,
        fmt::format("{}: {}\n{}", command.words.front(),
                    PrintableLines(said.substr(0, said.find_last_not_of('\n') + 1)), Remedy(command, job))};
  }
  return handed;
}

// `failed`: the number that --failed-exit-code gives a run that missed.
ExitCode CodeOfReport(int code, const std::optional<int>& failed) {
  if (failed && code == *failed) return ExitCode::kMissed;
  constexpr ExitCode kCodes[] = {ExitCode::kDone,       ExitCode::kUsage,      ExitCode::kUnfinished,
                                 ExitCode::kMissed,     ExitCode::kRegression, ExitCode::kBudget,
                                 ExitCode::kInterrupted};
  const auto* known = std::find_if(std::begin(kCodes), std::end(kCodes),
                                   [code](ExitCode each) { return static_cast<int>(each) == code; });
  return known == std::end(kCodes) ? ExitCode::kUnfinished : *known;
}

// The engine's word on the job that makes the report is worth nothing where there is none: a job that was
// cancelled may end with 0. kRefused: what is left, and the command that makes the report.
Status WasReportMade(const Options& options, const ClusterJob& job, int code, Store& store) {
  ASSAY_TRY(const RunRecord run, store.FindRun(job.run));
  if (run.state == RunState::kFinished) return Ok();
  const std::string ended = fmt::format(
      "the job that makes the report ended with {} and made none: see {}/fold.log", code, job.scripts);
  if (const Status done = MayFold(store, run, options); !done) {
    Error left = done.error();
    left.notes.insert(left.notes.begin(), ended);
    return left;
  }
  return Error{ErrorCode::kRefused,
               ended,
               {},
               {fmt::format("no cells are left; assay {} makes it", LineOf(job.fold))}};
}

Value HandedValue(const ClusterJob& job, const ClusterText& text, const Handed& handed) {
  Map jobs;
  for (std::size_t i = 0; i < handed.ids.size(); ++i)
    jobs.Append(std::string(text.commands[i].what), handed.ids[i]);
  return Object{{"run", job.run}, {"jobs", std::move(jobs)}, {"scripts", job.scripts}};
}

std::string HandedText(const ClusterJob& job, const ClusterText& text, const Handed& handed) {
  std::string told = fmt::format("run {}\n", job.run);
  for (std::size_t i = 0; i < handed.ids.size(); ++i)
    told += fmt::format("{} {}\n", text.commands[i].what, Printable(handed.ids[i]));
  return told;
}

}  // namespace

Status MayHandOver(const Options& options, const Planned& planned) {
  if (options.command.sharing.cluster.empty()) return Ok();
  const ClusterRow& row = EngineOf(options);
  const auto wrong = [](std::string message) { return Error{ErrorCode::kInvalidInput, std::move(message)}; };
  if (options.command.watch || options.command.open)
    return wrong(
        "--cluster and --watch or --open do not go together: `assay runs --watch` and `assay view` tell "
        "how the run goes");
  const ClusterJob job = JobOf(options, kNoRunYet);
  for (const std::string& problem : {PatchesProblem(job), row.problem(job), PasswordProblem(job.fold)}) {
    if (!problem.empty()) return wrong(problem);
  }
  const bool is_started = SeesThisMachine(row) && !options.command.sharing.dry_run;
  if (is_started && FindProgram(std::string(row.program), SaidBy("PATH")).empty()) {
    return Error{
        ErrorCode::kNotFound,
        fmt::format("there is no {} in PATH; run this where jobs of {} are submitted, or print them with "
                    "--dry-run",
                    row.program, row.name)};
  }
  if (is_started) ASSAY_CHECK_OK(NoLinkBelowHere(kScripts));
  return HasKeys(options, planned);
}

Status CanAllConnect(const Options& options, Store& store) {
  const ShardOptions& sharing = options.command.sharing;
  if (sharing.cluster.empty()) return Ok();
  const std::int64_t needed = sharing.shards * kConnectionsOfSeat + (sharing.wait ? 1 : 0);
  ASSAY_TRY(const std::optional<std::int64_t> left, ConnectionsLeft(store));
  if (!left || *left >= needed) return Ok();
  return Error{
      ErrorCode::kRefused,
      fmt::format("the server of the store has {} left, and {} need {}, {} each; take fewer --shards, raise "
                  "max_connections or the limit of the user or database, or put pgbouncer between",
                  Counted(static_cast<std::uint64_t>(std::max<std::int64_t>(*left, 0)), "connection"),
                  Counted(static_cast<std::uint64_t>(sharing.shards), "shard"), needed, kConnectionsOfSeat)};
}

void WarnOfPlace(const Options& options, Ui& ui) {
  if (!IsOfThisMachine(options.granted.store)) return;
  ui.Problem(
      fmt::format("warning: {} is an address of this machine alone: other nodes do not reach the store by "
                  "it; name the server's host",
                  Printable(ShownLocation(options.granted.store))));
}

ExitCode ShowHandOver(const Options& options, Ui& ui) {
  WarnOfPlace(options, ui);
  ui.Out(Printed(EngineOf(options).text(JobOf(options, kNoRunYet))));
  ui.Note("nothing was begun: RUN stands for the run's id, JOB for that of the shards' job");
  return ExitCode::kDone;
}

Result<ExitCode> HandOver(const Options& options, const std::string& run, const HandOverWorld& world) {
  const ClusterJob job = JobOf(options, run);
  // Once more: a store holds the id.
  if (const std::string problem = EngineOf(options).problem(job); !problem.empty())
    return Error{ErrorCode::kCorrupt, problem};
  const ClusterText text = EngineOf(options).text(job);
  WarnOfPlace(options, world.ui);
  if (text.commands.empty()) {
    world.ui.Out(Printed(text));
    world.ui.Note(fmt::format("run {} is begun; {}", run, EngineOf(options).next));
    return ExitCode::kDone;
  }
  ASSAY_CHECK_OK(WriteScripts(job, text));
  BoundedQueue<bool> stop(1);
  world.signals.Watch([&stop] { stop.PushUnbounded(true); });
  const auto is_over = [&stop] { return stop.HasMessages(); };
  const Result<Handed> each = HandEach(job, text, options.granted, world, is_over);
  world.signals.EndWatch();
  if (!each) return each.error();
  const Handed& handed = *each;
  if (options.shown.json) {
    world.results.push_back(HandedValue(job, text, handed));
  } else {
    world.ui.Out(HandedText(job, text, handed));
  }
  world.ui.Note(fmt::format("scripts and logs: {}; `assay runs --watch {}{}` tells how it goes",
                            Printable(job.scripts), QuoteWord(run),
                            Printable(StoreOption(options.granted.store))));
  if (handed.last.is_left) {
    world.ui.Note("the jobs continue without this command");
    return ExitCode::kInterrupted;
  }
  if (!job.waits) return ExitCode::kDone;
  ASSAY_CHECK_OK(WasReportMade(options, job, handed.last.code, world.store));
  return CodeOfReport(handed.last.code, options.gates.failed_exit_code);
}

}  // namespace assay
