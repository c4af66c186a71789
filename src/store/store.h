// Store: the memory of a project folder. Exchanges are append-only; runs point to the exchanges that they
// used and keep their scores, so that a run can be shown, resumed and graded again. A file has one writer at
// a time, a server has many. docs/formats/store.md.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/wire/wire.h"
#include "spec/exchange/exchange.h"
#include "spec/report/cell_query.h"
#include "spec/run/run_cost.h"
#include "spec/run/run_ending.h"
#include "spec/run/run_part.h"
#include "spec/run/step.h"
#include "spec/run/step_link.h"
#include "spec/suite/stored_suite.h"
#include "store/records/batch_record.h"
#include "store/records/file_watch.h"
#include "store/records/store_ends.h"

namespace assay {

// Whether a run is there as a whole, with its report. Persisted: do not renumber.
enum class RunState { kUnfinished = 0, kFinished = 1 };

struct RunRecord {
  RunContext context;
  std::int64_t number = 0;  // of the store, ascending; 0: not stored
  std::string title;
  std::string dialect;
  std::string source;  // the files as the user named them, joined by a blank
  Digest plan_digest{};
  std::optional<Digest> suite = {};  // of its stored suite
  // Of all that decides whether the finished run is up to date; absent: it is unfinished.
  std::optional<Digest> inputs = {};
  // Answers are looked up in epochs first_epoch..epoch, the newest epoch first; new exchanges belong to
  // `epoch`.
  std::uint32_t first_epoch = 0;
  std::uint32_t epoch = 0;
  CellIndex cells = 0;
  std::int64_t cells_of = 0;  // number of the run whose cells and scores these are; 0: it has its own

  // How far it is.
  RunState state = RunState::kUnfinished;
  // Of the last process that worked on it; absent: the run continues, or nobody noted why it ended.
  std::optional<RunEnding> ending = {};
  std::uint64_t requests_sent = 0;  // over all its sittings
  // Wall clock, of its last word: its end, or when it was last resumed or found up to date; 0: never.
  std::int64_t finished_ms = 0;
  double mean_score = std::nan("");  // over scored cells, for the list of runs; NaN if there are none
  std::optional<RunCost> cost = {};  // of a finished run

  // Texts that others write and read, and that the store only keeps; "": there is none.
  std::string spec = {};        // what shaped it: EncodeRunSpec
  std::string toolchains = {};  // of the machine that began it: EncodeToolchains
  std::string generators = {};  // the versions of those that made it: EncodeGeneratorVersions
  std::string given_up = {};    // models that failed too often to be asked on: GivenUpModels
  std::string planned = {};     // what it was to cost: report/fold/planned_cost.h
  std::string summary = {};     // of a finished run: report/fold/stored_summary.h
  std::string tables = {};      // what its dialect adds to its report: report/fold/stored_tables.h
  std::string said = {};        // what its command printed, and on what that depends: cached_output.h of cli
};

struct CellResult {
  CellIndex cell = 0;  // of its part
  std::string scores;  // EncodeScores; empty while the cell has none, and in parts other than kRun
  std::vector<StepLink> steps = {};
  std::optional<CellColumns> columns = {};  // written; of a cell with scores
  std::optional<CellOutcome> outcome = {};  // read; absent: the cell is skipped
  // What was said in the attempt, as its writer stores it; absent: it is replayed from the exchanges.
  std::optional<std::string> transcript = {};
  std::string marks = {};  // EncodeMarks; "": none
};

// A document of a run as its text was searched, or why there is none.
struct RunDocument {
  std::string id;                               // as cases name it
  std::string text = {};                        // of at most limits::kStoredDocumentBytesMax bytes
  std::vector<std::uint64_t> page_starts = {};  // bytes of the text where its pages begin; empty: it has none
  std::string problem = {};                     // why there is no text; "" if there is
};

using SittingId = std::int64_t;  // of the store; one use of an executor on a part of a run

// What a sitting has done since it last committed.
struct SittingWork {
  std::vector<Exchange> exchanges = {};
  std::span<const CellResult> cells = {};  // of the sitting's part
  std::uint64_t sent = 0;                  // requests, since then
  std::int64_t at_ms = 0;                  // wall clock
};

// Which cells have results that were not there at a mark.
struct PartCells {
  RunPart part = RunPart::kRun;
  std::vector<CellIndex> cells;
};
struct RunChanges {
  std::int64_t mark = 0;                // where the next question begins
  std::vector<PartCells> changed = {};  // in the order of their commits
};

inline constexpr CellSpan kEveryCell{0, limits::kCellsMax};

// What a stored call used.
struct StoredUsage {
  RequestRole role = RequestRole::kCandidate;
  std::string request;  // the canonical text
  Usage usage;
  std::int64_t started_ms = 0;  // wall clock
  std::int64_t duration_us = 0;
  double price_factor = 1;  // of the list price
};

struct EpochRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// An exchange as it was read, without its `request` and `raw`.
struct SizedExchange {
  Exchange exchange;
  std::size_t reply_bytes = 0;  // of its reply as it is stored
};

struct RequestCounts {
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;  // of them
};

struct PruneSummary {
  std::vector<std::string> runs;     // their ids, oldest first
  std::vector<std::string> at_work;  // those that would have gone, but somebody works on them
  std::uint64_t exchanges = 0;
  std::uint64_t exchanges_kept = 0;
  std::uint64_t bytes = 0;  // that the file got smaller by
};

// While it lives everything read is of one moment, and nothing is written through its store: reading one by
// one takes and gives back the locks of the file each time.
class StoreReading {
 public:
  virtual ~StoreReading() = default;
};

class Store {
 public:
  virtual ~Store() = default;

