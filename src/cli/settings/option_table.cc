// Every option, one row each; their order is the order of the help.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/core.h>

#include "base/diagnostics.h"
#include "base/limits.h"
#include "base/shell_words.h"
#include "cli/settings/options.h"
#include "cli/words.h"
#include "io/sandbox/sandbox.h"
#include "providers/provider.h"
#include "spec/limits.h"

namespace assay {

namespace {

constexpr std::string_view kWhat = "What to run";
constexpr std::string_view kAnswers = "Where answers come from";
constexpr std::string_view kPace = "Pace";
constexpr std::string_view kOutput = "Output";

using Words = std::vector<std::string>;

Error BadValue(std::string_view expected, std::string_view text) {
  return Error{ErrorCode::kInvalidInput, fmt::format("expected {}, found {}", expected, Quoted(text))};
}

template <std::string Options::*kMember>
Status SetText(std::string_view text, Options& options) {
  options.*kMember = text;
  return Ok();
}

template <std::string Options::*kMember>
Words GetText(const Options& options) {
  return (options.*kMember).empty() ? Words{} : Words{options.*kMember};
}

Status ReadSwitch(std::string_view text, bool& is_on) {
  for (const std::string_view on : {"true", "1", "on", "yes"}) {
    if (text == on) is_on = true;
  }
  for (const std::string_view off : {"false", "0", "off", "no"}) {
    if (text == off) return Ok();
  }
  return is_on ? Ok() : Status(BadValue("true or false", text));
}

template <bool Options::*kMember>
Status SetSwitch(std::string_view text, Options& options) {
  return ReadSwitch(text, options.*kMember);
}

template <bool Options::*kMember>
Words GetSwitch(const Options& options) {
  return options.*kMember ? Words{"true"} : Words{};
}

// One switch for each way; of both --no-weights wins.
template <bool kCount>
Status SetWeights(std::string_view text, Options& options) {
  bool is_on = false;
  ASSAY_CHECK_OK(ReadSwitch(text, is_on));
  if (is_on) options.weighted = kCount;
  return Ok();
}

template <bool kCount>
Words GetWeights(const Options& options) {
  return options.weighted == kCount ? Words{"true"} : Words{};
}

template <class Number>
Result<Number> ParseNumber(std::string_view text, Number least, Number most) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= least && number <= most)) {
    return BadValue(fmt::format("a number from {} to {}", least, most), text);
  }
  return number;
}

