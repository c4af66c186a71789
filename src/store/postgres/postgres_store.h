// The PostgreSQL store. One connection, used by one thread at a time; any number of processes write.
//   postgres_open.cc       the database, and its version
//   postgres_tables.cc     what makes its tables, and who may do what with them
//   postgres_exchanges.cc  finding and reading exchanges, open batches, what requests name by its digest
//   postgres_commit.cc     what a sitting commits: whose answer counts, its cells
//   postgres_runs.cc       runs, what they were made of and searched, sittings
//   postgres_cells.cc      the cells of a run, by parts
//   postgres_prune.cc      what is removed
//   postgres_claims.cc     which calls are whose
//   postgres_marks.cc      which rows were made elsewhere
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/find_run.h"
#include "store/marks.h"
#include "store/postgres/client/pg.h"
#include "store/postgres/outcome_cache.h"
#include "store/store.h"

namespace assay {

struct ClaimHolder;

// Of a row of `seat`, as SQL: its process has not left, and has said lately that it lives. What a seat
// says that is stamped with a time to come is no sign of life either: such rows come from a restored dump.
std::string IsHeardOf();

// As OpenStore, of a URL.
Result<std::unique_ptr<Store>> OpenPostgresStore(const StoreOptions& options);

class PostgresStore final : public Store {
 public:
  PostgresStore(std::unique_ptr<PgDatabase> database, double lost_s)
      : own_(std::move(database)), database_(*own_), lost_s_(lost_s) {}

  // --- for its coordinator ---
  PgDatabase& database() { return database_; }
  // All of `work` or nothing, and again where a connection is lost or the server asks for it.
  Status InTransaction(const std::function<Status()>& work);
  void SitAs(std::int64_t seat) { seat_ = seat; }
  // Begins the transaction of whoever holds all runs of the store; false: another one has it.
  Result<bool> TryHoldRuns();
  // Of the seat: which of these keys are its own from now on, until an answer is committed or they are freed.
  Result<std::set<Digest>> Claim(std::span<const Digest> keys, std::uint32_t epoch);
  // Gives its space back where nobody holds any and nobody looks at them right now.
  void EmptyClaims();
  Status FreeClaims(std::span<const Digest> keys, std::uint32_t epoch);
  Result<std::vector<ClaimHolder>> HoldersOf(std::span<const Digest> keys, std::uint32_t epoch);

  // --- for its marks (store/marks.h) ---
  void MarkWhatComes() { coming_.emplace(); }
  Status SettleMarks(const MarkedRows& came);

  std::vector<Exchange> TakeUncommitted() { return std::exchange(uncommitted_, {}); }

  Result<std::unique_ptr<StoreReading>> BeginReading() override;
  Result<std::vector<std::optional<Exchange>>> Find(std::span<const Digest> keys, EpochRange epochs) override;
  Result<std::vector<Exchange>> Get(std::span<const ExchangeId> ids) override;
  Result<std::vector<SizedExchange>> GetSome(std::span<const ExchangeId> ids, std::size_t bytes_max) override;
  Result<std::string> RequestOf(ExchangeId id) override;
  Status Complete(std::span<Exchange> exchanges) override;
  Result<std::shared_ptr<const Blob>> BlobOf(std::string_view sha256) override;
  Result<std::vector<StoredUsage>> RecentUsage(std::size_t count) override;
  Status VisitUsageOf(std::span<const ExchangeId> ids, const UsageVisitor& visit) override;
  Result<std::uint32_t> NewestEpoch() override;
  Result<std::uint32_t> NewEpoch() override;
  Status SetAside(std::span<const ExchangeId> ids) override;
  Result<std::vector<BatchRecord>> Batches() override;
  Status SaveBatch(BatchRecord& batch) override;
  Status RemoveBatch(std::int64_t number) override;

  Status BeginRun(const RunRecord& run) override;
  Status SaveSuite(const PackedSuite& suite) override;
  Result<Suite> LoadSuite(const Digest& digest) override;
  Status SaveDocuments(const std::string& run_id, std::span<const RunDocument> documents) override;
  Result<std::optional<RunDocument>> DocumentOf(const std::string& run_id, std::string_view id) override;
  Status UpdateRun(const RunRecord& run) override;
  Result<RunRecord> ChangeRun(const std::string& run_id, const RunChange& change) override;
  Result<std::vector<RunRecord>> Runs() override;
  Result<RunRecord> FindRun(std::string_view name) override;
  Result<std::vector<RunRecord>> Unfinished(const Digest& plan_digest, std::string_view spec) override;
  Result<StoreEnds> Ends() override;
  Result<PruneSummary> Prune(std::int64_t before_ms) override;

  Result<SittingId> BeginSitting(const std::string& run_id, RunPart part, std::int64_t now_ms,
                                 const std::string& assay_version) override;
  Result<std::vector<Exchange>> Commit(SittingId sitting, std::uint64_t number, SittingWork work) override;
  Result<RunChanges> ChangesSince(const std::string& run_id, std::int64_t mark) override;

  Result<std::vector<ExchangeId>> ExchangesOf(const std::string& run_id, RunPart part) override;
  Result<RequestCounts> CountRequests(const std::string& run_id, RunPart part) override;
  Result<std::map<std::string, std::uint64_t>> CountRecorded(const std::string& run_id,
                                                             RunPart part) override;
  Status VisitCells(const std::string& run_id, RunPart part, CellSpan span,
                    const CellVisitor& visit) override;
  Status VisitAnswered(const std::string& run_id, RunPart part, CellSpan span, LinkFilter wants,
                       const AnsweredVisitor& visit) override;
  Status VisitOutcomes(const std::string& run_id, CellSpan span, const OutcomeVisitor& visit) override;
  Status FindCells(const std::string& run_id, CellSpan span, const CellQuery& query,
                   const OutcomeVisitor& visit) override;