  virtual void WatchFile(FileWatch& /*watch*/) {}  // until the file is closed; a server has none
  // Within another one it is part of that.
  virtual Result<std::unique_ptr<StoreReading>> BeginReading() = 0;

  // Whether it is read in passing from now on, each part about once: then it keeps little of that in memory.
  virtual void ReadInPassing(bool /*in_passing*/) {}

  // Of its file; nothing: it has none of its own.
  virtual Result<std::optional<std::uint64_t>> FileBytes() { return std::optional<std::uint64_t>(); }

  // --- exchanges ---
  // Per key the first reusable exchange of the newest epoch in the range, or nothing. Exchanges come back
  // without their `request` and `raw`, which only people read.
  virtual Result<std::vector<std::optional<Exchange>>> Find(std::span<const Digest> keys,
                                                            EpochRange epochs) = 0;
  virtual Result<std::vector<Exchange>> Get(std::span<const ExchangeId> ids) = 0;
  // The first of them, at least one, whose stored replies have at most so many bytes together.
  virtual Result<std::vector<SizedExchange>> GetSome(std::span<const ExchangeId> ids,
                                                     std::size_t bytes_max) = 0;
  virtual Result<std::string> RequestOf(ExchangeId id) = 0;  // the canonical text
  // Fills in `request`, `raw` and `media` for a copy. kLimit: several, together above kCompletedBytesMax.
  virtual Status Complete(std::span<Exchange> exchanges) = 0;
  // What a request named by its digest (lower-case hex); null: it is not there.
  virtual Result<std::shared_ptr<const Blob>> BlobOf(std::string_view sha256) = 0;
  // Of the newest `count` answers, or fewer long ones, those that say what they used, newest first.
  virtual Result<std::vector<StoredUsage>> RecentUsage(std::size_t count) = 0;
  // Of these exchanges those that say what they used, errors too, in this order, one at a time: a request may
  // be long.
  using UsageVisitor = std::function<void(const StoredUsage&)>;
  virtual Status VisitUsageOf(std::span<const ExchangeId> ids, const UsageVisitor& visit) = 0;
  virtual Result<std::uint32_t> NewestEpoch() = 0;  // 0 in a new store
  // For a run that is begun next and looks at no older answer.
  virtual Result<std::uint32_t> NewEpoch() = 0;

  // --- sittings ---
  // `assay_version`: of the program that sits.
  virtual Result<SittingId> BeginSitting(const std::string& run_id, RunPart part, std::int64_t now_ms,
                                         const std::string& assay_version) = 0;
  // Commits what was done, in one transaction: after it returns it survives a kill -9; if it fails nothing of
  // it is there. Commits of a sitting are numbered from 1; one that is there already changes nothing and
  // returns the same. Returns the exchanges that count, in the order of `work.exchanges` and with their ids:
  // where another was committed for the same key and epoch that says what whoever asked can use, that one.
  virtual Result<std::vector<Exchange>> Commit(SittingId sitting, std::uint64_t number, SittingWork work) = 0;
  // Which cells were committed to the run since this mark (0: from its start on), for whoever shows a run
  // that goes on. Runs that were begun before store version 6 tell of none.
  virtual Result<RunChanges> ChangesSince(const std::string& run_id, std::int64_t mark) = 0;

  // The exchanges that the cells of a part of a run used, each once, ascending; those of cells that were
  // skipped after something of them had been asked are among them.
  virtual Result<std::vector<ExchangeId>> ExchangesOf(const std::string& run_id, RunPart part) = 0;
  virtual Result<RequestCounts> CountRequests(const std::string& run_id, RunPart part) = 0;
  // How many of them each recording answered, by the name that is part of their keys.
  virtual Result<std::map<std::string, std::uint64_t>> CountRecorded(const std::string& run_id,
                                                                     RunPart part) = 0;
  virtual Result<StoreEnds> Ends() = 0;
  // The same by a look at all rows: in a stranger's file the last row need not have the highest number.
  virtual Result<StoreEnds> EndsOfAllRows() { return Ends(); }
  // These answer the same request never again; runs that point to them keep them.
  virtual Status SetAside(std::span<const ExchangeId> ids) = 0;

