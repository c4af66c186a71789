// The command `assay cache`: `explain` shows what entered the keys of a cell's requests and what differs from
// earlier runs; `prune` removes what is old and no longer needed; `adopt` accepts a store or recording that
// somebody else made; `copy` brings runs from one store to another.
#include <fmt/core.h>

#include <charconv>

#include "cli/commands/cache/works.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/progress.h"
#include "engine/run/store_clock.h"
#include "engine/state/known_stores.h"
#include "engine/words.h"
#include "store/location.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::int64_t kMsPerDay = 86'400'000;

// "90d", "12h", "2w" in milliseconds.
Result<std::int64_t> ParseAge(std::string_view text) {
  struct Unit {
    char letter;
    std::int64_t ms;
  };
  static constexpr Unit kUnits[] = {{'h', kMsPerDay / 24}, {'d', kMsPerDay}, {'w', 7 * kMsPerDay}};
  constexpr std::int64_t kMost = 1'000'000;
  for (const Unit& unit : kUnits) {
    std::int64_t count = 0;
    if (text.empty() || text.back() != unit.letter) continue;
    const char* end = text.data() + text.size() - 1;
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    if (error == std::errc() && stop == end && count >= 0 && count <= kMost) return count * unit.ms;
  }
  return Error{ErrorCode::kInvalidInput,
               fmt::format("--older: expected an age such as 90d, 12h or 2w, found {}", Quoted(text))};
}

std::string PruneText(const PruneSummary& summary, const Options& options) {
  if (options.shown.json) {
    return ShownJson(WriteJson(Object{{"runs", ArrayOf(summary.runs)},
                                      {"at_work", ArrayOf(summary.at_work)},
                                      {"exchanges", summary.exchanges},
                                      {"exchanges_kept", summary.exchanges_kept},
                                      {"bytes", summary.bytes}},
                               JsonStyle::kJavaScript2)) +
           "\n";
  }
  std::string text = fmt::format("removed {} and {}; {} stay; the file is {} bytes smaller\n",
                                 Counted(summary.runs.size(), "run"), Counted(summary.exchanges, "exchange"),
                                 CountText(summary.exchanges_kept), CountText(summary.bytes));
  for (const std::string& id : summary.runs) text += fmt::format("  run {}\n", id);
  for (const std::string& id : summary.at_work)
    text += fmt::format("  run {} stays: somebody works on it; `assay runs --watch {}{}` says who\n", id, id,
                        StoreOption(options.granted.store));
  return text;
}

Result<std::string> Prune(const Options& options, Ui& ui) {
  ASSAY_TRY(const std::int64_t age_ms, ParseAge(options.command.older));
  ASSAY_TRY(const std::unique_ptr<OwnStore> own, OpenToChange(options, ui, OwnStore::Open));
  StoreClock clock;
  ASSAY_CHECK_OK(clock.Follow(own->store()));
  ASSAY_TRY(const PruneSummary summary, own->store().Prune(clock.WallMs() - age_ms));
  return PruneText(summary, options);
}

struct Work {
  std::string_view name;
  std::size_t arguments_min;  // with its own name
  std::size_t arguments_max;
  std::string_view usage;
  Result<std::string> (*run)(const Options& options, Ui& ui);
};
constexpr Work kWorks[] = {
    {"explain", 2, 2, "assay cache explain latest", ExplainRun},
    {"prune", 1, 1, "assay cache prune --older 90d", Prune},
    {"adopt", 1, 2, "assay cache adopt", Adopt},
    {"copy", 3, 3, "assay cache copy one.db postgresql://eve@db.example/runs", CopyRuns},
};

}  // namespace

Result<std::unique_ptr<OwnStore>> OpenToChange(const Options& options, Ui& ui, OwnStoreOpener open) {
  {
    ASSAY_TRY([[maybe_unused]] const std::unique_ptr<Store> is_there,
              OpenForReading({.path = options.granted.store}));
  }
  SystemClock clock;
  StopSignals signals;
  return OpenForWriting(
      options.granted, clock, signals, [&ui](std::string text) { ui.Note(text); }, open);
}

ExitCode CacheCommand(const Options& options, Ui& ui) {
  const std::size_t count = options.arguments.size();
  for (const Work& work : kWorks) {
    if (options.arguments.front() != work.name) continue;
    const bool is_counted = count >= work.arguments_min && count <= work.arguments_max;
    if (!is_counted || (work.name == "prune" && options.command.older.empty()))
      return FailWith(ui, {ErrorCode::kInvalidInput, fmt::format("write, for example: {}", work.usage)});
    const Result<std::string> text = work.run(options, ui);
    if (!text) return FailWith(ui, text.error());
    ui.Out(*text);
    return ExitCode::kDone;
  }
  return FailWith(
      ui, {ErrorCode::kInvalidInput, fmt::format("assay cache can explain, prune, adopt and copy, but not {}",
                                                 Quoted(options.arguments.front()))});
}

}  // namespace assay