 private:
  // Where a run stands in the tables.
  struct RunRow {
    std::int64_t number = 0;
    std::int64_t cells_of = 0;  // whose cells it has: its own, or those of another run
  };
  struct SittingRow {
    std::int64_t run = 0;
    RunPart part = RunPart::kRun;
    std::uint64_t commits = 0;
    std::optional<std::int64_t> seat = {};
    bool is_displaced = false;  // its seat was given away
  };

  struct AnsweredCell {
    CellResult cell;
    std::vector<Exchange> exchanges;
  };
  // Of one walk within a reading.
  struct ReadAhead {
    std::int64_t run = 0;
    LinkFilter wants = nullptr;
    CellSpan span = {};
    std::vector<AnsweredCell> cells = {};
  };
  // What is read of these cells, with those behind them where a walk goes from cell to cell.
  Result<const ReadAhead*> Ahead(const std::string& run_id, CellSpan span, LinkFilter wants);
  bool IsReadAhead(RunPart part, CellSpan span) const;
  Status ReadOutcomes(std::int64_t run, CellSpan span, const OutcomeVisitor& visit);

  // Whether what is done now is part of a transaction. A connection that is lost without a word is part of
  // none, as libpq sees it: what goes on over another one must not be taken for the whole.
  bool IsWithin() const { return within_ > 0 || database_.IsInTransaction(); }
  // Does what `work` does, again after a lost connection or where the server asks for it, but not within a
  // reading. It must change nothing where it fails, or nothing the second time.
  template <class Work>
  auto Repeating(Work work) -> decltype(work());
  bool MayTryAgain(int tries, double& waited_s);
  // Such rows are gone after a crash of the server.
  Status ClaimAgain();

  // An exchange that is to be kept, and where to put the one that counts in its place.
  struct Entry {
    Exchange* exchange;
    std::optional<Exchange>* winner;
  };
  Result<ExchangeId> NextId();
  bool IsOwnId(ExchangeId id) const;
  Result<SittingRow> LockSitting(SittingId sitting);
  Status FreeClaimsOf(std::span<const Exchange> exchanges);
  Result<std::vector<Exchange>> CommittedAs(SittingId sitting, std::uint64_t number);
  Status WriteExchanges(std::vector<Exchange>& exchanges, std::vector<std::optional<Exchange>>& winners);
  Status WriteDistinct(std::vector<Entry> entries);
  // The ids of those that were inserted: of the others the key is taken.
  Result<std::set<ExchangeId>> Insert(std::vector<Entry> entries, bool as_losers);
  Result<std::map<std::pair<Digest, std::uint32_t>, Exchange>> WinnersOf(const std::vector<Entry>& entries);
  Status WriteMedia(const Exchange& exchange);
  Status MarkExchanges(std::span<const Exchange> exchanges);
  Status MarkRun(const std::string& run_id);
  Status CheckLinks(std::span<const CellResult> cells);
  Status WriteCells(const SittingRow& row, std::span<const CellResult> cells);
  Status WriteChange(SittingId sitting, std::uint64_t number, const SittingRow& row, const SittingWork& work,
                     std::span<const std::optional<Exchange>> winners);

  Status VisitPieces(std::string_view sql, std::int64_t run, RunPart part, CellSpan span,
                     const std::function<Status(const PgStatement& row)>& visit);
  Result<RunRow> RowOfRun(const std::string& run_id);
  Result<std::vector<RunRecord>> SelectRuns(std::string_view where, std::string_view text = {},
                                            std::string_view bytes = {});
  Result<std::vector<std::string>> SelectRunIds(std::string_view where, std::string_view text = {});
  RunSelection Selection();
  Status HandOver(std::int64_t from, std::int64_t before_ms);
  Result<bool> RemoveRun(std::int64_t number, std::int64_t before_ms);
  Status RemoveCellsOfNobody();
  Status RemoveRuns(std::int64_t before_ms, PruneSummary& summary);
  Result<std::vector<ExchangeId>> Needed();
  Status RemoveExchanges(std::int64_t before_ms, PruneSummary& summary);
  Result<std::int64_t> NumberOf(std::string_view query);

  std::unique_ptr<PgDatabase> own_;
  PgDatabase& database_;
  double lost_s_;
  std::map<std::string, RunRow> run_rows_;
  std::vector<ReadAhead> aheads_;  // of walks that take turns, the latest last
  bool is_reading_ahead_ = false;
  bool may_read_ahead_ = true;        // false: what cells of this reading name is too long to be kept
  int within_ = 0;                    // transactions and readings that are not over
  OutcomeCache outcomes_;             // of a reading
  std::set<ExchangeId> blocks_;       // the first ids of the blocks that this writer has drawn
  std::optional<std::int64_t> seat_;  // of the process, where it has one
  std::set<std::pair<Digest, std::uint32_t>> claimed_;  // by it
  std::vector<Exchange> uncommitted_;
  // What is added is marked as made elsewhere: where those marks begin.
  struct Coming {
    std::vector<std::uint64_t> exchanges;
    std::vector<std::uint64_t> runs;
  };
  std::optional<Coming> coming_;
  ExchangeId next_id_ = 0;
  ExchangeId end_id_ = 0;
};

}  // namespace assay
