// The command `assay cache`: `explain` shows what entered the keys of a cell's requests and what differs from
// earlier runs; `prune` removes what is old and no longer needed; `adopt` accepts a store or recording that
// somebody else made; `copy` brings runs from one store to another.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "base/files/file_reader.h"
#include "base/hash.h"
#include "cli/commands/asked/unasked.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/terminal/json_difference.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/text_table.h"
#include "engine/ci.h"
#include "engine/run/run_record.h"
#include "engine/run/store_clock.h"
#include "engine/state/known_stores.h"
#include "engine/state/store_seal.h"
#include "engine/write/writer.h"
#include "report/aggregate.h"
#include "spec/exchange/replay.h"
#include "store/copy/copy_run.h"
#include "store/location.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// Requests of an earlier run that one is compared with, by number and by bytes: a small store may hold many
// that unpack to much.
constexpr std::size_t kComparedMax = 2'000;
constexpr std::size_t kComparedRunsMax = 20;
constexpr std::size_t kComparedBytesMax = 64 << 20;
constexpr std::size_t kComparedRequestMax = 8 << 20;
constexpr std::size_t kExplainedBytesMax = 16 << 20;  // requests of the cell
constexpr std::size_t kValueColumnsMax = 60;
constexpr std::int64_t kMsPerDay = 86'400'000;

// One request of the cell, and what an earlier run asked in its place.
struct Explained {
  std::size_t step = 0;  // of its cell, among those that asked
  Exchange exchange;
  Value request;
  bool is_own = false;      // asked by this run, not found
  bool is_unasked = false;  // neither: the run had nobody to ask
  std::string earlier_run;
  CellIndex earlier_cell = 0;
  Digest earlier_key{};
  std::size_t unlike_bytes =
      0;                      // of the texts of both, between what their beginnings and ends have in common
  std::string earlier_error;  // the name of its class, where what the earlier run asked failed
  std::vector<JsonDifference> differences;
};

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

// The first cell of the run that has requests, or the one that is asked for.
Result<CellResult> CellOf(Store& store, const RunRecord& run, const std::optional<CellIndex>& wanted) {
  std::optional<CellResult> found;
  std::optional<CellResult> unasked;  // a cell with an error that asked nothing: with --offline
  const auto take = [&](const CellResult& cell) {
    if (!found && !cell.steps.empty()) found = cell;
    if (!unasked && cell.steps.empty()) unasked = cell;
    return Ok();
  };
  const CellSpan span = wanted ? CellSpan{*wanted, *wanted + 1} : kEveryCell;
  ASSAY_CHECK_OK(store.VisitCells(run.context.run_id, RunPart::kRun, span, take));
  if (!wanted) ASSAY_CHECK_OK(store.VisitCells(run.context.run_id, RunPart::kClosing, span, take));
  if (found) return *std::move(found);
  if (unasked) return *std::move(unasked);
  return Error{ErrorCode::kNotFound,
               wanted ? fmt::format("run {} has no requests of cell {}; it has cells 1 to {}",
                                    run.context.run_id, *wanted + 1, run.cells)
                      : fmt::format("run {} has no requests yet", run.context.run_id)};
}

struct ExchangeOfCell {
  ExchangeId id = 0;
  CellIndex cell = 0;
};

// The exchanges of a run, up to kComparedMax.
Result<std::vector<ExchangeOfCell>> ExchangesToCompare(Store& store, const RunRecord& run) {
  std::vector<ExchangeOfCell> ids;
  const auto take = [&ids](const CellResult& cell) {
    for (const StepLink& step : cell.steps) {
      for (const ExchangeId id : step.exchanges) {
        if (ids.size() < kComparedMax) ids.push_back({.id = id, .cell = cell.cell});
      }
    }
    return Ok();
  };
  for (const RunPart part : {RunPart::kRun, RunPart::kClosing})
    ASSAY_CHECK_OK(store.VisitCells(run.context.run_id, part, kEveryCell, take));
  return ids;
}