// Ids between commas; a command line goes to the end.
template <std::vector<std::string> Options::*kMember>
Status AddModels(std::string_view text, Options& options) {
  while (!text.empty()) {
    const std::optional<ModelName> name = SplitModelId(text);
    const ProviderRow* provider = name ? FindProvider(name->provider) : nullptr;
    const bool is_command = provider != nullptr && provider->route == Route::kProgram;
    const std::size_t comma = is_command ? text.size() : std::min(text.find(','), text.size());
    if (comma > 0) (options.*kMember).emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return Ok();
}

Status SetLimit(std::string_view text, Options& options) {
  ASSAY_TRY(options.limit, ParseNumber<std::size_t>(text, 1, 1'000'000'000));
  return Ok();
}
Words GetLimit(const Options& options) {
  return options.limit ? Words{std::to_string(*options.limit)} : Words{};
}

Status SetInterval(std::string_view text, Options& options) {
  if (text != "default" && text != "bootstrap") return BadValue("default or bootstrap", text);
  options.bootstrap = text == "bootstrap";
  return Ok();
}

// Who names a seed wants draws.
Status SetBootstrapSeed(std::string_view text, Options& options) {
  ASSAY_TRY(options.bootstrap_seed, ParseNumber<std::uint64_t>(text, 0, limits::kBootstrapSeedMax));
  options.bootstrap = true;
  return Ok();
}

Status SetVotes(std::string_view text, Options& options) {
  ASSAY_TRY(options.votes, ParseNumber<std::uint32_t>(text, 1, limits::kJudgeVotesMax));
  return Ok();
}

Words GetVotes(const Options& options) {
  return options.votes ? Words{std::to_string(*options.votes)} : Words{};
}

Status SetAttempts(std::string_view text, Options& options) {
  ASSAY_TRY(options.attempts, ParseNumber<AttemptIndex>(text, 1, limits::kAttemptsMax));
  return Ok();
}
Words GetAttempts(const Options& options) {
  return options.attempts ? Words{std::to_string(*options.attempts)} : Words{};
}

Status SetMaxTokens(std::string_view text, Options& options) {
  ASSAY_TRY(options.max_tokens, ParseNumber<std::int64_t>(text, 1, limits::kAnswerTokensMax));
  return Ok();
}
Words GetMaxTokens(const Options& options) {
  return options.max_tokens ? Words{std::to_string(*options.max_tokens)} : Words{};
}

Status SetMaxInFlight(std::string_view text, Options& options) {
  ASSAY_TRY(options.max_in_flight, ParseNumber<std::size_t>(text, 1, limits::kMaxInFlightMax));
  return Ok();
}

template <std::optional<double> Options::*kMember>
Status SetPerMinute(std::string_view text, Options& options) {
  constexpr double kMost = 1e9;
  ASSAY_TRY(options.*kMember, ParseNumber<double>(text, 1, kMost));
  return Ok();
}

Status SetBudgetUsd(std::string_view text, Options& options) {
  constexpr double kMost = 1e9;
  ASSAY_TRY(options.budget_usd, ParseNumber<double>(text, 0, kMost));
  return Ok();
}

Status SetBudgetTokens(std::string_view text, Options& options) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;
  ASSAY_TRY(options.budget_tokens, ParseNumber<std::int64_t>(text, 0, kMost));
  return Ok();
}

Status SetTurnTime(std::string_view text, Options& options) {
  constexpr double kMost = 1e6;
  ASSAY_TRY(options.turn_limits.seconds, ParseNumber<double>(text, 0.001, kMost));
  return Ok();
}

Status SetTurnTokens(std::string_view text, Options& options) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  ASSAY_TRY(options.turn_limits.tokens, ParseNumber<std::int64_t>(text, 1, kMost));
  return Ok();
}

Status SetTurnUsd(std::string_view text, Options& options) {
  constexpr double kMost = 1e6;
  ASSAY_TRY(options.turn_limits.usd, ParseNumber<double>(text, 1e-6, kMost));
  return Ok();
}

template <class Number>
Words WordsOf(const std::optional<Number>& number) {
  return number ? Words{fmt::format("{}", *number)} : Words{};
}
Words GetTurnTime(const Options& options) { return WordsOf(options.turn_limits.seconds); }
Words GetTurnTokens(const Options& options) { return WordsOf(options.turn_limits.tokens); }
Words GetTurnUsd(const Options& options) { return WordsOf(options.turn_limits.usd); }

// "20" cells, or "10%" of them.
Status SetMaxErrors(std::string_view text, Options& options) {
  const bool is_percent = text.ends_with('%');
  Result<double> value = is_percent ? ParseNumber<double>(text.substr(0, text.size() - 1), 0, 100)
                                    : ParseNumber<double>(text, 0, 1e9);
  if (!value) return BadValue("a number of cells, or a share of them such as 10%", text);
  options.max_errors = ErrorLimit{.value = *value, .is_percent = is_percent};
  return Ok();
}

Status SetMaxRetries(std::string_view text, Options& options) {
  ASSAY_TRY(options.max_retries, ParseNumber<int>(text, 0, limits::kRetriesMax));
  return Ok();
}

// Alone, or digests between commas.
Status SetTrust(std::string_view text, Options& options) {
  if (text == "true") {
    options.trust = true;
    return Ok();
  }
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (!IsPowersDigest(text.substr(0, comma)))
      return BadValue("a digest of 64 digits, as `assay trust --print` prints it", text.substr(0, comma));
    options.trust_digests.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return Ok();
}

Status SetCell(std::string_view text, Options& options) {
  ASSAY_TRY(options.cell, ParseNumber<CellIndex>(text, 0, limits::kCellsMax));
  return Ok();
}

Status SetFailUnder(std::string_view text, Options& options) {
  ASSAY_TRY(options.fail_under, ParseNumber<double>(text, 0, 1));
  return Ok();
}

Status SetDelta(std::string_view text, Options& options) {
  ASSAY_TRY(options.delta, ParseNumber<double>(text, 0, 1));
  return Ok();
}

Status SetMaxFlips(std::string_view text, Options& options) {
  ASSAY_TRY(options.max_flips, ParseNumber<std::size_t>(text, 0, limits::kCellsMax));
  return Ok();
}

template <std::optional<double> Options::*kMember>
Status SetSeconds(std::string_view text, Options& options) {
  constexpr double kMost = 86'400;
  ASSAY_TRY(options.*kMember, ParseNumber<double>(text, 0.001, kMost));
  return Ok();
}

// 0: for nobody.
Status SetPatience(std::string_view text, Options& options) {
  constexpr double kMost = 604'800;
  ASSAY_TRY(options.patience_s, ParseNumber<double>(text, 0, kMost));
  return Ok();
}

Status SetStoreTimeout(std::string_view text, Options& options) {
  constexpr double kMost = 86'400;
  ASSAY_TRY(options.store_timeout_s, ParseNumber<double>(text, 0, kMost));
  return Ok();
}

Status SetTimeoutMs(std::string_view text, Options& options) {
  constexpr double kMost = 86'400'000;
  constexpr double kMsPerSecond = 1000;
  ASSAY_TRY(const double ms, ParseNumber<double>(text, 1, kMost));
  options.timeout_s = ms / kMsPerSecond;
  return Ok();
}

// PROVIDER=URL; whether there is such a provider is checked where providers are known.
Status SetBaseUrl(std::string_view text, Options& options) {
  const std::size_t equals = text.find('=');
  const std::string_view url = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  if (equals == 0 || (!url.starts_with("http://") && !url.starts_with("https://")))
    return BadValue("PROVIDER=URL, for example openai=http://127.0.0.1:8080/v1", text);
  options.base_urls.emplace_back(text);
  return Ok();
}

template <std::vector<std::string> Options::*kMember>
Status AddText(std::string_view text, Options& options) {
  (options.*kMember).emplace_back(text);
  return Ok();
}

template <std::vector<std::string> Options::*kMember>
Words GetTexts(const Options& options) {
  return options.*kMember;
}

Status SetPassAt(std::string_view text, Options& options) {
  ASSAY_TRY(options.pass_at, ParseNumber<double>(text, 0, 1));
  return Ok();
}
Words GetPassAt(const Options& options) {
  return options.pass_at == Options().pass_at ? Words() : Words{fmt::format("{}", options.pass_at)};
}

Status SetCase(std::string_view text, Options& options) {
  if (text.empty())
    return Error{ErrorCode::kInvalidInput, "expected a case's id; `assay show RUN` lists them"};
  options.case_id = text;
  return Ok();
}

// The behaviours of other tools that exist so far.
constexpr std::pair<std::string_view, Compat> kCompats[] = {
    {"weval", Compat::kWeval}, {"asky", Compat::kAsky}, {"infibench", Compat::kInfibench}};

Status SetCompat(std::string_view text, Options& options) {
  for (const auto& [name, compat] : kCompats) {
    if (text != name) continue;
    options.compat = compat;
    return Ok();
  }
  return BadValue("weval, asky or infibench", text);
}
Words GetCompat(const Options& options) {
  for (const auto& [name, compat] : kCompats) {
    if (options.compat == compat) return {std::string(name)};
  }
  return {};
}

Status SetSandbox(std::string_view text, Options& options) {
  if (!FindSandboxLevel(text)) return BadValue("ns, landlock or none", text);
  options.sandbox = text;
  return Ok();
}

Status SetProgress(std::string_view text, Options& options) {
  if (text == "auto") options.progress = ProgressMode::kAuto;
  if (text == "plain") options.progress = ProgressMode::kPlain;
  if (text == "json") options.progress = ProgressMode::kJson;
  if (text == "none") options.progress = ProgressMode::kNone;
  const bool known = text == "auto" || text == "plain" || text == "json" || text == "none";
  return known ? Ok() : Status(BadValue("auto, plain, json or none", text));
}

constexpr auto kRows = std::to_array<OptionRow>({
    {"-c,--config", "FILE", kWhat, "the blueprint", " run-config ", false, false, SetText<&Options::config>},
    {"-m,--model", "ID", kWhat, "ask this model instead of the suite's own; may be repeated",
     " run plan check ", true, true, AddModels<&Options::models>, GetTexts<&Options::models>},
    {"--judge", "MODEL", kWhat, "judge by this model instead of the suite's judges; may be repeated",
     " run grade plan check run-config ", true, true, AddModels<&Options::judges>,
     GetTexts<&Options::judges>},
    {"--filter", "GLOB", kWhat, "only the cases whose id matches", " run grade plan check ", false, true,
     SetText<&Options::filter>, GetText<&Options::filter>},
    {"--limit", "N", kWhat, "only the first N cases", " run grade plan check ", false, true, SetLimit,
     GetLimit},
    {"--attempts", "N", kWhat, "ask every case N times", " run grade plan check ", false, true, SetAttempts,
     GetAttempts},
    {"--max-tokens", "N", kWhat, "answers of at most N tokens, thoughts included, whatever the suite says",
     " run plan check ", false, true, SetMaxTokens, GetMaxTokens},
    {"--watch", "", kWhat, "run again whenever a file of the suite is saved; asks only what changed", " run ",
     false, false, SetSwitch<&Options::watch>},
    {"--select", "CASE", kWhat, "only this case, as the suite names it; may be repeated",
     " run grade plan check ", true, true, AddText<&Options::selected>, GetTexts<&Options::selected>},
    {"--matrix", "FILE", kWhat, "a research matrix, beside the files or instead of them", " run plan check ",
     false, false, SetText<&Options::matrix>},
    {"--run", "ID", kWhat, "only these runs of a research matrix, between commas; may be repeated",
     " run plan check ", true, true, AddText<&Options::runs>, GetTexts<&Options::runs>},
    {"--dataset", "FILE", kWhat, "the research dataset: its documents, or what the report is titled by",
     " prepare report ", false, false, SetText<&Options::dataset>},
    {"--dataset", "FILE", kWhat, "this research dataset instead of the matrix's own", " run plan check ",
     false, true, SetText<&Options::dataset>, GetText<&Options::dataset>},
    {"--snapshot-root", "DIR", kWhat, "where documents are pinned (temp/research_eval/snapshots)",
     " prepare ", false, false, SetText<&Options::snapshot_root>},
    {"--snapshot-root", "DIR", kWhat, "where documents are pinned, instead of the matrix's own place",
     " run plan check ", false, true, SetText<&Options::snapshot_root>, GetText<&Options::snapshot_root>},
    {"--output-root", "DIR", kWhat, "where sessions of a research matrix go, instead of its own place",
     " run ", false, false, SetText<&Options::output_root>},
    {"--mock-web", "FILE", kWhat, "a simulated web, of a matrix's runs of mock_web", " run plan check ",
     false, true, SetText<&Options::mock_web>, GetText<&Options::mock_web>},
    {"--embedder", "NAME", kWhat,
     "whose vectors find passages of research documents: hash, none or PROVIDER:MODEL (hash)",
     " run plan check ", false, true, SetText<&Options::embedder>, GetText<&Options::embedder>},
    {"--refresh", "", kWhat, "download every document again", " prepare ", false, false,
     SetSwitch<&Options::refresh>},
    {"--results-dir", "DIR", kWhat, "the folder of a session, instead of an argument", " report ", false,
     false, SetText<&Options::results_dir>},
    {"--for", "NAME", kWhat, "what the files are for: openai or asky, of exec", " init ", false, false,
     SetText<&Options::flavour>},
    {"--weighted", "", kWhat, "cases count with the suite's weights, with --compat infibench too",
     " run grade plan check ", false, true, SetWeights<true>, GetWeights<true>},
    {"--no-weights", "", kWhat, "cases count alike, whatever weights the suite gives them",
     " run grade plan check ", false, true, SetWeights<false>, GetWeights<false>},
    {"--accept-partial", "", kWhat,
     "answers that lack a verdict count by the points that have one, instead of being left out",
     " run grade plan ", false, true, SetSwitch<&Options::accept_partial>,
     GetSwitch<&Options::accept_partial>},
    {"--strict-programs", "", kWhat, "a program passes only if it is proved to have come to its end",
     " run grade plan ", false, true, SetSwitch<&Options::strict>, GetSwitch<&Options::strict>},
    {"--strict", "", kWhat, "a warning is an error", " check ", false, false,
     SetSwitch<&Options::fail_on_warnings>},
    {"--no-memo", "", kWhat, "equal programs of several attempts run for each of them", " run grade plan ",
     false, true, SetSwitch<&Options::no_memo>, GetSwitch<&Options::no_memo>},
    {"--compat", "TOOL", kWhat, "do as this tool does where the two differ: weval, asky, infibench",
     " run grade plan check ", false, true, SetCompat, GetCompat},
    {"-r,--run-label", "LABEL", kWhat, "name of the run in the result files", " run grade run-config ", false,
     true, SetText<&Options::run_label>, GetText<&Options::run_label>},
    {"--eval-method", "LIST", kWhat, "embedding, llm-coverage, all or none", " run plan check run-config ",
     false, true, SetText<&Options::eval_method>, GetText<&Options::eval_method>},
    {"--json-judges", "", kWhat, "judges write their verdicts as JSON, held to a schema by their services",
     " run plan ", false, true, SetSwitch<&Options::json_judges>, GetSwitch<&Options::json_judges>},
    {"--votes", "N", kWhat, "ask each judge N times about each point; the median is its verdict",
     " run grade plan ", false, true, SetVotes, GetVotes},
    {"--collections-repo-path", "DIR", kWhat, "folder whose models/ names model collections",
     " run plan check run-config ", false, true, SetText<&Options::collections_dir>,
     GetText<&Options::collections_dir>},
    {"--require-executive-summary", "", kWhat, "let a model sum up the run; exit 2 if there is no summary",
     " run plan run-config ", false, true, SetSwitch<&Options::require_summary>,
     GetSwitch<&Options::require_summary>},
    {"--skip-executive-summary", "", kWhat, "no summary; only --compat weval asks for one by itself",
     " run plan run-config ", false, true, SetSwitch<&Options::skip_summary>,
     GetSwitch<&Options::skip_summary>},

    {"--responses", "PATH", kAnswers,
     "recorded answers instead of models, a variant each: of the suite's format, a file of results, a folder",
     " run plan ", true, true, AddText<&Options::responses>, GetTexts<&Options::responses>},
    {"--fixtures", "FILE", kAnswers, "hand-written replies, in the format of the suite's own tool",
     " run plan check run-config ", false, true, SetText<&Options::fixtures>, GetText<&Options::fixtures>},
    {"--fixtures-strict", "", kAnswers, "a reply that --fixtures lacks is an error", " run plan run-config ",
     false, true, SetSwitch<&Options::fixtures_strict>, GetSwitch<&Options::fixtures_strict>},
    {"--replay", "FILE", kAnswers,
     "recorded replies; unasked NAME.replay.jsonl beside NAME.yml; none: ask the models",
     " run plan check run-config ", false, true, SetText<&Options::replay>, GetText<&Options::replay>},
    {"--record", "FILE", kAnswers, "write the replies of the finished run as such a recording", " run ",
     false, false, SetText<&Options::record>},
    {"--cache", "", kAnswers, "use answers of earlier runs", " run-config ", false, false,
     SetSwitch<&Options::cache>},
    {"--offline", "", kAnswers, "ask nothing new: only stored and recorded replies", " run grade run-config ",
     false, false, SetSwitch<&Options::offline>},
    {"--fresh", "", kAnswers, "ask everything again; earlier runs keep their answers", " run grade plan ",
     false, false, SetSwitch<&Options::fresh>},
    {"--stream", "", kAnswers, "answers come piece by piece where a provider can, and their pace is told",
     " run ", false, false, SetSwitch<&Options::stream>},
    {"--batch", "", kAnswers, "hand what may wait to the providers' batch interfaces, at half price",
     " run plan ", false, false, SetSwitch<&Options::batch>},
    {"--store", "PATH", kAnswers, "the store's file (.assay/store.db)",
     " run grade plan runs show compare calibrate export report cache doctor run-config ", false, false,
     SetText<&Options::store>},
    {"--store-timeout", "SECONDS", kAnswers,
     "how long to wait for another assay that writes to the store (10)", " run grade cache run-config ",
     false, false, SetStoreTimeout},
    {"--base-url", "PROVIDER=URL", kAnswers, "ask a provider at another address; may be repeated",
     " run grade plan run-config ", true, true, SetBaseUrl, GetTexts<&Options::base_urls>},
    {"--allow-env", "NAME", kAnswers, "let the suite's own requests use this name of the environment",
     " run run-config ", true, true, AddText<&Options::allowed_environment>,
     GetTexts<&Options::allowed_environment>},
    {"--allow-host", "HOST", kAnswers, "let the suite's own requests reach this private or local host",
     " run run-config ", true, true, AddText<&Options::allowed_hosts>, GetTexts<&Options::allowed_hosts>},
    {"--allow-host", "HOST", kAnswers, "let documents come from this private or local host; may be repeated",
     " prepare ", true, false, AddText<&Options::allowed_hosts>},

    {"--allow-exec", "COMMAND", kAnswers, "let the suite ask this program (exec:COMMAND); may be repeated",
     " run run-config ", true, true, AddText<&Options::allowed_programs>,
     GetTexts<&Options::allowed_programs>},

    {"--allow-path", "DIR", kAnswers, "let the suite read files of this folder, beside its own",
     " run grade plan check ", true, true, AddText<&Options::allowed_paths>,
     GetTexts<&Options::allowed_paths>},
    {"--allow-path", "DIR", kAnswers, "let file: URLs lead into this folder, beside the dataset's own",
     " prepare ", true, false, AddText<&Options::allowed_paths>},

    {"--trust", "[=DIGEST]", kAnswers,
     "count what of ./assay.toml needs trust, in this command; with CI set only by its digest",
     " run grade prepare run-config check plan doctor show compare calibrate export report ", true, false,
     SetTrust},
    {"--trust", "[=DIGEST]", kAnswers, "trust the folder only if its powers have this digest", " trust ",
     true, false, SetTrust},
    {"--print", "", kOutput, "print the digest of the folder's powers, for --trust=DIGEST; trust nothing",
     " trust ", false, false, SetSwitch<&Options::print>},

    {"--sandbox", "LEVEL", kPace, "keep programs in by ns, landlock or none (the strongest that works)",
     " run grade ", false, true, SetSandbox, GetText<&Options::sandbox>},
    {"-j,--max-in-flight", "N", kPace, "calls under way at once, for each provider", " run grade plan ",
     false, false, SetMaxInFlight},
    {"-j,--max-in-flight", "N", kPace, "documents under way at once (16)", " prepare ", false, false,
     SetMaxInFlight},
    {"--max-retries", "N", kPace,
     "further tries of a document whose download failed for a passing reason (2)", " prepare ", false, false,
     SetMaxRetries},
    {"--timeout", "SECONDS", kPace, "how long a server may be silent (60)", " prepare ", false, false,
     SetSeconds<&Options::timeout_s>},
    {"--max-retries", "N", kPace,
     "further tries of a call that failed for a passing reason (5; like a format's own tool: 2)",
     " run grade ", false, false, SetMaxRetries},
    {"--patience", "SECONDS", kPace,
     "how long to wait for a service that says \"wait\" and answers nothing (600); costs no try",
     " run grade ", false, false, SetPatience},
    {"--timeout", "SECONDS", kPace, "how long one try of a call may take (600)", " run grade ", false, false,
     SetSeconds<&Options::timeout_s>},
    {"--idle-timeout", "SECONDS", kPace, "how long a reply that has begun may be silent (120)", " run grade ",
     false, false, SetSeconds<&Options::idle_timeout_s>},

    {"--requests-per-min", "N", kPace, "calls to one provider in a minute, its judges included", " run plan ",
     false, false, SetPerMinute<&Options::requests_per_min>},
    {"--tokens-per-min", "N", kPace, "tokens of one provider in a minute, asked and answered", " run plan ",
     false, false, SetPerMinute<&Options::tokens_per_min>},
    {"--budget-usd", "X", kPace, "exit 5 before the calls of this command can cost more", " run ", false,
     false, SetBudgetUsd},
    {"--budget-tokens", "N", kPace, "exit 5 before they can take more tokens", " run ", false, false,
     SetBudgetTokens},
    {"--max-time", "SECONDS", kPace, "ask nothing more after so long, and exit 2 if that left anything out",
     " run ", false, false, SetSeconds<&Options::max_time_s>},
    {"--turn-time", "SECONDS", kPace,
     "stop a research turn once its requests took so long; it keeps its answer", " run plan ", false, true,
     SetTurnTime, GetTurnTime},
    {"--turn-tokens", "N", kPace, "stop a research turn once it took so many tokens", " run plan ", false,
     true, SetTurnTokens, GetTurnTokens},
    {"--turn-usd", "X", kPace, "stop a research turn once it cost so much", " run plan ", false, true,
     SetTurnUsd, GetTurnUsd},
    {"--batch-wait", "SECONDS", kPace, "cancel a batch after so long and ask the rest one by one (86400)",
     " run ", false, false, SetSeconds<&Options::batch_wait_s>},
    {"--max-errors", "N|P%", kPace,
     "exit 3 once more cells than this are errors or partial; as many do not end in exit 2", " run ", false,
     false, SetMaxErrors},

    {"--gen-timeout-ms", "N", kPace, "how long one try of a call may take, in milliseconds", " run-config ",
     false, false, SetTimeoutMs},
    {"--gen-retries", "N", kPace, "the same as --max-retries of assay run", " run-config ", false, false,
     SetMaxRetries},

    {"--out", "DIR", kOutput, "folder of the result files (./results; like weval: ./.results)",
     " run grade run-config ", false, false, SetText<&Options::out>},
    {"--result_detail_path", "FILE", kOutput, "a copy of the results of each case, in place of what is there",
     " run grade ", false, false, SetText<&Options::result_detail_path>},
    {"--result_summary_path", "FILE", kOutput, "a copy of the summary, in place of what is there",
     " run grade ", false, false, SetText<&Options::result_summary_path>},
    {"--artefacts", "", kOutput,
     "also one small file for each prompt, model and part, as --compat weval writes them", " run ", false,
     false, SetSwitch<&Options::artefacts>},
    {"--update-summaries", "", kOutput,
     "add the run to the suite's own list: summary.json, or its leaderboard", " run grade run-config ", false,
     false, SetSwitch<&Options::update_summaries>},
    {"--demo-stdout", "", kOutput, "no files; answers and scores as one line of JSON", " run-config ", false,
     false, SetSwitch<&Options::demo_stdout>},
    {"--to", "FORMAT", kOutput, "what to write; `assay list exporters` names the formats", " export ", false,
     false, SetText<&Options::format>},
    {"-o,--output", "FILE", kOutput, "where to, in place of what is there (standard output)", " export ",
     false, false, SetText<&Options::output>},
    {"--failed", "", kOutput, "only what failed, and the command that runs it again", " show ", false, false,
     SetSwitch<&Options::failed>},
    {"--case", "ID", kOutput, "one case: every attempt with its points, votes and reasons", " show ", false,
     false, SetCase},
    {"--power", "", kOutput, "which differences so many cases could show, and how many smaller ones need",
     " plan ", false, false, SetSwitch<&Options::power>},
    {"--by-question", "", kOutput, "pair cases of equal turns, even if their ideals or checks differ",
     " compare run grade show ", false, false, SetSwitch<&Options::by_question>},
    {"--markdown", "", kOutput, "tables as Markdown, for a pull request", " compare ", false, false,
     SetSwitch<&Options::markdown>},
    {"--cell", "N", kOutput, "explain the requests of this cell (the first that asked anything)", " cache ",
     false, false, SetCell},
    {"--older", "AGE", kOutput, "prune what is older: 90d, 12h, 2w", " cache ", false, false,
     SetText<&Options::older>},
    {"--config", "", kOutput, "each setting of a run with its value and where it comes from", " doctor ",
     false, false, SetSwitch<&Options::show_settings>},
    {"--fail-under", "X", kOutput, "exit 3 if the mean of a variant is below X, and who it is", " run grade ",
     false, false, SetFailUnder},
    {"--labels", "FILE", kOutput, "a table (CSV) with case, variant and label, and attempt or check",
     " calibrate ", false, false, SetText<&Options::labels>},
    {"--fail-on-regression", "RUN", kOutput,
     "exit 4 if a variant got worse than in this run, 2 if nobody can tell", " run grade show ", false, false,
     SetText<&Options::fail_on_regression>},
    {"--fail-on-flip", "RUN", kOutput, "exit 4 if a case fails that passed in this run", " run grade show ",
     false, false, SetText<&Options::fail_on_flip>},
    {"--max-flips", "N", kOutput, "for --fail-on-flip: as many cases of a variant may fail (0)",
     " run grade show ", false, false, SetMaxFlips},
    {"--interval", "KIND", kOutput, "how 95 % intervals are made: default, or bootstrap, which draws",
     " show compare ", false, false, SetInterval},
    {"--bootstrap-seed", "N", kOutput, "intervals by bootstrap, drawn with this seed (0)", " show compare ",
     false, false, SetBootstrapSeed},
    {"--delta", "D", kOutput, "a drop of up to D is no regression: 0.02 is 2 points (0)", " run grade show ",
     false, false, SetDelta},
    {"--pair", "NEW=BASE", kOutput, "variants of other ids that are the same for a gate; may be repeated",
     " run grade show ", true, false, AddText<&Options::gate_pairs>},
    {"--pair", "A=B", kOutput, "variants of other ids that are compared with each other; may be repeated",
     " compare ", true, false, AddText<&Options::gate_pairs>},
    {"--pass-at", "X", kOutput, "a score from which an answer counts as passed (0.5)",
     " run grade show export ", false, true, SetPassAt, GetPassAt},
    {"--json", "", kOutput, "machine-readable output",
     " trust run grade plan check list runs show compare calibrate cache doctor run-config ", false, false,
     SetSwitch<&Options::json>},
    {"--progress", "MODE", kOutput, "auto, plain, json (one object a line) or none", " run grade run-config ",
     false, false, SetProgress},
    {"-q,--quiet", "", kOutput, "no progress, no notes; only results and problems",
     " run grade plan check export run-config prepare ", false, false, SetSwitch<&Options::quiet>},
    {"-v,--verbose", "", kOutput, "every case and attempt in the tables, every file that was written",
     " run grade show run-config ", false, false, SetSwitch<&Options::verbose>},
});

}  // namespace

TrustGiven TrustOf(const Options& options) {
  return {.everything = options.trust, .digests = options.trust_digests, .remembered = {}};
}

std::span<const OptionRow> OptionTable() { return kRows; }

const GivenOption* Options::Given(std::string_view name) const {
  const auto found =
      std::find_if(given.begin(), given.end(), [name](const GivenOption& each) { return each.name == name; });
  return found == given.end() ? nullptr : &*found;
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

std::string CommandWords(const Options& options, std::string_view file) {
  return RunWords(options, file) + (options.offline ? " --offline" : "");
}

std::string RunWords(const Options& options, std::string_view file) {
  std::string words = QuoteWord(WithoutCredentials(file));
  for (const OptionRow& row : kRows) {
    if (!row.shapes_run) continue;
    for (const std::string& value : row.get(options)) {
      words += fmt::format(" {}", row.LongName());
      if (!row.value.empty()) words += fmt::format(" {}", QuoteWord(WithoutCredentials(value)));
    }
  }
  return words;
}

}  // namespace assay
