// Says again what a finished run said, and keeps it with the run for that.
#include "cli/commands/run/repeated.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/commands/parts/cached_output.h"
#include "engine/grants/limits.h"
#include "engine/plan/earlier_runs.h"
#include "engine/run/store_clock.h"
#include "engine/signals.h"
#include "engine/state/known_stores.h"
#include "engine/write/writer.h"
#include "spec/suite/suite.h"

#include "cli/commands/run/shown.h"

namespace assay {

namespace {

// Whether a message refers to a picture or file at an address.
bool HasAddress(const Case& one) {
  return std::any_of(one.turns.begin(), one.turns.end(), [](const Turn& turn) {
    return std::any_of(turn.media->begin(), turn.media->end(),
                       [](const MediaPart& part) { return !part.address.empty(); });
  });
}

}  // namespace

bool IsCacheable(const RunInput& input, const Report& report, const RunRecord& record) {
  const Suite& suite = input.planned.plan->suite();
  const bool leads_elsewhere = std::any_of(suite.cases.begin(), suite.cases.end(), HasAddress);
  return IsCacheable(input.options) && record.inputs && suite.assumed_models.empty() &&
         suite.toolchains.empty() && !leads_elsewhere && report.totals.foreign_replies == 0;
}

void CacheOutput(Session& session, const WatchedFiles& files, std::vector<OutputText> said, ExitCode code,
                 std::int64_t read_ms) {
  if (!session.again.kept || code == ExitCode::kInterrupted) return;
  const RunRecord& record = session.again.kept->record;
  const std::string text = EncodeCachedOutput({.asked = OutputKey(session.options),
                                               .files = files.seen(),
                                               .written = session.again.kept->written,
                                               .said = std::move(said),
                                               .code = code},
                                              read_ms);
  if (text == record.said) return;
  // If it cannot be kept, the next command reads the suite.
  static_cast<void>(session.means.store->store().ChangeRun(record.context.run_id, [&text](RunRecord& now) {
    now.said = text;
    return Ok();
  }));
}

std::optional<ExitCode> SayAgain(const Options& options, Ui& ui) {
  const std::string asked = OutputKey(options);
  const std::string& named = options.command.sharing.fold;
  const auto find = [&](Store& store, const RowRanges& foreign) {
    Result<std::optional<CacheHit>> found = FindCachedOutput(store, foreign, asked);
    if (found && *found && !named.empty() && (*found)->record.context.run_id != named) found->reset();
    return found ? *std::move(found) : std::nullopt;
  };
  {
    const Result<std::unique_ptr<Store>> store = OpenForReading(StoreOptionsOf(options.granted));
    if (!store || !find(**store, {})) return std::nullopt;
  }
  StoreClock clock;
  StopSignals signals;
  const Result<std::unique_ptr<OwnStore>> store =
      OpenForWriting(options.granted, clock, signals, [&ui](std::string text) { ui.Note(text); });
  if (!store || !clock.Follow((*store)->store())) return std::nullopt;
  std::optional<CacheHit> repeated = find((*store)->store(), (*store)->origin().runs);
  if (!repeated) return std::nullopt;
  if (!MakeLatest((*store)->store(), repeated->record, clock.WallMs())) return std::nullopt;
  ShowOrigin((*store)->origin(), options, ui);
  ShowUpToDate(repeated->record.context, ui);
  for (const OutputText& said : repeated->again.said) ui.Say(said);
  return repeated->again.code;
}

}  // namespace assay