// One exchange without its reply.
Result<Exchange> ExchangeOf(Store& store, ExchangeId id) {
  ASSAY_TRY(std::vector<Exchange> one, store.Get(std::span(&id, 1)));
  one.front().reply = {};
  return std::move(one.front());
}

// The runs before this one: newest first, those of the same title before others.
std::vector<const RunRecord*> EarlierRuns(const std::vector<RunRecord>& runs, const RunRecord& run) {
  std::vector<const RunRecord*> earlier;
  for (const RunRecord& each : runs) {
    if (each.context.run_id == run.context.run_id) break;
    earlier.insert(earlier.begin(), &each);
  }
  std::stable_partition(earlier.begin(), earlier.end(),
                        [&run](const RunRecord* each) { return each->title == run.title; });
  if (earlier.size() > kComparedRunsMax) earlier.resize(kComparedRunsMax);
  return earlier;
}

// Of both, between what their beginnings and their ends have in common.
std::size_t UnlikeBytes(std::string_view a, std::string_view b) {
  const auto [first_a, first_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  a.remove_prefix(static_cast<std::size_t>(first_a - a.begin()));
  b.remove_prefix(static_cast<std::size_t>(first_b - b.begin()));
  const auto last = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first;
  const auto alike = static_cast<std::size_t>(last - a.rbegin());
  return a.size() + b.size() - 2 * alike;
}

// An earlier request and where it was asked.
struct Earlier {
  const RunRecord& run;
  CellIndex cell = 0;
  const Exchange& exchange;
  const Value& request;
};

// Keeps what differs where no earlier request was more alike: in fewer places, or in fewer bytes.
void CompareWith(const Earlier& earlier, Explained& each) {
  if ((!each.is_own && !each.is_unasked) || earlier.exchange.role != each.exchange.role) return;
  std::vector<JsonDifference> differences = DifferencesOf(earlier.request, each.request);
  std::size_t unlike_bytes = 0;
  for (const JsonDifference& difference : differences)
    unlike_bytes += UnlikeBytes(difference.before, difference.after);
  if (!each.earlier_run.empty() &&
      std::pair(differences.size(), unlike_bytes) >= std::pair(each.differences.size(), each.unlike_bytes))
    return;
  each.earlier_run = earlier.run.context.run_id;
  each.earlier_cell = earlier.cell;
  each.earlier_key = earlier.exchange.key;
  each.earlier_error = earlier.exchange.error ? std::string(ErrorCodeName(earlier.exchange.error->code)) : "";
  each.differences = std::move(differences);
  each.unlike_bytes = unlike_bytes;
}

Status CompareWithEarlier(Store& store, const RunRecord& run, std::vector<Explained>& all) {
  ASSAY_TRY(const std::vector<RunRecord> runs, store.Runs());
  std::size_t bytes = 0;
  std::set<ExchangeId> seen;  // a request that several runs share is the newest one's
  for (const RunRecord* earlier : EarlierRuns(runs, run)) {
    ASSAY_TRY(const std::vector<ExchangeOfCell> asked, ExchangesToCompare(store, *earlier));
    for (const ExchangeOfCell& of_cell : asked) {
      if (bytes > kComparedBytesMax) return Ok();
      if (!seen.insert(of_cell.id).second) continue;
      ASSAY_TRY(const Exchange exchange, ExchangeOf(store, of_cell.id));
      ASSAY_TRY(const std::string text, store.RequestOf(of_cell.id));
      bytes += text.size();
      if (text.size() > kComparedRequestMax) continue;
      ASSAY_TRY(const Value request, ParseJson(text));
      for (Explained& each : all)
        CompareWith({.run = *earlier, .cell = of_cell.cell, .exchange = exchange, .request = request}, each);
    }
  }
  return Ok();
}

// The digests of the documents that the cell has searched.
CorpusDigests DigestsOf(const std::vector<Explained>& all) {
  CorpusDigests digests;
  for (const Explained& each : all) {
    const List* of = FindList(each.request, "of");
    if (of == nullptr || each.request.TextAt("corpus").empty()) continue;
    std::vector<std::string> documents;
    for (const Value& id : *of) documents.push_back(id.is_string() ? id.AsString() : std::string());
    digests[std::move(documents)] = each.request.TextAt("corpus");
  }
  return digests;
}

// What the cell would have asked, where it was neither answered nor asked.
Status AddUnasked(Store& store, const RunRecord& run, const CellResult& cell, const Options& options,
                  std::vector<Explained>& all) {
  const bool is_answered = cell.outcome && cell.outcome->state != CellState::kError &&
                           cell.outcome->state != CellState::kPartial &&
                           cell.outcome->state != CellState::kSkipped;
  if (is_answered) return Ok();
  ASSAY_TRY(const std::vector<PreparedRequest> unasked,
            UnaskedOf(store, run, cell.cell, options, DigestsOf(all)));
  for (const PreparedRequest& prepared : unasked) {
    const bool is_there = std::any_of(
        all.begin(), all.end(), [&](const Explained& each) { return each.exchange.key == prepared.key; });
    if (is_there || prepared.canonical.size() > kComparedRequestMax) continue;
    Explained& each = all.emplace_back();
    each.step = all.size() - 1;
    each.exchange.role = prepared.tag.role;
    each.exchange.key = prepared.key;
    ASSAY_TRY(each.request, ParseJson(prepared.canonical));
    each.is_unasked = true;
  }
  return Ok();
}

Result<std::vector<Explained>> Explain(Store& store, const RunRecord& run, const CellResult& cell,
                                       const Options& options) {
  std::vector<Explained> all;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < cell.steps.size(); ++i) {
    const StepLink& step = cell.steps[i];
    for (const ExchangeId id : step.exchanges) {
      ASSAY_TRY(Exchange exchange, ExchangeOf(store, id));
      ASSAY_TRY(const std::string text, store.RequestOf(id));
      bytes += text.size();
      if (bytes > kExplainedBytesMax)
        return Error{ErrorCode::kLimit, fmt::format("the requests of cell {} have more than {} MB",
                                                    cell.cell + 1, kExplainedBytesMax >> 20)};
      ASSAY_TRY(Value request, ParseJson(text));
      const bool is_own = exchange.started_ms >= run.context.started_ms;
      all.push_back({.step = i,
                     .exchange = std::move(exchange),
                     .request = std::move(request),
                     .is_own = is_own,
                     .earlier_run = {},
                     .earlier_error = {},
                     .differences = {}});
    }
  }
  ASSAY_CHECK_OK(AddUnasked(store, run, cell, options, all));
  ASSAY_CHECK_OK(CompareWithEarlier(store, run, all));
  return all;
}

