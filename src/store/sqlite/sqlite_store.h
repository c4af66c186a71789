// The SQLite store. One connection, used by one thread at a time; WAL, so that readers of other processes
// never wait.
//   sqlite_open.cc       whose file it is, its version, and what brings it up to date
//   sqlite_exchanges.cc  exchanges and open batches
//   exchange_keys.h      where exchanges are found
//   sqlite_blobs.cc      what requests name by its digest
//   sqlite_documents.cc  texts of the documents that runs searched
//   sqlite_runs.cc       runs, and what they were made of
//   sqlite_sittings.cc   what a sitting commits, and what that changed
//   sqlite_cells.cc      the cells of a run, by parts
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "store/find_run.h"
#include "store/packed/packed_request.h"
#include "store/sqlite/exchange_keys.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite.h"
#include "store/sqlite/writer_lock.h"
#include "store/store.h"

namespace assay {

// As OpenStore, of a path.
Result<std::unique_ptr<Store>> OpenSqliteStore(const StoreOptions& options);

inline constexpr const char* kUsualCache = "PRAGMA cache_size = -16000";  // KiB

class SqliteStore final : public Store {
 public:
  SqliteStore(WriterLock lock, SqliteDatabase database)
      : lock_(std::move(lock)), database_(std::move(database)) {}
  ~SqliteStore() override;

  // `version`: of the file; an older one is only read.
  Status PrepareAll(std::int64_t version);

  void WatchFile(FileWatch& watch) override;
  Result<std::unique_ptr<StoreReading>> BeginReading() override;
  Result<std::optional<std::uint64_t>> FileBytes() override;
  Result<std::vector<std::optional<Exchange>>> Find(std::span<const Digest> keys, EpochRange epochs) override;
  Result<std::vector<Exchange>> Get(std::span<const ExchangeId> ids) override;
  Result<std::vector<SizedExchange>> GetSome(std::span<const ExchangeId> ids, std::size_t bytes_max) override;
  Result<std::string> RequestOf(ExchangeId id) override;
  Status Complete(std::span<Exchange> exchanges) override;
  Result<std::shared_ptr<const Blob>> BlobOf(std::string_view sha256) override;
  Result<std::vector<StoredUsage>> RecentUsage(std::size_t count) override;
  void ReadInPassing(bool in_passing) override;
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
  Result<StoreEnds> EndsOfAllRows() override;
  Result<PruneSummary> Prune(std::int64_t before_ms) override;

  Result<SittingId> BeginSitting(const std::string& run_id, RunPart part, std::int64_t now_ms,
                                 const std::string& assay_version) override;
  Result<std::vector<Exchange>> Commit(SittingId sitting, std::uint64_t number, SittingWork work) override;
  Result<RunChanges> ChangesSince(const std::string& run_id, std::int64_t mark) override;
  // The id of its run; nothing: nobody has sat here.
  Result<std::optional<std::string>> RunOfNewestSitting();

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
  Result<StoreEnds> EndsBy(const char* sql);
  // Where a run stands in the tables.
  struct RunRow {
    std::int64_t number = 0;
    std::int64_t cells_of = 0;  // whose cells it has: its own, or those of another run
    CellIndex cells = 0;
  };
  struct SittingRow {
    std::int64_t run = 0;
    RunPart part = RunPart::kRun;
    std::uint64_t commits = 0;
  };
  // The rows of the table of cells that are of a part of a run.
  struct PartRows {
    std::int64_t run = 0;
    RunPart part = RunPart::kRun;
    CellSpan rows;
  };
  // Scores and the exchanges behind them, both in order of cells. Joining them here is a comparison of
  // numbers; a join in SQL searches the second table for every row of the first.
  struct CellWalk {
    SqliteStatement scores;
    SqliteStatement steps;
  };

  Status RefreshKeys();
  Result<SizedExchange> GetOne(ExchangeId id);
  Result<std::optional<Exchange>> FindOne(const Digest& key, EpochRange epochs);
  Result<std::optional<Exchange>> FindCounting(const Exchange& exchange);
  Status WriteExchange(Exchange& exchange);
  Status WriteMedia(const Exchange& exchange);

  Result<RunRow> RowOfRun(const std::string& run_id);
  Result<std::vector<RunRecord>> SelectRuns(std::string_view where, std::string_view text = {},
                                            std::string_view bytes = {});
  Result<std::vector<std::string>> SelectRunIds(std::string_view where, std::string_view text = {});
  RunSelection Selection();

  Result<SittingRow> RowOfSitting(SittingId sitting);
  Result<std::vector<Exchange>> WriteWork(SittingId sitting, std::uint64_t number, SittingWork work);
  Result<std::vector<Exchange>> CommittedAs(SittingId sitting, std::uint64_t number, const SittingRow& row);
  Status WriteCell(const SittingRow& row, const CellResult& cell);
  Status WriteChange(SittingId sitting, std::uint64_t number, const SittingRow& row, const SittingWork& work);

  Result<PartRows> RowsOf(const std::string& run_id, RunPart part, CellSpan span);
  void Bind(const PartRows& rows, SqliteStatement& select) const;
  Result<std::uint64_t> CountFailed(std::span<const ExchangeId> ids);
  Result<CellWalk> TakeWalk();
  static Status WalkScored(CellWalk& walk, CellSpan span, const CellVisitor& visit);
  static Status WalkUnscored(CellWalk& walk, CellSpan span, const CellVisitor& visit);
  static Status WalkOutcomes(SqliteStatement& walk, CellSpan span, const OutcomeVisitor& visit);

  WriterLock lock_;
  FileWatch* watch_ = nullptr;
  SqliteDatabase database_;
  std::int64_t version_ = kSchemaVersion;
  SqliteStatement find_;
  SqliteStatement get_;
  SqliteStatement get_behind_;
  ExchangeKeys keys_;
  RequestPacker packer_;
  SqliteStatement insert_;
  SqliteStatement insert_cell_;
  SqliteStatement insert_score_;
  SqliteStatement insert_change_;
  SqliteStatement count_commit_;
  SqliteStatement insert_blob_;
  SqliteStatement insert_blob_use_;
  std::vector<CellWalk> idle_walks_;
  std::vector<SqliteStatement> idle_outcomes_;
  std::map<std::string, RunRow> run_rows_;
  std::map<SittingId, SittingRow> sitting_rows_;
  std::set<std::string> kept_blobs_;     // digests of those that this writer knows to be there
  std::map<Digest, EpochRange> missed_;  // keys that this writer looked up in vain, until it commits them
};

}  // namespace assay
