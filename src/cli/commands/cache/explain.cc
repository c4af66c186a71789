// `assay cache explain`: what entered the keys of a cell's requests, and what differs from earlier runs.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "cli/commands/cache/works.h"
#include "cli/terminal/json_difference.h"
#include "cli/terminal/json_values.h"
#include "engine/network/network.h"
#include "engine/state/known_stores.h"
#include "engine/words.h"
#include "plan/plan.h"
#include "report/fold/fold.h"
#include "run/forecast.h"
#include "run/wire/router.h"
#include "spec/suite/suite.h"
#include "store/store.h"
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

// What a cell of a stored run would have asked and has not, with --offline or before the run was stopped: the
// first requests of the cell that the store does not answer. None of runs whose answers were recorded: the
// store does not know what the recordings say. `digests`: of the documents that the cell has asked.
Result<std::vector<PreparedRequest>> UnaskedOf(Store& store, const RunRecord& run, CellIndex cell,
                                               const Options& options, CorpusDigests digests) {
  ASSAY_TRY(const RunSpec spec, DecodeRunSpec(run.spec));
  if (!spec.responses.empty() || !spec.fixtures.empty()) return std::vector<PreparedRequest>();
  const Result<std::shared_ptr<const Suite>> suite = SuiteOf(store, run);
  if (!suite) return std::vector<PreparedRequest>();
  Diagnostics diagnostics;
  const Endpoints endpoints = ReadEndpoints(spec, options.granted, diagnostics);
  const std::shared_ptr<const Plan> plan =
      Plan::Build(**suite,
                  {.judging = {.form = spec.json_judges ? VerdictForm::kJson : VerdictForm::kTags,
                               .votes = spec.votes.value_or(1)}},
                  diagnostics);
  if (plan == nullptr || cell >= plan->CellCount()) return std::vector<PreparedRequest>();
  const Router router({}, BaseUrlsOf(endpoints), ModelBook(options.granted.settings.models));
  EpochRange epochs;
  ASSAY_TRY(epochs.last, store.NewestEpoch());
  return MissingRequests(*plan, router, &store, epochs, run.context.prompts, cell, std::move(digests));
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

}  // namespace

Result<std::string> ExplainRun(const Options& options, Ui&) {
  ASSAY_TRY(const std::unique_ptr<Store> store, OpenForReading({.path = options.granted.store}));
  ASSAY_TRY(const RunRecord run, store->FindRun(options.arguments[1]));
  ASSAY_TRY(const CellResult cell, CellOf(*store, run, options.command.cell));
  ASSAY_TRY(const std::vector<Explained> all, Explain(*store, run, cell, options));
  if (!options.shown.json) return ExplainText(run, cell, all);
  return ShownJson(WriteJson(ExplainValue(run, cell, all), JsonStyle::kJavaScript2)) + "\n";
}

}  // namespace assay