std::string FoundText(const Explained& each) {
  if (each.is_unasked) return "not answered before, and not asked";
  if (each.is_own) return each.exchange.error ? "asked by this run, and failed" : "asked by this run";
  return fmt::format("answered before this run, in generation {} of the store", each.exchange.epoch);
}

// Why the store's answers did not do.
std::string DifferenceText(const Explained& each) {
  if (!each.is_own && !each.is_unasked) return {};
  if (each.earlier_run.empty()) return "  why: nothing like it was asked in an earlier run of this store\n";
  if (each.differences.empty()) {
    const std::string run = Printable(each.earlier_run);
    if (!each.earlier_error.empty())
      return fmt::format("  why: run {} asked the same and got no answer ({})\n", run, each.earlier_error);
    return fmt::format("  why: run {} sent the same request, and --fresh made this run send it again\n", run);
  }
  std::string text =
      fmt::format("  why: it differs from the nearest request, of run {}, cell {}, key {}:\n",
                  Printable(each.earlier_run), each.earlier_cell + 1, HexPrefix(each.earlier_key, 16));
  for (const JsonDifference& difference : each.differences) {
    text += fmt::format("    {}: {} → {}\n", Printable(difference.path),
                        CutToWidth(Printable(difference.before), kValueColumnsMax),
                        CutToWidth(Printable(difference.after), kValueColumnsMax));
  }
  const bool has_inputs =
      std::any_of(each.differences.begin(), each.differences.end(),
                  [](const JsonDifference& difference) { return difference.path.starts_with("inputs"); });
  if (has_inputs)
    text += "    inputs: digests of the files that the command line names, and of the case's documents\n";
  return text;
}

