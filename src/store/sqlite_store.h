// The SQLite store. One connection, used by one thread at a time; WAL, so that readers of other processes
// never wait.
//   sqlite_open.cc       whose file it is, its version, and what brings it up to date
//   sqlite_exchanges.cc  exchanges and open batches
//   sqlite_runs.cc       runs, and what they were made of
//   sqlite_cells.cc      commits, and the cells of a run
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/schema.h"
#include "store/sqlite.h"
#include "store/store.h"
#include "store/writer_lock.h"

namespace assay {

// As OpenStore, of a path.
Result<std::unique_ptr<Store>> OpenSqliteStore(const StoreOptions& options);

class SqliteStore final : public Store {
 public:
  SqliteStore(WriterLock lock, SqliteDatabase database)
      : lock_(std::move(lock)), database_(std::move(database)) {}

  // `version`: of the file; an older one is only read.
  Status PrepareAll(std::int64_t version);

  Result<std::vector<std::optional<Exchange>>> Find(std::span<const Digest> keys, EpochRange epochs) override;
  Result<std::vector<Exchange>> Get(std::span<const ExchangeId> ids) override;
  Result<std::string> RequestOf(ExchangeId id) override;
  Result<std::vector<StoredUsage>> RecentUsage(std::size_t count) override;
  Result<std::vector<StoredUsage>> UsageOf(std::span<const ExchangeId> ids) override;
  Result<std::uint32_t> NewestEpoch() override;
  Status SetAside(std::span<const ExchangeId> ids) override;
  Result<std::vector<BatchRecord>> Batches() override;
  Status SaveBatch(BatchRecord& batch) override;
  Status RemoveBatch(std::int64_t number) override;

  Status BeginRun(const RunRecord& run) override;
  Status SaveSuite(const PackedSuite& suite) override;
  Result<Suite> LoadSuite(const Digest& digest) override;
  Status UpdateRun(const RunRecord& run) override;
  Result<std::vector<RunRecord>> Runs() override;
  Result<StoreEnds> Ends() override;
  Result<PruneSummary> Prune(std::int64_t before_ms) override;

  Status Commit(const std::string& run_id, std::span<Exchange> exchanges, std::span<const CellResult> cells,
                std::uint64_t sent) override;
  Result<std::vector<ExchangeId>> ExchangesOf(const std::string& run_id, CellIndex last) override;
  Result<RequestCounts> CountRequests(const std::string& run_id, CellIndex last) override;
  Result<std::map<std::string, std::uint64_t>> CountRecorded(const std::string& run_id,
                                                             CellIndex last) override;
  Status VisitCells(const std::string& run_id, CellIndex first, CellIndex last,
                    const std::function<Status(const CellResult&)>& visit) override;
  Status VisitOutcomes(const std::string& run_id, CellSpan span, const OutcomeVisitor& visit) override;
  Status FindCells(const std::string& run_id, CellSpan span, const CellQuery& query,
                   const OutcomeVisitor& visit) override;

 private:
  // Scores and the exchanges behind them, both in order of cells. Joining them here is a comparison of
  // numbers; a join in SQL searches the second table for every row of the first.
  struct CellWalk {
    SqliteStatement scores;
    SqliteStatement steps;
  };

  Result<std::optional<Exchange>> FindOne();
  Status WriteExchange(Exchange& exchange);
  Status WriteAll(const std::string& run_id, std::span<Exchange> exchanges, std::span<const CellResult> cells,
                  std::uint64_t sent);
  Result<std::uint64_t> CountFailed(std::span<const ExchangeId> ids);
  Result<CellWalk> TakeWalk();
  static Status Walk(CellWalk& walk, const std::function<Status(const CellResult&)>& visit);
  static Status WalkOutcomes(SqliteStatement& walk, const OutcomeVisitor& visit);
  Result<std::int64_t> RunNumber(const std::string& run_id);

  WriterLock lock_;
  SqliteDatabase database_;
  std::int64_t version_ = kSchemaVersion;
  SqliteStatement find_;
  SqliteStatement get_;
  SqliteStatement insert_;
  SqliteStatement insert_cell_;
  SqliteStatement insert_score_;
  SqliteStatement count_sent_;
  std::vector<CellWalk> idle_walks_;
  std::vector<SqliteStatement> idle_outcomes_;
  std::map<std::string, std::int64_t> run_numbers_;
};

}  // namespace assay
