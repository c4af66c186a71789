// The table of options that more than one dialect has, one row each, in the order of the help; those of
// single dialects are listed behind the rows that they name.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>

#include "base/errors/diagnostics.h"
#include "base/limits.h"
#include "base/text/names.h"
#include "base/text/option_text.h"
#include "base/text/shell_words.h"
#include "base/wire/url.h"
#include "cli/settings/options.h"
#include "cli/settings/set_export.h"
#include "cli/settings/set_passing.h"
#include "cli/settings/set_until.h"
#include "cluster/cluster.h"
#include "engine/words.h"
#include "io/sandbox/sandbox.h"
#include "providers/provider.h"
#include "report/decide/labels/label_draw.h"
#include "run/limits/pace/retry_delays.h"
#include "spec/exchange/keyed_headers.h"
#include "spec/limits.h"
#include "spec/report/reduce.h"
#include "store/location.h"

namespace assay {

namespace {

constexpr std::string_view kWhat = "What to run";
constexpr std::string_view kAnswers = "Where answers come from";
constexpr std::string_view kPace = "Pace";
constexpr std::string_view kOutput = "Output";

using Words = std::vector<std::string>;

// The member of a member: MemberOf<&Options::spec, &RunSpec::filter>(options).
template <auto kFirst, auto... kRest, class Struct>
auto& MemberOf(Struct& of) {
  if constexpr (sizeof...(kRest) == 0) {
    return of.*kFirst;
  } else {
    return MemberOf<kRest...>(of.*kFirst);
  }
}

template <auto... kPath>
Status SetText(std::string_view text, Options& options) {
  MemberOf<kPath...>(options) = text;
  return Ok();
}

template <auto... kPath>
Words GetText(const Options& options) {
  return MemberOf<kPath...>(options).empty() ? Words{} : Words{MemberOf<kPath...>(options)};
}

template <auto... kPath>
Status SetSwitch(std::string_view text, Options& options) {
  ASSAY_TRY(MemberOf<kPath...>(options), ParseSwitch(text));
  return Ok();
}

template <auto... kPath>
Words GetSwitch(const Options& options) {
  return MemberOf<kPath...>(options) ? Words{"true"} : Words{};
}

// Ids between commas; a command line goes to the end.
template <auto... kPath>
Status AddModels(std::string_view text, Options& options) {
  while (!text.empty()) {
    const std::optional<ModelName> name = SplitModelId(text);
    const ProviderRow* provider = name ? FindProvider(name->provider) : nullptr;
    const bool is_command = provider != nullptr && provider->route == Route::kProgram;
    const std::size_t comma = is_command ? text.size() : std::min(text.find(','), text.size());
    if (comma > 0) MemberOf<kPath...>(options).emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return Ok();
}

Status SetLimit(std::string_view text, Options& options) {
  ASSAY_TRY(options.spec.limit, ParseNumber<std::size_t>(text, 1, 1'000'000'000));
  return Ok();
}
Words GetLimit(const Options& options) {
  return options.spec.limit ? Words{std::to_string(*options.spec.limit)} : Words{};
}

Status SetInterval(std::string_view text, Options& options) {
  if (text != "default" && text != "bootstrap") return BadValue("default or bootstrap", text);
  options.shown.bootstrap = text == "bootstrap";
  return Ok();
}

Status SetBy(std::string_view text, Options& options) {
  options.shown.by = FindGroupBy(text);
  return options.shown.by ? Ok() : Status(BadValue("group, tag or lang", text));
}

Status SetReduce(std::string_view text, Options& options) {
  if (!FindReducer(text)) return BadValue("avg, max, min or avg_max_K", text);
  options.shown.reduce = text;
  return Ok();
}

// Who names a seed wants draws.
Status SetBootstrapSeed(std::string_view text, Options& options) {
  ASSAY_TRY(options.shown.bootstrap_seed, ParseNumber<std::uint64_t>(text, 0, limits::kBootstrapSeedMax));
  options.shown.bootstrap = true;
  return Ok();
}

Status SetDraw(std::string_view text, Options& options) {
  ASSAY_TRY(options.command.draw, ParseNumber<std::uint64_t>(text, 1, kLabelsDrawnMax));
  return Ok();
}

Status SetSeed(std::string_view text, Options& options) {
  ASSAY_TRY(options.command.seed, ParseNumber<std::uint64_t>(text, 0, limits::kBootstrapSeedMax));
  return Ok();
}

Status SetVotes(std::string_view text, Options& options) {
  ASSAY_TRY(options.spec.votes, ParseNumber<std::uint32_t>(text, 1, limits::kJudgeVotesMax));
  return Ok();
}

Words GetVotes(const Options& options) {
  return options.spec.votes ? Words{std::to_string(*options.spec.votes)} : Words{};
}

Status SetAttempts(std::string_view text, Options& options) {
  ASSAY_TRY(options.spec.attempts, ParseNumber<AttemptIndex>(text, 1, limits::kAttemptsMax));
  return Ok();
}
Words GetAttempts(const Options& options) {
  return options.spec.attempts ? Words{std::to_string(*options.spec.attempts)} : Words{};
}

Status SetMaxTokens(std::string_view text, Options& options) {
  ASSAY_TRY(options.spec.max_tokens, ParseNumber<std::int64_t>(text, 1, limits::kAnswerTokensMax));
  return Ok();
}
Words GetMaxTokens(const Options& options) {
  return options.spec.max_tokens ? Words{std::to_string(*options.spec.max_tokens)} : Words{};
}

Status SetMaxInFlight(std::string_view text, Options& options) {
  ASSAY_TRY(options.granted.calls.max_in_flight, ParseNumber<std::size_t>(text, 1, limits::kMaxInFlightMax));
  return Ok();
}

template <auto... kPath>
Status SetPerMinute(std::string_view text, Options& options) {
  constexpr double kMost = 1e9;
  ASSAY_TRY(MemberOf<kPath...>(options), ParseNumber<double>(text, 1, kMost));
  return Ok();
}

Status SetBudgetUsd(std::string_view text, Options& options) {
  constexpr double kMost = 1e9;
  ASSAY_TRY(options.granted.calls.budget_usd, ParseNumber<double>(text, 0, kMost));
  return Ok();
}

Status SetBudgetTokens(std::string_view text, Options& options) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;
  ASSAY_TRY(options.granted.calls.budget_tokens, ParseNumber<std::int64_t>(text, 0, kMost));
  return Ok();
}

// "20" cells, or "10%" of them.
Status SetMaxErrors(std::string_view text, Options& options) {
  const bool is_percent = text.ends_with('%');
  Result<double> value = is_percent ? ParseNumber<double>(text.substr(0, text.size() - 1), 0, 100)
                                    : ParseNumber<double>(text, 0, 1e9);
  if (!value) return BadValue("a number of cells, or a share of them such as 10%", text);
  options.granted.calls.max_errors = ErrorLimit{.value = *value, .is_percent = is_percent};
  return Ok();
}

Status SetMaxRetries(std::string_view text, Options& options) {
  ASSAY_TRY(options.granted.calls.max_retries, ParseNumber<int>(text, 0, limits::kRetriesMax));
  return Ok();
}

// Alone, or digests between commas.
Status SetTrust(std::string_view text, Options& options) {
  if (text == "true") {
    options.granted.trust = true;
    return Ok();
  }
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (!IsPowersDigest(text.substr(0, comma)))
      return BadValue("a digest of 64 digits, as `assay trust --print` prints it", text.substr(0, comma));
    options.granted.trust_digests.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return Ok();
}

Status SetCell(std::string_view text, Options& options) {
  ASSAY_TRY(const CellIndex number, ParseNumber<CellIndex>(text, 1, limits::kCellsMax));
  options.command.cell = number - 1;
  return Ok();
}

constexpr std::int64_t kShardsMax = 10'000;

Status SetShards(std::string_view text, Options& options) {
  ASSAY_TRY(options.command.sharing.shards, ParseNumber<std::int64_t>(text, 1, kShardsMax));
  return Ok();
}

Status SetShard(std::string_view text, Options& options) {
  ASSAY_TRY(options.command.sharing.shard, ParseNumber<std::int64_t>(text, 1, kShardsMax));
  return Ok();
}

Status SetCluster(std::string_view text, Options& options) {
  if (FindCluster(text) == nullptr) return BadValue("slurm, kubernetes or script", text);
  options.command.sharing.cluster = text;
  return Ok();
}

Status SetMaxFlips(std::string_view text, Options& options) {
  ASSAY_TRY(options.gates.max_flips, ParseNumber<std::size_t>(text, 0, limits::kCellsMax));
  return Ok();
}

template <auto... kPath>
Status SetSeconds(std::string_view text, Options& options) {
  constexpr double kMost = 86'400;
  ASSAY_TRY(MemberOf<kPath...>(options), ParseSeconds(text, 0.001, kMost));
  return Ok();
}

// 0: for nobody.
Status SetPatience(std::string_view text, Options& options) {
  constexpr auto kMost = static_cast<double>(kPatienceMost.count());
  ASSAY_TRY(options.granted.calls.patience_s, ParseSeconds(text, 0, kMost));
  return Ok();
}

Status SetStore(std::string_view text, Options& options) {
  ASSAY_CHECK_OK(CheckLocation(text));
  return SetText<&Options::granted, &Granted::store>(text, options);
}

Status SetRunLabel(std::string_view text, Options& options) {
  if (std::string problem = NameProblem(NameKind::kRunLabel, text); !problem.empty())
    return Error{ErrorCode::kInvalidInput, std::move(problem)};
  return SetText<&Options::spec, &RunSpec::run_label>(text, options);
}

Status SetStoreTimeout(std::string_view text, Options& options) {
  constexpr double kMost = 86'400;
  ASSAY_TRY(options.granted.store_timeout_s, ParseSeconds(text, 0, kMost));
  return Ok();
}

Status SetTimeoutMs(std::string_view text, Options& options) {
  constexpr double kMost = 86'400'000;
  constexpr double kMsPerSecond = 1000;
  const bool has_unit = !text.empty() && (text.back() < '0' || text.back() > '9') && text.back() != '.';
  if (has_unit) {
    ASSAY_TRY(options.granted.calls.timeout_s, ParseSeconds(text, 0.001, kMost / kMsPerSecond));
    return Ok();
  }
  ASSAY_TRY(const double ms, ParseNumber<double>(text, 1, kMost));
  options.granted.calls.timeout_s = ms / kMsPerSecond;
  return Ok();
}

// PROVIDER=URL; whether there is such a provider is checked where providers are known.
Status SetBaseUrl(std::string_view text, Options& options) {
  const std::size_t equals = text.find('=');
  const std::string_view url = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  if (equals == 0 || !IsServiceUrl(url))
    return Error{
        ErrorCode::kInvalidInput,
        "expected PROVIDER=URL, for example openai=http://127.0.0.1:8080/v1, found " + ShownUrl(text)};
  options.spec.base_urls.emplace_back(text);
  return Ok();
}

template <auto... kPath>
Status AddText(std::string_view text, Options& options) {
  MemberOf<kPath...>(options).emplace_back(text);
  return Ok();
}

template <auto... kPath>
Words GetTexts(const Options& options) {
  return MemberOf<kPath...>(options);
}

Status SetPort(std::string_view text, Options& options) {
  ASSAY_TRY(options.command.port, ParseNumber<std::uint16_t>(text, 0, 65'535));
  return Ok();
}

Status SetCase(std::string_view text, Options& options) {
  if (text.empty())
    return Error{ErrorCode::kInvalidInput, "expected a case's id; `assay show RUN` lists them"};
  options.shown.case_id = text;
  return Ok();
}

Status SetCompat(std::string_view text, Options& options) {
  const std::optional<Compat> compat = FindCompat(text);
  if (!compat) return BadValue("weval, asky, infibench or promptfoo", text);
  options.spec.compat = *compat;
  return Ok();
}
Words GetCompat(const Options& options) {
  const std::string_view name = CompatName(options.spec.compat);
  return name.empty() ? Words{} : Words{std::string(name)};
}

Status SetSandbox(std::string_view text, Options& options) {
  if (!FindSandboxLevel(text)) return BadValue("ns, landlock or none", text);
  options.granted.sandbox = text;
  return Ok();
}

Status SetProgress(std::string_view text, Options& options) {
  if (text == "auto") options.shown.progress = ProgressMode::kAuto;
  if (text == "plain") options.shown.progress = ProgressMode::kPlain;
  if (text == "json") options.shown.progress = ProgressMode::kJson;
  if (text == "none") options.shown.progress = ProgressMode::kNone;
  const bool known = text == "auto" || text == "plain" || text == "json" || text == "none";
  return known ? Ok() : Status(BadValue("auto, plain, json or none", text));
}

Status SetColor(std::string_view text, Options& options) {
  if (text == "auto") options.shown.color = ColorMode::kAuto;
  if (text == "always") options.shown.color = ColorMode::kAlways;
  if (text == "never") options.shown.color = ColorMode::kNever;
  const bool known = text == "auto" || text == "always" || text == "never";
  return known ? Ok() : Status(BadValue("auto, always or never", text));
}

constexpr auto kSharedRows = std::to_array<OptionRow>({
    {"-c,--config", "FILE", kWhat, "the blueprint", " run-config ", false, false,
     SetText<&Options::command, &CommandOptions::config>},
    {"-m,--model", "ID", kWhat, "ask this model instead of the suite's own; repeatable", " run plan check ",
     true, true, AddModels<&Options::spec, &RunSpec::models>, GetTexts<&Options::spec, &RunSpec::models>},
    {"--judge", "MODEL", kWhat, "let this model judge instead of the suite's judges; repeatable",
     " run grade plan check run-config ", true, true, AddModels<&Options::spec, &RunSpec::judges>,
     GetTexts<&Options::spec, &RunSpec::judges>},
    {"--filter", "GLOB", kWhat, "only the cases whose id matches", " run grade plan check ", false, true,
     SetText<&Options::spec, &RunSpec::filter>, GetText<&Options::spec, &RunSpec::filter>},
    {"--limit", "N", kWhat, "only the first N cases", " run grade plan check ", false, true, SetLimit,
     GetLimit},
    {"--attempts", "N", kWhat, "ask every case N times", " run grade plan check ", false, true, SetAttempts,
     GetAttempts},
    {"--max-tokens", "N", kWhat,
     "the token limit of an answer, thoughts included, instead of the suite's own", " run plan check ", false,
     true, SetMaxTokens, GetMaxTokens},
    {"--watch", "", kWhat, "run again whenever you save a file of the suite; only changed requests are sent",
     " run ", false, false, SetSwitch<&Options::command, &CommandOptions::watch>},
    {"--watch", "", kWhat, "follow the processes that work on a run on a server until it is complete",
     " runs ", false, false, SetSwitch<&Options::command, &CommandOptions::watch>},
    {"--select", "CASE", kWhat, "only the case with exactly this id; repeatable", " run grade plan check ",
     true, true, AddText<&Options::spec, &RunSpec::selected>, GetTexts<&Options::spec, &RunSpec::selected>},
    {"--until", "QUESTION", kWhat,
     "stop as soon as this is decided: decided (who is first), A>B, A>B+3, gate or ±5 (points); repeatable",
     " run grade plan ", true, true, AddUntil, GetTexts<&Options::spec, &RunSpec::until>},
    {"--within", "POINTS", kWhat, "with --until: variants that differ by less than this are settled",
     " run grade plan ", false, true, SetWithin, GetWithin},
    {"--promise", "WHAT", kWhat,
     "with --until: suite (the whole suite would say the same) or world (other cases of its kind too)",
     " run grade plan ", false, true, SetPromise, GetText<&Options::spec, &RunSpec::promise>},
    {"--order-seed", "TEXT", kWhat, "with --until: the seed of the order in which cases are asked (0)",
     " run grade ", false, true, SetOrderSeed, GetText<&Options::spec, &RunSpec::order_seed>},
    {"--look-every", "N", kWhat,
     "with --until: look at the scores after every N cases (a hundredth of all, at least 10)",
     " run grade plan ", false, true, SetLookEvery, GetLookEvery},
    {"--resume", "RUN", kWhat,
     "continue this run; with --until all, ask what it left out when it was decided", " run ", false, false,
     SetText<&Options::command, &CommandOptions::resume>},
    {"--matrix", "FILE", kWhat, "a research matrix, in addition to the files or instead of them",
     " run plan check ", false, false, SetText<&Options::command, &CommandOptions::matrix>},
    {"--refresh", "", kWhat, "download every document again", " prepare ", false, false,
     SetSwitch<&Options::command, &CommandOptions::refresh>},
    {"--results-dir", "DIR", kWhat, "the folder of a session, instead of an argument", " report ", false,
     false, SetText<&Options::command, &CommandOptions::results_dir>},
    {"--for", "NAME", kWhat, "for exec: the kind of program, openai or asky", " init ", false, false,
     SetText<&Options::command, &CommandOptions::flavour>},
    {"--encoding", "NAME", kWhat,
     "for dataset: the encoding of the table: utf-8 (the default), utf-16, windows-1252 or latin-1", " init ",
     false, false, SetText<&Options::command, &CommandOptions::encoding>},
    {"--accept-partial", "", kWhat,
     "count an answer that lacks a verdict by its other criteria, instead of leaving it out",
     " run grade plan ", false, true, SetSwitch<&Options::spec, &RunSpec::accept_partial>,
     GetSwitch<&Options::spec, &RunSpec::accept_partial>},
    {"--strict-programs", "", kWhat, "a program passes only if there is proof that it ran to its end",
     " run grade plan ", false, true, SetSwitch<&Options::spec, &RunSpec::strict_programs>,
     GetSwitch<&Options::spec, &RunSpec::strict_programs>},
    {"--strict", "", kWhat, "a warning is an error", " check ", false, false,
     SetSwitch<&Options::command, &CommandOptions::fail_on_warnings>},
    {"--no-memo", "", kWhat, "run equal programs of several attempts once for each attempt",
     " run grade plan ", false, true, SetSwitch<&Options::spec, &RunSpec::no_memo>,
     GetSwitch<&Options::spec, &RunSpec::no_memo>},
    {"--compat", "TOOL", kWhat,
     "follow this tool wherever assay differs from it: weval, asky, infibench or promptfoo",
     " run grade plan check ", false, true, SetCompat, GetCompat},
    {"-r,--run-label", "LABEL", kWhat, "the name of the run in the result files", " run grade run-config ",
     false, true, SetRunLabel, GetText<&Options::spec, &RunSpec::run_label>},
    {"--json-judges", "", kWhat,
     "judges answer with JSON that follows a schema, which their services enforce", " run plan ", false, true,
     SetSwitch<&Options::spec, &RunSpec::json_judges>, GetSwitch<&Options::spec, &RunSpec::json_judges>},
    {"--votes", "N", kWhat, "ask each judge N times about each criterion; its verdict is the median",
     " run grade plan ", false, true, SetVotes, GetVotes},
    {"--require-executive-summary", "", kWhat, "let a model summarize the run; exit 2 if there is no summary",
     " run plan run-config ", false, true, SetSwitch<&Options::spec, &RunSpec::require_summary>,
     GetSwitch<&Options::spec, &RunSpec::require_summary>},
    {"--skip-executive-summary", "", kWhat, "write no summary, which --compat weval would request",
     " run plan run-config ", false, true, SetSwitch<&Options::spec, &RunSpec::skip_summary>,
     GetSwitch<&Options::spec, &RunSpec::skip_summary>},

    {"--responses", "PATH", kAnswers,
     "recorded answers instead of models, one variant each: a folder, a file of results, or the suite's own "
     "format",
     " run plan ", true, true, AddText<&Options::spec, &RunSpec::responses>,
     GetTexts<&Options::spec, &RunSpec::responses>},
    {"--fixtures", "FILE", kAnswers, "hand-written replies, in the format of the suite's own tool",
     " run plan check run-config ", false, true, SetText<&Options::spec, &RunSpec::fixtures>,
     GetText<&Options::spec, &RunSpec::fixtures>},
    {"--fixtures-strict", "", kAnswers, "a reply that --fixtures lacks is an error", " run plan run-config ",
     false, true, SetSwitch<&Options::spec, &RunSpec::fixtures_strict>,
     GetSwitch<&Options::spec, &RunSpec::fixtures_strict>},
    {"--replay", "FILE", kAnswers,
     "recorded replies; the default is NAME.replay.jsonl next to NAME.yml; none: ask the models",
     " run plan check run-config ", false, true, SetText<&Options::spec, &RunSpec::replay>,
     GetText<&Options::spec, &RunSpec::replay>},
    {"--record", "FILE", kAnswers, "write the replies of the finished run to a recording for --replay",
     " run ", false, false, SetText<&Options::outputs, &Outputs::record>},
    {"--cache", "", kAnswers, "use answers of earlier runs", " run-config ", false, false,
     SetSwitch<&Options::command, &CommandOptions::cache>},
    {"--offline", "", kAnswers, "send no requests; use only stored and recorded replies",
     " run grade run-config doctor ", false, false,
     SetSwitch<&Options::granted, &Granted::calls, &CallRules::offline>},
    {"--fresh", "", kAnswers, "send every request again; earlier runs keep their answers", " run grade plan ",
     false, false, SetSwitch<&Options::granted, &Granted::calls, &CallRules::fresh>},
    {"--stream", "", kAnswers, "stream answers from providers that can, and report their speed", " run ",
     false, false, SetSwitch<&Options::granted, &Granted::calls, &CallRules::stream>},
    {"--batch", "", kAnswers,
     "use the providers' batch interfaces for requests that can wait, at half the price", " run plan ", false,
     false, SetSwitch<&Options::granted, &Granted::calls, &CallRules::batch>},
    {"--background", "", kAnswers,
     "let the Responses API answer in the background, for models that need minutes", " run ", false, false,
     SetSwitch<&Options::granted, &Granted::calls, &CallRules::background>},
    {"--store", "PATH", kAnswers, "the store: a file (.assay/store.db) or postgresql://USER@HOST/DATABASE",
     " run grade plan runs show view compare calibrate export report cache store doctor run-config ", false,
     false, SetStore},
    {"--store-timeout", "SECONDS", kAnswers,
     "how long to wait for another assay that writes to the file (10), or for a lost server (300)",
     " run grade cache store run-config ", false, false, SetStoreTimeout},
    {"--shards", "N", kAnswers, "share the run among N processes, with a store on a PostgreSQL server",
     " run ", false, false, SetShards},
    {"--shard", "I", kAnswers, "the number of this process, from 1; it writes no result files", " run ",
     false, false, SetShard},
    {"--join", "RUN", kAnswers, "for a shard: work on this run, and never start another", " run ", false,
     false, SetText<&Options::command, &CommandOptions::sharing, &ShardOptions::run>},
    {"--fold", "RUN", kAnswers, "write the report and the files of a run of several shards", " run ", false,
     false, SetText<&Options::command, &CommandOptions::sharing, &ShardOptions::fold>},
    {"--cluster", "NAME", kAnswers,
     "let slurm or kubernetes start the shards and the report; script writes a script for other engines",
     " run ", false, false, SetCluster},
    {"--cluster-arg", "ARG", kAnswers,
     "an option of sbatch; for kubernetes claim=, image=, namespace= or secret=NAME, patch=FILE; repeatable",
     " run ", true, false,
     AddText<&Options::command, &CommandOptions::sharing, &ShardOptions::cluster_arguments>},
    {"--cluster-setup", "LINE", kAnswers, "a line to run in each job before assay, such as `module load gcc`",
     " run ", true, false,
     AddText<&Options::command, &CommandOptions::sharing, &ShardOptions::cluster_setup>},
    {"--dry-run", "", kAnswers,
     "for --cluster and store upgrade: print what would happen, and change nothing", " run store ", false,
     false, SetSwitch<&Options::command, &CommandOptions::sharing, &ShardOptions::dry_run>},
    {"--wait", "", kAnswers,
     "with --cluster, wait for the report and return its exit code; with --fold, wait for the shards",
     " run ", false, false, SetSwitch<&Options::command, &CommandOptions::sharing, &ShardOptions::wait>},
    {"--base-url", "PROVIDER=URL", kAnswers, "the address of a provider; repeatable",
     " run grade plan doctor run-config ", true, true, SetBaseUrl,
     GetTexts<&Options::spec, &RunSpec::base_urls>},
    {"--allow-env", "NAME", kAnswers,
     "let the suite's own requests use this environment variable; repeatable", " run plan run-config ", true,
     true, AddText<&Options::granted, &Granted::environment>,
     GetTexts<&Options::granted, &Granted::environment>},
    {"--allow-host", "HOST", kAnswers,
     "let the suite's own requests reach this private or local host; repeatable", " run plan run-config ",
     true, true, AddText<&Options::granted, &Granted::hosts>, GetTexts<&Options::granted, &Granted::hosts>},
    {"--allow-host", "HOST", kAnswers, "let documents come from this private or local host; repeatable",
     " prepare ", true, false, AddText<&Options::granted, &Granted::hosts>},

    {"--allow-exec", "COMMAND", kAnswers, "let the suite start this program (exec:COMMAND); repeatable",
     " run plan run-config ", true, true, AddText<&Options::granted, &Granted::programs>,
     GetTexts<&Options::granted, &Granted::programs>},

    {"--allow-path", "DIR", kAnswers,
     "let the suite read files in this folder, in addition to its own; repeatable", " run grade plan check ",
     true, true, AddText<&Options::granted, &Granted::paths>, GetTexts<&Options::granted, &Granted::paths>},
    {"--allow-path", "DIR", kAnswers,
     "let file: URLs read this folder, in addition to the dataset's own; repeatable", " prepare ", true,
     false, AddText<&Options::granted, &Granted::paths>},

    {"--trust", "[=DIGEST]", kAnswers,
     "trust ./assay.toml for this command; if CI is set, only with its digest",
     " run grade prepare run-config check plan doctor show compare calibrate export report ", true, false,
     SetTrust},
    {"--trust", "[=DIGEST]", kAnswers, "trust the folder only if its permissions have this digest", " trust ",
     true, false, SetTrust},
    {"--print", "", kOutput,
     "print the digest of the folder's permissions, for --trust=DIGEST, and change nothing", " trust ", false,
     false, SetSwitch<&Options::command, &CommandOptions::print>},

    {"--sandbox", "LEVEL", kPace, "how to isolate programs: ns, landlock or none (the strongest that works)",
     " run grade ", false, true, SetSandbox, GetText<&Options::granted, &Granted::sandbox>},
    {"-j,--max-in-flight", "N", kPace,
     "the number of calls in flight per provider; judges and embeddings have their own N", " run grade plan ",
     false, false, SetMaxInFlight},
    {"-j,--max-in-flight", "N", kPace, "the number of downloads in flight (16)", " prepare ", false, false,
     SetMaxInFlight},
    {"--max-retries", "N", kPace,
     "the number of retries of a download that failed for a temporary reason (2)", " prepare ", false, false,
     SetMaxRetries},
    {"--timeout", "SECONDS", kPace, "how long a server may be silent (60)", " prepare ", false, false,
     SetSeconds<&Options::granted, &Granted::calls, &CallRules::timeout_s>},
    {"--max-retries", "N", kPace,
     "the number of retries of a call that failed for a temporary reason (5; with --compat: 2)",
     " run grade ", false, false, SetMaxRetries},
    {"--patience", "SECONDS", kPace,
     "how long to wait for a service that only answers \"wait\" (600); does not count as a retry",
     " run grade ", false, false, SetPatience},
    {"--timeout", "SECONDS", kPace, "the maximum time of one try of a call (600)", " run grade ", false,
     false, SetSeconds<&Options::granted, &Granted::calls, &CallRules::timeout_s>},
    {"--idle-timeout", "SECONDS", kPace, "how long a started reply may be silent (120)", " run grade ", false,
     false, SetSeconds<&Options::granted, &Granted::calls, &CallRules::idle_timeout_s>},

    {"--requests-per-min", "N", kPace,
     "the maximum number of calls per minute to one provider, judges included", " run plan ", false, false,
     SetPerMinute<&Options::granted, &Granted::calls, &CallRules::requests_per_min>},
    {"--tokens-per-min", "N", kPace,
     "the maximum number of tokens per minute for one provider, input and output", " run plan ", false, false,
     SetPerMinute<&Options::granted, &Granted::calls, &CallRules::tokens_per_min>},
    {"--budget-usd", "X", kPace, "stop with exit code 5 before the calls of this command can cost more",
     " run ", false, false, SetBudgetUsd},
    {"--budget-tokens", "N", kPace, "stop with exit code 5 before the calls can take more tokens", " run ",
     false, false, SetBudgetTokens},
    {"--max-time", "SECONDS", kPace, "send no more requests after this time; exit 2 if requests are left",
     " run ", false, false, SetSeconds<&Options::granted, &Granted::calls, &CallRules::max_time_s>},
    {"--batch-wait", "SECONDS", kPace,
     "cancel a batch after this time and send its remaining requests one by one (86400)", " run ", false,
     false, SetSeconds<&Options::granted, &Granted::calls, &CallRules::batch_wait_s>},
    {"--max-errors", "N|P%", kPace,
     "exit 3 if more cells than this are errors or partial; up to this many do not cause exit 2", " run ",
     false, false, SetMaxErrors},

    {"--gen-timeout-ms", "N", kPace, "the maximum time of one try of a call, in milliseconds", " run-config ",
     false, false, SetTimeoutMs},
    {"--gen-retries", "N", kPace, "the same as --max-retries of assay run", " run-config ", false, false,
     SetMaxRetries},

    {"--out", "DIR", kOutput, "the folder of the result files (./results; with --compat weval: ./.results)",
     " run grade run-config ", false, false, SetText<&Options::outputs, &Outputs::out>},
    {"--result_detail_path", "FILE", kOutput,
     "write a copy of the results of each case to FILE, which is overwritten", " run grade ", false, false,
     SetText<&Options::outputs, &Outputs::result_detail_path>},
    {"--result_summary_path", "FILE", kOutput, "write a copy of the summary to FILE, which is overwritten",
     " run grade ", false, false, SetText<&Options::outputs, &Outputs::result_summary_path>},
    {"--export", "FORMAT=FILE", kOutput, "also write the run to FILE as assay export does; repeatable",
     " run grade ", true, false, AddExport},
    {"--artefacts", "", kOutput,
     "also write a small file for each prompt, model and part, as --compat weval does", " run ", false, false,
     SetSwitch<&Options::spec, &RunSpec::artefacts>},
    {"--update-summaries", "", kOutput, "add the run to summary.json, or to the suite's leaderboard",
     " run grade run-config ", false, false, SetSwitch<&Options::outputs, &Outputs::update_summaries>},
    {"--demo-stdout", "", kOutput, "write no files; print answers and scores as one line of JSON",
     " run-config ", false, false, SetSwitch<&Options::outputs, &Outputs::payload>},
    {"--to", "FORMAT", kOutput, "the format to write; `assay list exporters` lists the formats", " export ",
     false, false, SetText<&Options::command, &CommandOptions::format>},
    {"-o,--output", "FILE", kOutput, "the file to write or overwrite (standard output)", " export ", false,
     false, SetText<&Options::command, &CommandOptions::output>},
    {"-o,--output", "FILE", kOutput, "for --draw: a new file (standard output)", " calibrate ", false, false,
     SetText<&Options::command, &CommandOptions::output>},
    {"--failed", "", kOutput, "only what failed, and the command that runs it again", " show ", false, false,
     SetSwitch<&Options::shown, &Shown::failed>},
    {"--case", "ID", kOutput, "one case: every attempt with its criteria, votes and reasons",
     " show compare ", false, false, SetCase},
    {"--power", "", kOutput,
     "which differences this number of cases can show, and how many cases smaller differences need", " plan ",
     false, false, SetSwitch<&Options::shown, &Shown::power>},
    {"--for", "POINTS", kOutput,
     "the cheapest numbers of cases, attempts, judges and votes that make each mean known to ± POINTS",
     " plan ", false, false, SetHalfWidth},
    {"--open", "", kOutput, "open the browser with the runs, or with the run when it ends; stop with Ctrl-C",
     " view run ", false, false, SetSwitch<&Options::command, &CommandOptions::open>},
    {"--port", "N", kOutput, "the port at 127.0.0.1 that serves the pages (any free port)", " view run ",
     false, false, SetPort},
    {"--by-question", "", kOutput,
     "pair cases with equal turns, even if their ideal answers or checks differ", " compare run grade show ",
     false, false, SetSwitch<&Options::shown, &Shown::by_question>},
    {"--markdown", "", kOutput, "print tables as Markdown, for a pull request", " compare ", false, false,
     SetSwitch<&Options::shown, &Shown::markdown>},
    {"--cell", "N", kOutput, "the cell to explain, counted from 1 (the first cell with a request)", " cache ",
     false, false, SetCell},
    {"--older", "AGE", kOutput, "remove what is older than this: 90d, 12h, 2w", " cache ", false, false,
     SetText<&Options::command, &CommandOptions::older>},
    {"--run", "RUN", kAnswers, "copy only this run", " cache ", false, false,
     SetText<&Options::command, &CommandOptions::run>},
    {"--all", "", kOutput, "also list providers without a key, and the languages of unit tests", " doctor ",
     false, false, SetSwitch<&Options::command, &CommandOptions::all>},
    {"--all", "", kOutput, "write all cases of a large run, not only those that fail or differ (--to html)",
     " export ", false, false, SetSwitch<&Options::command, &CommandOptions::all>},
    {"--config", "", kOutput, "show each setting of a run with its value and its origin", " doctor ", false,
     false, SetSwitch<&Options::shown, &Shown::settings>},
    {"--fail-under", "X", kOutput, "exit 3 if the ranking value of a variant is below X (0 to 1)",
     " run grade ", false, false, SetFailUnder},
    {"--pass-rate", "SHARE", kOutput, "exit 3 if less than this share of the cells pass; errors do not pass",
     " run grade ", false, false, SetPassRate},
    {"--failed-exit-code", "N", kOutput,
     "the exit code, 1 to 255, in place of 3 (with --compat promptfoo: 100)", " run grade ", false, false,
     SetFailedExitCode},
    {"--early", "", kOutput,
     "stop as soon as the cells that are left cannot change what --fail-under, --fail-on-flip or "
     "--max-errors "
     "say",
     " run grade ", false, false, SetSwitch<&Options::gates, &GateOptions::early>},
    {"--strict-models", "", kOutput,
     "exit 2 if a reply names another model than the requested one; warn if replies name none", " run grade ",
     false, false, SetSwitch<&Options::gates, &GateOptions::strict_models>},
    {"--labels", "FILE", kOutput,
     "a table (CSV) with the columns case, variant and label, and optionally attempt or check",
     " calibrate view ", false, false, SetText<&Options::command, &CommandOptions::labels>},
    {"--draw", "N", kOutput, "write a random sample of N answers or verdicts for people to label",
     " calibrate ", false, false, SetDraw},
    {"--seed", "S", kOutput, "the seed of the sample (0)", " calibrate ", false, false, SetSeed},
    {"--fail-on-regression", "BASE", kOutput,
     "exit 4 if a variant is worse than in BASE (a run id or an exported file), 2 if the data cannot tell",
     " run grade show ", false, false, SetText<&Options::gates, &GateOptions::fail_on_regression>},
    {"--fail-on-flip", "BASE", kOutput,
     "exit 4 if a case fails that passed in BASE (a run id or an exported file)", " run grade show ", false,
     false, SetText<&Options::gates, &GateOptions::fail_on_flip>},
    {"--max-flips", "N", kOutput, "for --fail-on-flip: the number of cases of a variant that may fail (0)",
     " run grade show ", false, false, SetMaxFlips},
    {"--known-flaky", "FILE", kOutput, "a file of cases that no gate counts, with one case id per line",
     " run grade show ", false, false, SetText<&Options::gates, &GateOptions::known_flaky>},
    {"--reduce", "HOW", kOutput, "combine attempts by avg (the plain mean), max, min or avg_max_K",
     " grade show compare ", false, false, SetReduce},
    {"--each-attempt", "", kOutput,
     "show the mean of each attempt over the cases, and how much these means vary", " show ", false, false,
     SetSwitch<&Options::shown, &Shown::each_attempt>},
    {"--interval", "KIND", kOutput, "the kind of 95 % intervals: default or bootstrap", " show compare ",
     false, false, SetInterval},
    {"--bootstrap-seed", "N", kOutput, "use bootstrap intervals with this seed (0)", " show compare ", false,
     false, SetBootstrapSeed},
    {"--delta", "D", kOutput, "a drop of up to D is not a regression: 0.02 is 2 points (0)",
     " run grade show ", false, false, SetDelta},
    {"--pair", "NEW=BASE", kOutput, "compare variant NEW with variant BASE in a gate; repeatable",
     " run grade show ", true, false, AddText<&Options::gates, &GateOptions::pairs>},
    {"--pair", "A=B", kOutput, "compare variant A with variant B, although their ids differ; repeatable",
     " compare ", true, false, AddText<&Options::gates, &GateOptions::pairs>},
    {"--pass-at", "X", kOutput, "the lowest score that passes (0.5)", " run grade show view export ", false,
     true, SetPassAt, GetPassAt},
    {"--pass-at-k", "K,K", kOutput,
     "the unbiased rate at which one of K attempts passes: 1,5,10 (a count; --pass-at is a score)",
     " run grade plan check show ", false, true, SetPassAtK, GetPassAtK},
    {"--by", "WHAT", kOutput, "also a table of means and pass rates by group, tag or lang",
     " run grade show compare ", false, false, SetBy},
    {"--pass-attempts", "SHARE", kOutput,
     "the share of attempts that must pass for a case to pass (0.5: 1 of 2)", " run grade show view export ",
     false, true, SetPassAttempts, GetPassAttempts},
    {"--json", "", kOutput, "machine-readable output",
     " trust run grade plan check list runs show compare calibrate cache doctor run-config ", false, false,
     SetSwitch<&Options::shown, &Shown::json>},
    {"--color", "WHEN", kOutput, "auto (on a terminal, unless NO_COLOR is set), always or never",
     " run grade check run-config prepare report plan list runs show view compare calibrate export cache "
     "doctor trust init demo help explain ",
     false, false, SetColor},
    {"--progress", "MODE", kOutput, "auto, plain, json (one object per line) or none",
     " run grade run-config ", false, false, SetProgress},
    {"-q,--quiet", "", kOutput, "show no progress and no notes, only results and problems",
     " run grade plan check export run-config prepare demo ", false, false,
     SetSwitch<&Options::shown, &Shown::quiet>},
    {"-v,--verbose", "", kOutput,
     "show every case and attempt in the tables, and every file that was written",
     " run grade show run-config ", false, false, SetSwitch<&Options::shown, &Shown::verbose>},
});

OptionRow RowOf(const DialectOption& option, std::string_view names, std::string_view group) {
  return {.names = names,
          .value = option.value,
          .group = group,
          .help = option.help,
          .commands = option.commands,
          .repeatable = option.repeatable,
          .shapes_run = option.shapes_run,
          .own = &option};
}

// The rows above, and those of dialects where they want to stand. Several dialects may share a row; rows of
// one name for other commands stand by themselves.
std::vector<OptionRow> AllRows(std::deque<std::string>& names) {
  std::vector<OptionRow> rows(kSharedRows.begin(), kSharedRows.end());
  for (const DialectRow& dialect : DialectTable()) {
    auto before = rows.end();
    for (const DialectOption& option : dialect.options) {
      const auto shared = std::find_if(rows.begin(), rows.end(), [&](const OptionRow& row) {
        return row.own != nullptr && row.own->name == option.name && row.commands == option.commands;
      });
      if (shared != rows.end()) {
        before = shared;
        continue;
      }
      if (!option.behind.empty()) {
        before = std::find_if(rows.begin(), rows.end(),
                              [&](const OptionRow& row) { return row.LongName() == option.behind; });
      }
      ASSAY_ASSERT(before != rows.end());
      names.push_back(fmt::format("--{}", option.name));
      before = rows.insert(before + 1, RowOf(option, names.back(), before->group));
    }
  }
  return rows;
}

}  // namespace

TrustGiven TrustOf(const Granted& granted) {
  return {.everything = granted.trust, .digests = granted.trust_digests, .remembered = {}};
}

std::span<const OptionRow> OptionTable() {
  static std::deque<std::string> names;  // of the dialects' rows
  static const std::vector<OptionRow> rows = AllRows(names);
  return rows;
}

Status OptionRow::Set(std::string_view text, Options& options) const {
  if (own == nullptr) return set(text, options);
  return SetOwn(*own, text, own->shapes_run ? options.spec.own : options.granted.own);
}

std::vector<std::string> OptionRow::Get(const Options& options) const {
  return own == nullptr ? get(options) : options.spec.own.Texts(own->name);
}

const GivenOption* Options::Given(std::string_view name) const {
  const auto found =
      std::find_if(given.begin(), given.end(), [name](const GivenOption& each) { return each.name == name; });
  return found == given.end() ? nullptr : &*found;
}

RunSpec Options::SpecOf(const std::string& file) const {
  RunSpec of_file = spec;
  of_file.file = file;
  return of_file;
}

bool OptionRow::TakenBy(std::string_view command) const {
  return commands.find(fmt::format(" {} ", command)) != std::string_view::npos;
}

std::string_view OptionRow::LongName() const { return names.substr(names.find("--")); }

std::string OptionRow::Environment() const {
  std::string name = fmt::format("ASSAY_{}", LongName().substr(2));
  for (char& c : name) {
    if (c == '-') c = '_';
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

std::string RunWords(const Options& options, std::string_view file) {
  std::string words = QuoteWord(WithoutCredentials(file));
  for (const OptionRow& row : OptionTable()) {
    if (!row.shapes_run) continue;
    for (const std::string& value : row.Get(options)) {
      words += fmt::format(" {}", row.LongName());
      if (!row.value.empty()) words += fmt::format(" {}", QuoteWord(WithoutCredentials(value)));
    }
  }
  return words;
}

}  // namespace assay
