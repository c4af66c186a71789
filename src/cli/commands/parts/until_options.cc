// Tests the options of runs that may end early, and reads the spec of a stored run.
#include "cli/commands/parts/until_options.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "engine/grants/limits.h"
#include "engine/state/known_stores.h"
#include "engine/write/pass_rule.h"
#include "plan/plan.h"
#include "spec/suite/suite.h"
#include "store/store.h"

namespace assay {

namespace {

// The first option that only --until gives a meaning.
std::string_view LonelyOption(const Options& options) {
  for (const std::string_view name : {"--within", "--promise", "--order-seed", "--look-every"}) {
    if (options.Given(name) != nullptr) return name;
  }
  return {};
}

// The first option of the command line that would make the run another one.
std::string_view ShapingOption(const Options& options) {
  Options of_spec;
  of_spec.spec = options.spec;
  for (const OptionRow& row : OptionTable()) {
    const GivenOption* given = options.Given(row.LongName());
    if (given == nullptr || given->is_setting || !row.shapes_run || !row.TakenBy("run")) continue;
    if (!row.Get(of_spec).empty()) return row.LongName();
  }
  return {};
}

bool Asks(const Options& options, std::string_view question) {
  const std::vector<std::string>& until = options.spec.until;
  return std::find(until.begin(), until.end(), question) != until.end();
}

// "5", "5%"
std::string LimitText(const ErrorLimit& limit) {
  return fmt::format("{}{}", limit.value, limit.is_percent ? "%" : "");
}

StopGate ErrorsGate(const ErrorLimit& limit, CellIndex cells) {
  const double most = limit.is_percent ? limit.value / 100 * static_cast<double>(cells) : limit.value;
  return {.kind = StopGate::Kind::kErrors, .limit = most, .text = LimitText(limit)};
}

// With --until they end a run that is not decided, and are no question of their own.
bool CountsErrors(const Options& options) {
  return options.gates.early && options.granted.calls.max_errors.has_value();
}

// The gates of a run that goes on, unless the user said others.
Status TakeGates(Options& options) {
  for (const std::string& word : options.spec.gates) {
    const std::size_t end = std::min(word.find('='), word.size());
    const std::string_view name = std::string_view(word).substr(0, end);
    if (const GivenOption* given = options.Given(name); given != nullptr && !given->is_setting) continue;
    const auto rows = OptionTable();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const OptionRow& each) {
      return each.LongName() == name && each.TakenBy("run");
    });
    if (row == rows.end()) continue;
    ASSAY_CHECK_OK(row->Set(end == word.size() ? "true" : std::string_view(word).substr(end + 1), options));
  }
  return Ok();
}

}  // namespace

std::string WrongUntil(const Options& options) {
  const CommandOptions& command = options.command;
  const bool asks = !options.spec.until.empty();
  if (command.asks_rest && command.resume.empty()) return "--until all goes with --resume RUN";
  if (!asks && LonelyOption(options) != "") return fmt::format("{} goes with --until", LonelyOption(options));
  return {};
}

bool MayEndEarly(const Options& options) { return options.gates.early || !options.spec.until.empty(); }

std::string WrongEarly(const Options& options) {
  const GateOptions& gates = options.gates;
  const bool has_base = !gates.fail_on_regression.empty();
  if (Asks(options, "gate") && !has_base)
    return "--until gate needs --fail-on-regression, which names the base";
  const bool has_other = gates.fail_under || !gates.fail_on_flip.empty() || CountsErrors(options);
  if (gates.early && has_base && options.spec.until.empty())
    return "--early does not end --fail-on-regression, which needs statistics: --until gate does";
  if (gates.early && !has_other && !has_base)
    return "--early goes with --fail-under, --fail-on-flip or --max-errors";
  if (!MayEndEarly(options)) return {};
  const std::string_view which = options.spec.until.empty() ? "--early" : "--until";
  if (options.granted.calls.batch)
    return fmt::format(
        "{} and --batch do not go together: each look would wait hours for a batch; --batch halves the "
        "price of every request, and {} sends fewer: choose one",
        which, which);
  if (!options.shown.reduce.empty() && (gates.fail_under || has_base))
    return fmt::format("{} and --reduce do not go together: it looks at the suite's own value", which);
  return {};
}

