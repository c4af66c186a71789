// The SQLite store. One connection, used by one thread at a time; WAL, so that readers of other processes
// never wait.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/limits.h"
#include "spec/replay.h"
#include "store/cell_rows.h"
#include "store/prune.h"
#include "store/schema.h"
#include "store/sqlite.h"
#include "store/stored_rows.h"
#include "store/step_links.h"
#include "store/store.h"

namespace assay {

namespace {

constexpr std::size_t kPidDigitsMax = 20;

std::string_view BytesOf(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Whoever put a link in the place of a store's file does not decide what is written.
Error LinkError(const std::string& path) {
  return {
      ErrorCode::kRefused,
      fmt::format("{} is a link, and nothing is written through links; remove it, or name the file that it "
                  "leads to with --store",
                  path)};
}

bool IsLink(const std::string& path) {
  struct stat info {};
  return lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

// A lock is a file of one name that holds digits, or nothing yet. Whatever else has its name stays as it is.
bool IsLockFile(int file) {
  struct stat info {};
  char text[kPidDigitsMax + 1];
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink > 1) return false;
  const ssize_t size = pread(file, text, sizeof text, 0);
  return size >= 0 && static_cast<std::size_t>(size) <= kPidDigitsMax &&
         std::all_of(text, text + size, [](char c) { return c >= '0' && c <= '9'; });
}

// The writer's place: an advisory lock on a file beside the store, with the writer's pid in it.
class WriterLock {
 public:
  static Result<WriterLock> Take(const std::string& store_path) {
    WriterLock lock;
    const std::string path = store_path + ".lock";
    lock.file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0644);
    if (lock.file_ < 0) {
      if (IsLink(path)) return LinkError(path);
      return Error{ErrorCode::kIo,
                   fmt::format("{}: the store's folder cannot be written; name another file with --store",
                               store_path)};
    }
    if (!IsLockFile(lock.file_)) {
      return Error{
          ErrorCode::kRefused,
          fmt::format("{}: expected the store's lock, found a file that assay did not write; remove it, "
                      "or use --store with another path",
                      path)};
    }
    if (flock(lock.file_, LOCK_EX | LOCK_NB) != 0) {
      char pid[32] = {};
      const ssize_t got = pread(lock.file_, pid, sizeof pid - 1, 0);
      return Error{ErrorCode::kTimeout, fmt::format("{}: another assay (process {}) writes to this store",
                                                    store_path, got > 0 ? pid : "unknown")};
    }
    const std::string pid = std::to_string(getpid());
    if (ftruncate(lock.file_, 0) != 0 || pwrite(lock.file_, pid.data(), pid.size(), 0) < 0) {
      return Error{
          ErrorCode::kIo,
          fmt::format("{}: the lock beside the store cannot be written; is the disk full?", store_path)};
    }
    return lock;
  }
  WriterLock() = default;
  WriterLock(WriterLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  WriterLock& operator=(WriterLock&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~WriterLock() {
    if (file_ >= 0) close(file_);
  }

 private:
  int file_ = -1;
};

// Ends with its scope.
class ReadTransaction {
 public:
  static Result<ReadTransaction> Begin(SqliteDatabase& database) {
    ASSAY_CHECK_OK(database.Execute("BEGIN"));
    return ReadTransaction(database);
  }
  ReadTransaction(ReadTransaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  ReadTransaction& operator=(ReadTransaction&&) = delete;
  ~ReadTransaction() {
    // Nothing was written: there is nothing that a failure could lose.
    if (database_ != nullptr) static_cast<void>(database_->Execute("COMMIT").has_value());
  }

 private:
  explicit ReadTransaction(SqliteDatabase& database) : database_(&database) {}
  SqliteDatabase* database_;
};

class SqliteStore final : public Store {
 public:
  SqliteStore(WriterLock lock, SqliteDatabase database)
      : lock_(std::move(lock)), database_(std::move(database)) {}

  // `version`: of the file; an older one is only read.
  Status PrepareAll(std::int64_t version) {
    version_ = version;
    const std::string columns = ExchangeColumns(version);
    ASSAY_TRY(find_, database_.Prepare(
                         fmt::format("SELECT {} FROM exchange WHERE key = ?1 AND reusable = 1 AND epoch "
                                     "BETWEEN ?2 AND ?3 ORDER BY epoch, id",
                                     columns)));
    ASSAY_TRY(get_, database_.Prepare(fmt::format("SELECT {} FROM exchange WHERE id = ?1", columns)));
    if (version < kSchemaVersion) return Ok();
    ASSAY_TRY(insert_,
              database_.Prepare("INSERT INTO exchange VALUES(NULL,?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,0,0,"
                                "?14,?15,?16,?17,?18,?19,?20,?21,?12,?13,?22)"));
    ASSAY_TRY(insert_cell_, database_.Prepare("INSERT OR REPLACE INTO cell VALUES(?1,?2,?3,?4,?5,?6,?7,?8)"));
    ASSAY_TRY(insert_score_, database_.Prepare("INSERT OR REPLACE INTO score VALUES(?1,?2,?3)"));
    ASSAY_TRY(count_sent_,
              database_.Prepare("UPDATE run SET requests_sent = requests_sent + ?2 WHERE number = ?1"));
    return Ok();
  }

  Result<std::vector<std::optional<Exchange>>> Find(std::span<const Digest> keys,
                                                    EpochRange epochs) override {
    std::vector<std::optional<Exchange>> found(keys.size());
    // One transaction for all look-ups: taking and giving back the reader's locks costs as much as finding.
    ASSAY_TRY(const ReadTransaction open, ReadTransaction::Begin(database_));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      find_.BindBlob(1, BytesOf(keys[i]))
          .Bind(2, std::int64_t{epochs.first})
          .Bind(3, std::int64_t{epochs.last});
      ASSAY_TRY(found[i], FindOne());
    }
    return found;
  }

  Result<std::vector<Exchange>> Get(std::span<const ExchangeId> ids) override {
    std::vector<Exchange> all;
    all.reserve(ids.size());
    for (const ExchangeId id : ids) {
      get_.Bind(1, static_cast<std::int64_t>(id));
      ASSAY_TRY(const bool row, get_.Step());
      if (!row) return Error{ErrorCode::kCorrupt, fmt::format("the store has no exchange {}", id)};
      Result<Exchange> exchange = ReadExchange(get_);
      get_.Reset();
      if (!exchange) return std::move(exchange).error();
      all.push_back(std::move(exchange).value());
    }
    return all;
  }

  Result<std::string> RequestOf(ExchangeId id) override {
    ASSAY_TRY(SqliteStatement request, database_.Prepare("SELECT request FROM exchange WHERE id = ?1"));
    request.Bind(1, static_cast<std::int64_t>(id));
    ASSAY_TRY(const bool row, request.Step());
    if (!row) return Error{ErrorCode::kCorrupt, fmt::format("the store has no exchange {}", id)};
    return std::string(request.Text(0));
  }

  Result<std::vector<StoredUsage>> RecentUsage(std::size_t count) override {
    ASSAY_TRY(SqliteStatement select, database_.Prepare(fmt::format(
                                          "SELECT {} FROM (SELECT * FROM exchange ORDER BY id DESC LIMIT ?1) "
                                          "WHERE error_code IS NULL AND input_tokens IS NOT NULL",
                                          UsageColumns(version_))));
    select.Bind(1, static_cast<std::int64_t>(count));
    std::vector<StoredUsage> rows;
    while (true) {
      ASSAY_TRY(const bool row, select.Step());
      if (!row) return rows;
      rows.push_back(ReadUsage(select));
    }
  }

  Result<std::vector<StoredUsage>> UsageOf(std::span<const ExchangeId> ids) override {
    ASSAY_TRY(
        SqliteStatement select,
        database_.Prepare(fmt::format("SELECT {} FROM exchange WHERE id = ?1 AND input_tokens IS NOT NULL",
                                      UsageColumns(version_))));
    std::vector<StoredUsage> rows;
    for (const ExchangeId id : ids) {
      select.Bind(1, static_cast<std::int64_t>(id));
      ASSAY_TRY(const bool row, select.Step());
      if (row) rows.push_back(ReadUsage(select));
      select.Reset();
    }
    return rows;
  }

  Result<std::uint32_t> NewestEpoch() override {
    ASSAY_TRY(SqliteStatement newest,
              database_.Prepare("SELECT max((SELECT coalesce(max(epoch), 0) FROM run), "
                                "(SELECT coalesce(max(epoch), 0) FROM exchange WHERE id = "
                                "(SELECT max(id) FROM exchange)))"));
    ASSAY_TRY([[maybe_unused]] const bool row, newest.Step());
    return static_cast<std::uint32_t>(newest.Int(0));
  }

  Status Commit(const std::string& run_id, std::span<Exchange> exchanges, std::span<const CellResult> cells,
                std::uint64_t sent) override {
    ASSAY_CHECK_OK(database_.Execute("BEGIN IMMEDIATE"));
    Status written = WriteAll(run_id, exchanges, cells, sent);
    if (written) written = database_.Execute("COMMIT");
    if (written) return Ok();
    // The transaction may be gone already; what matters is that none of it stays.
    static_cast<void>(database_.Execute("ROLLBACK").has_value());
    for (Exchange& exchange : exchanges) exchange.id = 0;
    return written;
  }

  Result<std::vector<ExchangeId>> ExchangesOf(const std::string& run_id, CellIndex last) override {
    ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
    ASSAY_TRY(SqliteStatement select,
              database_.Prepare(
                  fmt::format("SELECT exchanges FROM {} WHERE run = ?1 AND cell < ?2", CellsOf(version_))));
    select.Bind(1, run).Bind(2, static_cast<std::int64_t>(last));
    std::vector<ExchangeId> ids;
    while (true) {
      ASSAY_TRY(const bool row, select.Step());
      if (!row) break;
      ASSAY_TRY(const std::vector<StepExchanges> steps, DecodeStepLinks(select.Text(0)));
      for (const StepExchanges& step : steps)
        ids.insert(ids.end(), step.exchanges.begin(), step.exchanges.end());
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }

  Result<RequestCounts> CountRequests(const std::string& run_id, CellIndex last) override {
    ASSAY_TRY(const std::vector<ExchangeId> ids, ExchangesOf(run_id, last));
    ASSAY_TRY(const std::uint64_t errors, CountFailed(ids));
    return RequestCounts{.requests = ids.size(), .errors = errors};
  }

  Result<std::map<std::string, std::uint64_t>> CountRecorded(const std::string& run_id,
                                                             CellIndex last) override {
    ASSAY_TRY(const std::vector<ExchangeId> ids, ExchangesOf(run_id, last));
    ASSAY_TRY(SqliteStatement tail, database_.Prepare(fmt::format(
                                        "SELECT substr(request, -{}) FROM exchange WHERE id = ?1 AND "
                                        "error_code IS NULL",
                                        kRecordingTailBytes)));
    std::map<std::string, std::uint64_t> counts;
    for (const ExchangeId id : ids) {
      tail.Bind(1, static_cast<std::int64_t>(id));
      ASSAY_TRY(const bool row, tail.Step());
      if (!row) continue;
      if (const std::string_view name = RecordingOf(tail.Text(0)); !name.empty()) ++counts[std::string(name)];
      tail.Reset();
    }
    return counts;
  }

  Result<StoreEnds> Ends() override {
    ASSAY_TRY(SqliteStatement ends,
              database_.Prepare("SELECT (SELECT coalesce(max(id), 0) FROM exchange), "
                                "(SELECT coalesce(max(number), 0) FROM run)"));
    ASSAY_TRY([[maybe_unused]] const bool row, ends.Step());
    const StoreEnds found{.exchange = ends.Int(0), .run = ends.Int(1)};
    ends.Reset();
    return found;
  }

  Status SetAside(std::span<const ExchangeId> ids) override {
    ASSAY_TRY(SqliteStatement update,
              database_.Prepare("UPDATE exchange SET reusable = 0 WHERE id = ?1 AND reusable = 1"));
    ASSAY_CHECK_OK(database_.Execute("BEGIN IMMEDIATE"));
    for (const ExchangeId id : ids) {
      update.Bind(1, static_cast<std::int64_t>(id));
      if (const Status updated = update.Run(); !updated) {
        static_cast<void>(database_.Execute("ROLLBACK").has_value());
        return updated;
      }
    }
    return database_.Execute("COMMIT");
  }

  Result<std::vector<BatchRecord>> Batches() override {
    std::vector<BatchRecord> batches;
    if (version_ < 2) return batches;
    ASSAY_TRY(SqliteStatement select,
              database_.Prepare("SELECT number, id, provider, endpoint, created_ms, state, keys, details "
                                "FROM batch ORDER BY number"));
    while (true) {
      ASSAY_TRY(const bool row, select.Step());
      if (!row) return batches;
      ASSAY_TRY(BatchRecord batch, ReadBatch(select));
      batches.push_back(std::move(batch));
    }
  }

  Status SaveBatch(BatchRecord& batch) override {
    ASSAY_TRY(SqliteStatement save,
              database_.Prepare("INSERT OR REPLACE INTO batch VALUES(?1,?2,?3,?4,?5,?6,?7,?8)"));
    std::string keys;
    for (const Digest& key : batch.keys) keys += BytesOf(key);
    if (batch.number == 0) {
      save.BindNull(1);
    } else {
      save.Bind(1, batch.number);
    }
    save.Bind(2, batch.id)
        .Bind(3, batch.provider)
        .Bind(4, batch.endpoint)
        .Bind(5, batch.created_ms)
        .Bind(6, static_cast<std::int64_t>(batch.state))
        .BindBlob(7, keys)
        .Bind(8, batch.details);
    ASSAY_CHECK_OK(save.Run());
    if (batch.number == 0) batch.number = database_.LastInsertId();
    return Ok();
  }

  Status RemoveBatch(std::int64_t number) override {
    ASSAY_TRY(SqliteStatement remove, database_.Prepare("DELETE FROM batch WHERE number = ?1"));
    remove.Bind(1, number);
    return remove.Run();
  }

  Status BeginRun(const RunRecord& run) override {
    ASSAY_TRY(SqliteStatement insert,
              database_.Prepare(
                  "INSERT INTO run VALUES(NULL,?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,"
                  "?18,?19,?20,NULL,?21,?22,?23)"));
    BindRun(run, insert);
    return insert.Run();
  }

  Status SaveSuite(const PackedSuite& suite) override {
    ASSAY_TRY(SqliteStatement insert, database_.Prepare("INSERT OR IGNORE INTO suite VALUES(?1,?2)"));
    insert.BindBlob(1, BytesOf(suite.digest)).BindBlob(2, suite.frame);
    return insert.Run();
  }

  Result<Suite> LoadSuite(const Digest& digest) override {
    const Error missing{ErrorCode::kNotFound, "the store does not hold the suite of this run"};
    if (version_ < 3) return missing;
    ASSAY_TRY(SqliteStatement select, database_.Prepare("SELECT frame FROM suite WHERE digest = ?1"));
    select.BindBlob(1, BytesOf(digest));
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return missing;
    return UnpackSuite(select.Text(0));
  }

  Status UpdateRun(const RunRecord& run) override {
    ASSAY_TRY(SqliteStatement update,
              database_.Prepare("UPDATE run SET state = ?2, finished_ms = ?3, mean_score = ?4, summary = ?5, "
                                "run_label = ?6 WHERE id = ?1"));
    update.Bind(1, run.context.run_id).Bind(2, static_cast<std::int64_t>(run.state)).Bind(3, run.finished_ms);
    update.Bind(6, run.context.run_label);
    if (run.summary.empty()) {
      update.BindNull(5);
    } else {
      update.Bind(5, run.summary);
    }
    if (std::isnan(run.mean_score)) {
      update.BindNull(4);
    } else {
      update.Bind(4, run.mean_score);
    }
    return update.Run();
  }

  Result<std::vector<RunRecord>> Runs() override {
    ASSAY_TRY(SqliteStatement select, database_.Prepare("SELECT * FROM run ORDER BY number"));
    std::vector<RunRecord> runs;
    while (true) {
      ASSAY_TRY(const bool row, select.Step());
      if (!row) return runs;
      runs.push_back(ReadRun(select));
    }
  }

  Status VisitCells(const std::string& run_id, CellIndex first, CellIndex last,
                    const std::function<Status(const CellResult&)>& visit) override {
    ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
    ASSAY_TRY(CellWalk walk, TakeWalk());
    walk.scores.Bind(1, run)
        .Bind(2, static_cast<std::int64_t>(first))
        .Bind(3, static_cast<std::int64_t>(last));
    walk.steps.Bind(1, run)
        .Bind(2, static_cast<std::int64_t>(first))
        .Bind(3, static_cast<std::int64_t>(last));
    Status walked = Walk(walk, visit);
    walk.scores.Reset();
    walk.steps.Reset();
    idle_walks_.push_back(std::move(walk));
    return walked;
  }

  Status VisitOutcomes(const std::string& run_id, CellSpan span, const OutcomeVisitor& visit) override {
    ASSAY_ASSERT(version_ >= kOutcomesVersion);
    ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
    SqliteStatement walk;
    if (idle_outcomes_.empty()) {
      ASSAY_TRY(walk,
                database_.Prepare("SELECT cell, state, score FROM cell WHERE run = ?1 AND cell >= ?2 AND "
                                  "cell < ?3 AND +state IS NOT NULL ORDER BY cell"));
    } else {
      walk = std::move(idle_outcomes_.back());
      idle_outcomes_.pop_back();
    }
    walk.Bind(1, run)
        .Bind(2, static_cast<std::int64_t>(span.first))
        .Bind(3, static_cast<std::int64_t>(span.last));
    Status walked = WalkOutcomes(walk, visit);
    walk.Reset();
    idle_outcomes_.push_back(std::move(walk));
    return walked;
  }

  Status FindCells(const std::string& run_id, CellSpan span, const CellQuery& query,
                   const OutcomeVisitor& visit) override {
    ASSAY_ASSERT(version_ >= kOutcomesVersion);
    ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
    return FindCellRows(database_, run, span, query, visit);
  }

  Result<PruneSummary> Prune(std::int64_t before_ms) override {
    run_numbers_.clear();
    return PruneStore(database_, before_ms);
  }

 private:
  // The first exchange of the newest epoch among the rows of `find_`, which come in the index's order, epoch
  // by epoch: nearly always there is one, and sorting in the query would cost more than the look-up. A text
  // that was cut for want of room gives way to one that had more.
  Result<std::optional<Exchange>> FindOne() {
    std::optional<Exchange> best;
    while (true) {
      ASSAY_TRY(const bool row, find_.Step());
      if (!row) return best;
      const bool is_newer = !best || static_cast<std::uint32_t>(find_.Int(2)) > best->epoch;
      if (!is_newer && !best->IsCutBelow(find_.Int(18))) continue;
      Result<Exchange> exchange = ReadExchange(find_);
      if (!exchange) {
        find_.Reset();
        return std::move(exchange).error();
      }
      best = std::move(exchange).value();
    }
  }

  // Of the ascending ids those that ended in an error. Goes from one to the next failed exchange of the index
  // and on to the next id that may be it: what failed for other runs is hardly read.
  Result<std::uint64_t> CountFailed(std::span<const ExchangeId> ids) {
    ASSAY_TRY(SqliteStatement next,
              database_.Prepare("SELECT id FROM exchange INDEXED BY exchange_failed WHERE error_code IS NOT "
                                "NULL AND id >= ?1 ORDER BY id LIMIT 1"));
    std::uint64_t failed = 0;
    for (auto id = ids.begin(); id != ids.end();) {
      next.Bind(1, static_cast<std::int64_t>(*id));
      ASSAY_TRY(const bool row, next.Step());
      if (!row) break;
      const auto found = static_cast<ExchangeId>(next.Int(0));
      next.Reset();
      id = std::lower_bound(id, ids.end(), found);
      if (id == ids.end() || *id != found) continue;
      ++failed;
      ++id;
    }
    return failed;
  }

  // Scores and the exchanges behind them, both in order of cells. Joining them here is a comparison of
  // numbers; a join in SQL searches the second table for every row of the first.
  struct CellWalk {
    SqliteStatement scores;
    SqliteStatement steps;
  };

  // Reports walk case by case, and a walk may start another: each takes statements that are not in use.
  Result<CellWalk> TakeWalk() {
    CellWalk walk;
    if (idle_walks_.empty()) {
      constexpr std::string_view kRange = "WHERE run = ?1 AND cell >= ?2 AND cell < ?3 ORDER BY cell";
      ASSAY_TRY(walk.scores, database_.Prepare(fmt::format("SELECT cell, scores FROM score {}", kRange)));
      ASSAY_TRY(walk.steps, database_.Prepare(fmt::format("SELECT cell, exchanges, state, score FROM {} {}",
                                                          CellsOf(version_), kRange)));
    } else {
      walk = std::move(idle_walks_.back());
      idle_walks_.pop_back();
    }
    return walk;
  }

  static Status Walk(CellWalk& walk, const std::function<Status(const CellResult&)>& visit) {
    ASSAY_TRY(bool has_steps, walk.steps.Step());
    CellResult result;
    while (true) {
      ASSAY_TRY(const bool row, walk.scores.Step());
      if (!row) return Ok();
      result.cell = static_cast<CellIndex>(walk.scores.Int(0));
      result.scores = walk.scores.Text(1);
      result.steps.clear();
      result.outcome.reset();
      while (has_steps && static_cast<CellIndex>(walk.steps.Int(0)) <= result.cell) {
        if (static_cast<CellIndex>(walk.steps.Int(0)) == result.cell) {
          ASSAY_TRY(result.steps, DecodeStepLinks(walk.steps.Text(1)));
          ASSAY_TRY(result.outcome, ReadOutcome(walk.steps, 2));
        }
        ASSAY_TRY(has_steps, walk.steps.Step());
      }
      ASSAY_CHECK_OK(visit(result));
    }
  }

  static Status WalkOutcomes(SqliteStatement& walk, const OutcomeVisitor& visit) {
    while (true) {
      ASSAY_TRY(const bool row, walk.Step());
      if (!row) return Ok();
      ASSAY_TRY(const std::optional<CellOutcome> outcome, ReadOutcome(walk, 1));
      ASSAY_CHECK_OK(visit(static_cast<CellIndex>(walk.Int(0)), *outcome));
    }
  }

  static void BindRun(const RunRecord& run, SqliteStatement& insert) {
    insert.Bind(1, run.context.run_id)
        .Bind(2, run.title)
        .Bind(3, run.dialect)
        .Bind(4, run.source)
        .BindBlob(5, BytesOf(run.plan_digest))
        .Bind(6, std::int64_t{run.first_epoch})
        .Bind(7, std::int64_t{run.epoch})
        .Bind(8, static_cast<std::int64_t>(run.state))
        .Bind(9, static_cast<std::int64_t>(run.cells))
        .Bind(10, static_cast<std::int64_t>(run.requests_sent))
        .Bind(11, run.context.started_ms)
        .Bind(12, run.finished_ms)
        .BindNull(13)
        .Bind(14, std::int64_t{run.context.utc_offset_min})
        .Bind(15, run.context.run_label)
        .Bind(16, run.context.suite_root)
        .Bind(17, run.context.assay_version)
        .Bind(18, static_cast<std::int64_t>(run.context.seed))
        .Bind(20, run.toolchains)
        .Bind(21, std::int64_t{run.has_outcomes ? 1 : 0})
        .Bind(22, run.context.prompts.ms)
        .Bind(23, std::int64_t{run.context.prompts.utc_offset_min});
    if (run.suite) {
      insert.BindBlob(19, BytesOf(*run.suite));
    } else {
      insert.BindNull(19);
    }
  }

  Result<std::int64_t> RunNumber(const std::string& run_id) {
    if (const auto known = run_numbers_.find(run_id); known != run_numbers_.end()) return known->second;
    ASSAY_TRY(SqliteStatement select, database_.Prepare("SELECT number FROM run WHERE id = ?1"));
    select.Bind(1, run_id);
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return Error{ErrorCode::kNotFound, fmt::format("the store has no run {}", run_id)};
    return run_numbers_[run_id] = select.Int(0);
  }

  Status WriteAll(const std::string& run_id, std::span<Exchange> exchanges, std::span<const CellResult> cells,
                  std::uint64_t sent) {
    for (Exchange& exchange : exchanges) ASSAY_CHECK_OK(WriteExchange(exchange));
    if (cells.empty() && sent == 0) return Ok();
    ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
    if (sent > 0) {
      count_sent_.Bind(1, run).Bind(2, static_cast<std::int64_t>(sent));
      ASSAY_CHECK_OK(count_sent_.Run());
    }
    for (const CellResult& cell : cells) {
      const std::string links = EncodeStepLinks(cell.steps);
      insert_cell_.Bind(1, run).Bind(2, static_cast<std::int64_t>(cell.cell)).BindBlob(3, links);
      BindColumns(cell.columns, 4, insert_cell_);
      ASSAY_CHECK_OK(insert_cell_.Run());
      if (cell.scores.empty()) continue;
      insert_score_.Bind(1, run).Bind(2, static_cast<std::int64_t>(cell.cell)).BindBlob(3, cell.scores);
      ASSAY_CHECK_OK(insert_score_.Run());
    }
    return Ok();
  }

  Status WriteExchange(Exchange& exchange) {
    const std::string reply = exchange.error ? std::string() : EncodeReply(exchange.reply);
    insert_.BindBlob(1, BytesOf(exchange.key))
        .Bind(2, std::int64_t{exchange.epoch})
        .Bind(3, std::int64_t{exchange.Reusable() ? 1 : 0})
        .Bind(4, static_cast<std::int64_t>(exchange.kind))
        .Bind(5, static_cast<std::int64_t>(exchange.role));
    if (exchange.error) {
      insert_.Bind(6, static_cast<std::int64_t>(exchange.error->code)).Bind(7, exchange.error->message);
    } else {
      insert_.BindNull(6).BindNull(7);
    }
    if (const Usage& usage = exchange.usage; usage.known) {
      insert_.Bind(8, usage.input_tokens).Bind(9, usage.output_tokens).Bind(10, usage.reasoning_tokens);
      insert_.Bind(19, usage.cached_read_tokens).Bind(20, usage.cached_write_tokens);
    } else {
      insert_.BindNull(8).BindNull(9).BindNull(10).BindNull(19).BindNull(20);
    }
    if (exchange.room > 0) {
      insert_.Bind(21, exchange.room);
    } else {
      insert_.BindNull(21);
    }
    if (exchange.price_factor != 1) {
      insert_.Bind(22, exchange.price_factor);
    } else {
      insert_.BindNull(22);
    }
    insert_.Bind(11, exchange.started_ms)
        .Bind(12, exchange.first_token_us)
        .Bind(13, exchange.duration_us)
        .Bind(14, exchange.finish_reason)
        .Bind(15, std::int64_t{exchange.tries})
        .BindBlob(16, reply)
        .BindBlob(17, exchange.request)
        .BindBlob(18, exchange.raw);
    ASSAY_CHECK_OK(insert_.Run());
    exchange.id = static_cast<ExchangeId>(database_.LastInsertId());
    return Ok();
  }

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

Result<std::int64_t> PragmaNumber(SqliteDatabase& database, std::string_view pragma) {
  ASSAY_TRY(SqliteStatement statement, database.Prepare(fmt::format("PRAGMA {}", pragma)));
  ASSAY_TRY(const bool row, statement.Step());
  return row ? statement.Int(0) : std::int64_t{0};
}

Status SetVersion(SqliteDatabase& database) {
  return database.Execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kStoreApplicationId, kSchemaVersion)
          .c_str());
}

// All or nothing.
Status BringUpToDate(SqliteDatabase& database, std::int64_t version) {
  const std::span<const char* const> steps = kSchemaSteps;
  ASSAY_CHECK_OK(database.Execute("BEGIN IMMEDIATE"));
  Status changed = Ok();
  for (const char* step : steps.subspan(static_cast<std::size_t>(version))) {
    if (changed) changed = database.Execute(step);
  }
  if (changed) changed = SetVersion(database);
  if (changed) changed = database.Execute("COMMIT");
  if (changed) return Ok();
  // The transaction may be gone already; what matters is that none of it stays.
  static_cast<void>(database.Execute("ROLLBACK").has_value());
  return changed;
}

// The version of the tables that are there now. Makes those of a new file and, for a writer, brings older
// ones up to date; refuses what is not ours.
Result<std::int64_t> CheckSchema(SqliteDatabase& database, const StoreOptions& options) {
  ASSAY_TRY(const std::int64_t application, PragmaNumber(database, "application_id"));
  ASSAY_TRY(const std::int64_t version, PragmaNumber(database, "user_version"));
  ASSAY_TRY(const std::int64_t pages, PragmaNumber(database, "page_count"));
  if (application == kStoreApplicationId && version > kSchemaVersion) {
    return Error{
        ErrorCode::kUnsupported,
        fmt::format("{}: written by a newer assay (store version {}, this one reads {}); update assay",
                    options.path, version, kSchemaVersion)};
  }
  const bool is_ours = application == kStoreApplicationId && version >= 1;
  if (is_ours && (version == kSchemaVersion || options.read_only)) return version;
  if (!is_ours && (pages > 0 || options.read_only)) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{}: an SQLite file, but no store of assay; name another one with --store",
                             options.path)};
  }
  ASSAY_CHECK_OK(BringUpToDate(database, is_ours ? version : 0));
  return std::int64_t{kSchemaVersion};
}

Result<WriterLock> TakeWritersPlace(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: the store's folder cannot be made ({}); use --store with another path",
                             folder.string(), failed.message())};
  }
  for (const std::string& place : {folder.string(), path}) {
    if (IsLink(place)) return LinkError(place);
  }
  return WriterLock::Take(path);
}

}  // namespace

Result<std::unique_ptr<Store>> OpenSqliteStore(const StoreOptions& options) {
  WriterLock lock;
  if (!options.read_only) {
    ASSAY_TRY(lock, TakeWritersPlace(options.path));
  } else if (std::error_code ignored; !std::filesystem::exists(options.path, ignored)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: there is no store yet; `assay run` makes one", options.path)};
  }
  const int flags = options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  ASSAY_TRY(SqliteDatabase database, SqliteDatabase::Open(options.path, flags));
  ASSAY_CHECK_OK(
      database.Execute("PRAGMA busy_timeout = 2000; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY"));
  if (!options.read_only) ASSAY_CHECK_OK(database.Execute("PRAGMA page_size = 8192"));
  ASSAY_TRY(const std::int64_t version, CheckSchema(database, options));
  // Only now: a file that is not ours stays as it is.
  if (!options.read_only)
    ASSAY_CHECK_OK(database.Execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"));
  auto store = std::make_unique<SqliteStore>(std::move(lock), std::move(database));
  ASSAY_CHECK_OK(store->PrepareAll(version));
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace assay