std::string ExplainText(const RunRecord& run, const CellResult& cell, const std::vector<Explained>& all) {
  std::string text =
      fmt::format("run {}, cell {} of {}\n", Printable(run.context.run_id), cell.cell + 1, run.cells);
  for (const Explained& each : all) {
    text +=
        fmt::format("\nstep {}, {}: {}\nkey {}\n{}\n{}", each.step + 1, RequestRoleName(each.exchange.role),
                    FoundText(each), HexPrefix(each.exchange.key, 16),
                    PrintableLines(WriteJson(each.request, JsonStyle::kJavaScript2)), DifferenceText(each));
  }
  return text;
}

// {run, cell_number, key}: the request that is most alike; null if there is none.
Value NearestRequestValue(const Explained& each) {
  if (each.earlier_run.empty()) return Value(Null{});
  return Object{{"run", each.earlier_run},
                {"cell_number", each.earlier_cell + 1},
                {"key", HexPrefix(each.earlier_key, 2 * each.earlier_key.size())}};
}

Value ExplainValue(const RunRecord& run, const CellResult& cell, const std::vector<Explained>& all) {
  return Object{{"run", run.context.run_id},
                {"cell", cell.cell},
                {"cell_number", cell.cell + 1},  // as --cell has it
                {"requests", ArrayOf(all, [&](const Explained& each) {
                   return Object{
                       {"step", each.step},
                       {"role", RequestRoleName(each.exchange.role)},
                       {"key", HexPrefix(each.exchange.key, 2 * each.exchange.key.size())},
                       {"asked_by_this_run", each.is_own},
                       {"request", each.request},
                       {"compared_with", each.earlier_run.empty() ? Value(Null{}) : Value(each.earlier_run)},
                       {"nearest", NearestRequestValue(each)},
                       {"differences", ArrayOf(each.differences, [&](const JsonDifference& difference) {
                          return Object{{"path", difference.path},
                                        {"before", difference.before},
                                        {"after", difference.after}};
                        })}};
                 })}};
}

Result<std::unique_ptr<Store>> OpenToRead(const Options& options) {
  return OpenForReading({.path = options.granted.store});
}

// Both change what is there: a store is only made by a run.
Result<std::unique_ptr<OwnStore>> OpenToChange(const Options& options, Ui& ui, OwnStoreOpener open) {
  { ASSAY_TRY([[maybe_unused]] const std::unique_ptr<Store> is_there, OpenToRead(options)); }
  SystemClock clock;
  StopSignals signals;
  return OpenForWriting(
      options.granted, clock, signals, [&ui](std::string text) { ui.Note(text); }, open);
}