Result<std::vector<StopGate>> StopGatesOf(const Options& options, const Planned& planned,
                                          const Gatekeeper* keeper) {
  std::vector<StopGate> gates;
  if (!MayEndEarly(options)) return gates;
  const Suite& suite = planned.plan->suite();
  if (keeper != nullptr) {
    const PassRule pass = PassRuleOf(options.spec, planned.dialect->name);
    ASSAY_TRY(gates, keeper->StopGates(suite, pass, !options.spec.until.empty()));
  }
  if (const std::optional<double>& least = options.gates.fail_under) {
    for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
      gates.push_back(
          {.kind = StopGate::Kind::kLeast, .variant = v, .limit = *least, .text = fmt::format("{}", *least)});
    }
  }
  // Last: what another gate has failed by needs no count of errors.
  if (CountsErrors(options))
    gates.push_back(ErrorsGate(*options.granted.calls.max_errors, planned.plan->CellCount()));
  return gates;
}

void PutGates(std::span<const StopGate> gates, const Gatekeeper* keeper, Options& options) {
  if (gates.empty()) return;
  const GateOptions& asked = options.gates;
  std::vector<std::string>& words = options.spec.gates;
  const auto add = [&words](std::string_view name, const std::string& value) {
    if (!value.empty()) words.push_back(fmt::format("{}={}", name, value));
  };
  if (asked.early) words.emplace_back("--early");
  if (asked.fail_under) add("--fail-under", fmt::format("{}", *asked.fail_under));
  if (CountsErrors(options)) add("--max-errors", LimitText(*options.granted.calls.max_errors));
  if (keeper != nullptr) {
    add("--fail-on-regression", keeper->BaseOf("--fail-on-regression"));
    if (asked.delta > 0) add("--delta", fmt::format("{}", asked.delta));
    add("--fail-on-flip", keeper->BaseOf("--fail-on-flip"));
    if (asked.max_flips > 0) add("--max-flips", fmt::format("{}", asked.max_flips));
    for (const std::string& pair : asked.pairs) add("--pair", pair);
    add("--known-flaky", asked.known_flaky);
    if (options.shown.by_question) words.emplace_back("--by-question");
  }
  options.spec.gates_digest = HexPrefix(Sha256Of(EncodeStopGates(gates)), 16);
}

Status TakeResumed(Options& options) {
  const CommandOptions& command = options.command;
  if (!options.arguments.empty())
    return Error{ErrorCode::kInvalidInput, "--resume names a run, whose file it reads: leave FILE out"};
  if (command.sharing.shards > 0 || !command.sharing.fold.empty())
    return Error{ErrorCode::kInvalidInput, "--resume and shards do not go together"};
  const std::string_view shaping = options.gates.early ? "--early" : ShapingOption(options);
  if (!shaping.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} cannot be changed in a run that is continued: leave it out", shaping)};
  }
  ASSAY_TRY(const std::unique_ptr<Store> store, OpenForReading(StoreOptionsOf(options.granted)));
  ASSAY_TRY(const RunRecord run, store->FindRun(command.resume));
  ASSAY_TRY(const StoreOrigin origin, OriginOf(*store, options.granted.store));
  if (origin.IsForeignRun(run)) {
    return Error{ErrorCode::kRefused,
                 fmt::format("run {} is not this user's, and is not continued", run.context.run_id)};
  }
  ASSAY_TRY(options.spec, DecodeRunSpec(run.spec));
  ASSAY_CHECK_OK(TakeGates(options));
  options.command.resume = run.context.run_id;
  options.arguments = {options.spec.file};
  return Ok();
}

}  // namespace assay