  // --- open batches ---
  virtual Result<std::vector<BatchRecord>> Batches() = 0;  // in the order in which they were made
  virtual Status SaveBatch(BatchRecord& batch) = 0;        // a new one gets its number
  virtual Status RemoveBatch(std::int64_t number) = 0;

  // --- runs ---
  virtual Status BeginRun(const RunRecord& run) = 0;
  // What runs were made of, shared by all runs of an equal suite; kept as long as one of them is there.
  virtual Status SaveSuite(const PackedSuite& suite) = 0;
  virtual Result<Suite> LoadSuite(const Digest& digest) = 0;  // kNotFound, kCorrupt, kUnsupported
  // The documents that a run searches; equal texts are kept once, as long as a run has them. What is there of
  // the run already stays.
  virtual Status SaveDocuments(const std::string& run_id, std::span<const RunDocument> documents) = 0;
  // By its id. Nothing: the run keeps nothing of it.
  virtual Result<std::optional<RunDocument>> DocumentOf(const std::string& run_id, std::string_view id) = 0;
  // State, end, mean, summary, label, generators, inputs, tables, cost, what was said and why it ended.
  virtual Status UpdateRun(const RunRecord& run) = 0;
  // The same of the run as it is by then, while nobody else changes it. `change` may be called again.
  using RunChange = std::function<Status(RunRecord&)>;
  virtual Result<RunRecord> ChangeRun(const std::string& run_id, const RunChange& change) = 0;
  virtual Result<std::vector<RunRecord>> Runs() = 0;  // oldest first
  // By id, unique prefix or "latest": whichever was last worked on. kNotFound says what there is.
  virtual Result<RunRecord> FindRun(std::string_view name) = 0;
  // The unfinished runs of this plan and RunSpec, and those of this plan that were begun without one; newest
  // first.
  virtual Result<std::vector<RunRecord>> Unfinished(const Digest& plan_digest, std::string_view spec) = 0;
  // Results of the cells of a part in their order, for whoever is visited to keep. Of kRun cells without
  // scores are not visited; those of the other parts have none.
  using CellVisitor = std::function<Status(CellResult&)>;
  virtual Status VisitCells(const std::string& run_id, RunPart part, CellSpan span,
                            const CellVisitor& visit) = 0;
  // The same with the exchanges of the links that `wants` asks for (null: all), in the order of the links;
  // read for many cells at once.
  using LinkFilter = bool (*)(const CellResult&, const StepLink&);
  using AnsweredVisitor = std::function<Status(CellResult&, std::span<Exchange>)>;
  virtual Status VisitAnswered(const std::string& run_id, RunPart part, CellSpan span, LinkFilter wants,
                               const AnsweredVisitor& visit) = 0;
  // What the cells of kRun come to, without reading their scores.
  using OutcomeVisitor = std::function<Status(CellIndex, const CellOutcome&)>;
  virtual Status VisitOutcomes(const std::string& run_id, CellSpan span, const OutcomeVisitor& visit) = 0;
  // Those of the cells in `span` whose variants and outcomes `query` asks for, in its order; what it says of
  // cases is not looked at.
  virtual Status FindCells(const std::string& run_id, CellSpan span, const CellQuery& query,
                           const OutcomeVisitor& visit) = 0;

  // Removes runs of an older last word (wall clock) that nobody works on, then the exchanges that are as old
  // and that no run which is left points to; gives the space back to the disk.
  virtual Result<PruneSummary> Prune(std::int64_t before_ms) = 0;
};

struct StoreOptions {
  std::string path;        // of an SQLite file, whose folders are made; or the URL of a PostgreSQL database
  bool read_only = false;  // `runs`, `show`: does not take the writer's place, and makes no tables
  double lost_s = 300;     // of a server: how long a lost connection is tried again
  // Of a file: this user's assay wrote all of it. The pages of any other file are walked before anything is
  // read, so that no page is part of two rows, and its values may not be as long.
  bool is_own = false;
  // Of a file: who wants to know of its changes, asked before the first one by the process that alone writes
  // to it. Null, or a null answer: nobody does.
  std::function<FileWatch*()> watch = {};
};

// Opens or makes a store. kTimeout: another process writes to it (its pid is named), or the server takes no
// more connections; kRefused: a link or a file of somebody else in its place, or a server that lets nobody
// in; kCorrupt: not a store, or damaged; kUnsupported: written by a newer assay, or of a kind that this build
// does not have; kIo: the folder cannot be used, or no server is there.
Result<std::unique_ptr<Store>> OpenStore(const StoreOptions& options);

}  // namespace assay