Result<std::string> ExplainRun(const Options& options, Ui&) {
  ASSAY_TRY(const std::unique_ptr<Store> store, OpenToRead(options));
  ASSAY_TRY(const RunRecord run, store->FindRun(options.arguments[1]));
  ASSAY_TRY(const CellResult cell, CellOf(*store, run, options.command.cell));
  ASSAY_TRY(const std::vector<Explained> all, Explain(*store, run, cell, options));
  if (!options.shown.json) return ExplainText(run, cell, all);
  return ShownJson(WriteJson(ExplainValue(run, cell, all), JsonStyle::kJavaScript2)) + "\n";
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

struct Adopted {
  std::uint64_t replies = 0;
  std::uint64_t runs = 0;
};

Result<Adopted> AdoptStore(const Options& options, Ui& ui) {
  ASSAY_TRY(const std::unique_ptr<OwnStore> own, OpenToChange(options, ui, OwnStore::Adopt));
  ASSAY_TRY(const std::vector<RunRecord> runs, own->store().Runs());
  std::set<ExchangeId> replies;
  for (const RunRecord& run : runs) {
    ASSAY_TRY(const std::vector<ExchangeId> used,
              own->store().ExchangesOf(run.context.run_id, RunPart::kRun));
    replies.insert(used.begin(), used.end());
  }
  return Adopted{.replies = replies.size(), .runs = runs.size()};
}

// The store, or a recording of replies: either counts as made by this user from now on.
Result<std::string> Adopt(const Options& options, Ui& ui) {
  // A job that adopts whatever a cache restores opens its gates to every fork.
  if (IsInCi()) {
    return Error{
        ErrorCode::kRefused,
        fmt::format("`assay cache adopt` is refused in CI, because a store or a recording may come from any "
                    "job. Set the secret {}: it seals the store of a job for the next job (`assay help ci`)",
                    kStoreKeyVariable)};
  }
  const bool is_store = options.arguments.size() == 1;
  const std::string& path = is_store ? options.granted.store : options.arguments[1];
  Adopted adopted;
  if (is_store) {
    ASSAY_TRY(adopted, AdoptStore(options, ui));
  } else {
    ASSAY_TRY(const std::string text, DiskFileReader().Read(path));
    SourceFiles sources;
    Diagnostics problems;
    const FileId file = sources.Add(path, text);
    adopted.replies = ReadReplay(path, file, text, problems).replies;
    if (problems.HasErrors() || adopted.replies == 0) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{} is no recording that assay can read; `assay cache adopt` takes a "
                               "recording, NAME.replay.jsonl, or by itself the store",
                               Quoted(path))};
    }
    ASSAY_CHECK_OK(AdoptRecording(Sha256Of(text)));
  }
  if (options.shown.json) {
    return WriteJson(Object{{"adopted", path}, {"replies", adopted.replies}, {"runs", adopted.runs}},
                     JsonStyle::kJavaScript2) +
           "\n";
  }
  const std::string runs = is_store ? " and " + Counted(adopted.runs, "run") : std::string();
  return fmt::format("adopted {}: {}{} count as made by this user from now on\n", Printable(path),
                     Counted(adopted.replies, "reply"), runs);
}

// The runs that are meant: one, or all of them, oldest first.
Result<std::vector<RunRecord>> RunsToCopy(Store& from, const std::string& name) {
  if (name.empty()) return from.Runs();
  ASSAY_TRY(RunRecord run, from.FindRun(name));
  return std::vector<RunRecord>{std::move(run)};
}

std::string CopyText(const CopyCounts& counts, const std::vector<std::string>& kept, const Options& options) {
  if (options.shown.json) {
    return ShownJson(WriteJson(Object{{"runs", counts.runs},
                                      {"runs_there", counts.runs_there},
                                      {"runs_kept", ArrayOf(kept)},
                                      {"exchanges", counts.exchanges},
                                      {"exchanges_there", counts.exchanges_there},
                                      {"cells", counts.cells}},
                               JsonStyle::kJavaScript2)) +
           "\n";
  }
  return fmt::format("copied {} with {} and {}; {} and {} were there already\n", Counted(counts.runs, "run"),
                     Counted(counts.cells, "cell"), Counted(counts.exchanges, "exchange"),
                     Counted(counts.runs_there, "run"), Counted(counts.exchanges_there, "exchange"));
}

// Whether a run that is there stays as it is, since only one of both is this user's. Nothing of a stranger's
// run goes into one of the user's. A finished run stays anyway; the user is warned if the other one differs.
bool IsKept(const StoreOrigin& origin, const RunRecord& here, const StoreOrigin& marks,
            const RunRecord& there) {
  const bool is_theirs_there = marks.IsForeignRun(there);
  if (origin.IsForeignRun(here) == is_theirs_there) return false;
  const bool has_same_mean =
      here.mean_score == there.mean_score || (std::isnan(here.mean_score) && std::isnan(there.mean_score));
  const bool is_same = here.state == there.state && here.cells == there.cells && has_same_mean &&
                       here.context.started_ms == there.context.started_ms;
  if (there.state == RunState::kFinished) return !is_same;
  return !is_theirs_there;  // a stranger's unfinished run stays marked, whatever it gets
}

