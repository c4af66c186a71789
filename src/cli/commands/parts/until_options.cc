// Tests the options of runs that may end early, and reads the spec of a stored run.
#include "cli/commands/parts/until_options.h"

#include <fmt/core.h>

#include "engine/grants/limits.h"
#include "engine/state/known_stores.h"
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

}  // namespace

std::string WrongUntil(const Options& options) {
  const CommandOptions& command = options.command;
  const bool asks = !options.spec.until.empty();
  const ShardOptions& sharing = command.sharing;
  if (command.asks_rest && command.resume.empty()) return "--until all goes with --resume RUN";
  if (!asks && LonelyOption(options) != "") return fmt::format("{} goes with --until", LonelyOption(options));
  if (asks && (sharing.shards > 0 || !sharing.fold.empty()))
    return "--until and shards do not go together: one process looks at the scores";
  if (asks && options.granted.calls.batch)
    return "--until and --batch do not go together: each look would wait for a batch";
  const GateOptions& gates = options.gates;
  if (asks && (gates.fail_under || !gates.fail_on_regression.empty() || !gates.fail_on_flip.empty()))
    return "--until and gates do not go together: a gate needs every case";
  return {};
}

Status TakeResumed(Options& options) {
  const CommandOptions& command = options.command;
  if (!options.arguments.empty())
    return Error{ErrorCode::kInvalidInput, "--resume names a run, whose file it reads: leave FILE out"};
  if (command.sharing.shards > 0 || !command.sharing.fold.empty())
    return Error{ErrorCode::kInvalidInput, "--resume and shards do not go together"};
  if (const std::string_view shaping = ShapingOption(options); !shaping.empty()) {
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
  options.command.resume = run.context.run_id;
  options.arguments = {options.spec.file};
  return Ok();
}

}  // namespace assay