void TellOfKept(const std::vector<std::string>& kept, const std::string& to, Ui& ui) {
  for (const std::string& id : kept) {
    ui.Problem(
        fmt::format("warning: run {} is not copied: it, or the run whose cells it has, is another one in {}. "
                    "Only one of both is yours; `assay cache adopt` takes over a store",
                    Printable(id), Printable(ShownLocation(to))));
  }
}

// What somebody else made is his in the other store, too: row for row.
Status CarryMarks(const StoreOrigin& origin, const RunCopier& copier, Store& from, OwnStore& to) {
  MarkedRows came;
  for (const auto& [here, there] : copier.copied()) {
    const auto number = static_cast<std::int64_t>(there);
    if (origin.exchanges.Contains(static_cast<std::int64_t>(here)))
      came.exchanges.Add({.first = number, .last = number});
  }
  std::set<std::string> foreign;
  ASSAY_TRY(const std::vector<RunRecord> here, from.Runs());
  for (const RunRecord& run : here) {
    if (origin.IsForeignRun(run)) foreign.insert(run.context.run_id);
  }
  const std::set<std::string> begun(copier.begun().begin(), copier.begun().end());
  std::erase_if(foreign, [&begun](const std::string& id) { return !begun.contains(id); });
  ASSAY_TRY(const std::vector<RunRecord> there, to.store().Runs());
  for (const RunRecord& run : there) {
    if (foreign.contains(run.context.run_id)) came.runs.Add({.first = run.number, .last = run.number});
  }
  return to.MarkOnly(came);
}

// Runs with all that they used, from a store of one kind to one of any.
Result<std::string> CopyRuns(const Options& options, Ui& ui) {
  const std::string& from_path = options.arguments[1];
  const std::string& to_path = options.arguments[2];
  ASSAY_TRY(const std::unique_ptr<Store> from, OpenForReading({.path = from_path}));
  std::error_code problem;
  if (from_path == to_path || std::filesystem::equivalent(from_path, to_path, problem))
    return Error{ErrorCode::kInvalidInput, "expected two stores, found one twice"};
  ASSAY_TRY(const StoreOrigin origin, OriginOf(*from, from_path));
  Granted granted = options.granted;
  granted.store = to_path;
  SystemClock clock;
  StopSignals signals;
  ASSAY_TRY(const std::unique_ptr<OwnStore> to,
            OpenForWriting(granted, clock, signals, [&ui](std::string text) { ui.Note(text); }));
  const StoreOrigin marks = to->origin();
  if (origin.IsForeign()) ASSAY_CHECK_OK(to->MarkWhatComes());
  UsualSignals as_usual;  // what is half copied is gone on with by the same command
  RunCopier copier(*from, to->store(), WeightOf, clock.WallMs(),
                   [&origin, &marks](const RunRecord& here, const RunRecord& there) {
                     return IsKept(origin, here, marks, there);
                   });
  ASSAY_TRY(const std::vector<RunRecord> runs, RunsToCopy(*from, options.command.run));
  for (const RunRecord& run : runs) ASSAY_CHECK_OK(copier.Copy(run));
  if (origin.IsForeign()) {
    ASSAY_CHECK_OK(CarryMarks(origin, copier, *from, *to));
    ui.Note(fmt::format("{} has answers that this user did not make. {} now has them too",
                        Printable(ShownLocation(from_path)), Printable(ShownLocation(to_path))));
  }
  TellOfKept(copier.kept(), to_path, ui);
  return CopyText(copier.counts(), copier.kept(), options);
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
