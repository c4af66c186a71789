// Opens a file as a store: checks whose it is and its version, and brings older ones up to date.
#include <fmt/core.h>

#include <filesystem>
#include <span>

#include "store/server_tables.h"
#include "store/sqlite/known_tables.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_store.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

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

Status BringUpToDate(SqliteDatabase& database, std::int64_t version) {
  return database.InTransaction([&]() -> Status {
    for (const char* step : SchemaSteps(version, kSchemaVersion)) ASSAY_CHECK_OK(database.Execute(step));
    return SetVersion(database);
  });
}

// The version of the assay that began the newest run; "" if that cannot be read.
std::string NewestWriter(SqliteDatabase& database) {
  Result<SqliteStatement> select =
      database.Prepare("SELECT assay_version FROM run ORDER BY number DESC LIMIT 1");
  if (!select) return {};
  const Result<bool> row = select->Step();
  return row && *row ? std::string(select->Text(0)) : std::string();
}

// The version of the tables that are there, 0 of a new file; refuses what is not ours.
Result<std::int64_t> FindVersion(SqliteDatabase& database, const StoreOptions& options) {
  ASSAY_TRY(const std::int64_t application, PragmaNumber(database, "application_id"));
  ASSAY_TRY(const std::int64_t version, PragmaNumber(database, "user_version"));
  ASSAY_TRY(const std::int64_t pages, PragmaNumber(database, "page_count"));
  if (application == kStoreApplicationId && version > kSchemaVersion) {
    return NewerStoreError(options.path, version, kSchemaVersion, NewestWriter(database));
  }
  const bool is_ours = application == kStoreApplicationId && version >= 1;
  if (is_ours && version < kOldestSchema) return OlderStoreError(options.path, version, kOldestSchema);
  if (!is_ours && (pages > 0 || options.read_only)) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{}: an SQLite file, but no store of assay; name another one with --store",
                             options.path)};
  }
  if (is_ours) ASSAY_CHECK_OK(CheckTablesAreKnown(database, version, options.path));
  return is_ours ? version : std::int64_t{0};
}

// The reusable exchanges of key ?1 and epochs ?2 to ?3, epoch by epoch, first ones first: what stands behind
// FROM in the query of a store of this version.
std::string_view ByKey(std::int64_t version) {
  if (version < kKeyTableVersion) {
    return "exchange WHERE substr(key, 1, 8) = substr(?1, 1, 8) AND key = ?1 AND reusable = 1 AND epoch "
           "BETWEEN ?2 AND ?3 ORDER BY epoch, id";
  }
  return "exchange_key CROSS JOIN exchange ON id = exchange WHERE start = substr(?1, 1, 8) AND of_epoch "
         "BETWEEN ?2 AND ?3 AND key = ?1 AND epoch = of_epoch AND reusable = 1 ORDER BY of_epoch, exchange";
}

// One page of a new file changes for it, and no -journal is made: one beside a file with a -wal is never
// ours.
Status KeepWal(SqliteDatabase& database) {
  bool keeps_wal = false;
  {
    ASSAY_TRY(SqliteStatement mode, database.Prepare("PRAGMA journal_mode"));
    ASSAY_TRY(const bool row, mode.Step());
    keeps_wal = row && mode.Text(0) == "wal";
  }
  if (!keeps_wal) ASSAY_CHECK_OK(database.Execute("PRAGMA journal_mode = MEMORY"));
  return database.Execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
}

constexpr int kPagesOfCheckpoint = 1'000;  // SQLite's own number

// As SQLite's own hook, between two words to the watch.
int AfterCommit(void* context, sqlite3* database, const char* /*name*/, int pages) {
  auto& watch = *static_cast<FileWatch*>(context);
  watch.HasCommitted(static_cast<std::uint32_t>(pages));
  if (pages < kPagesOfCheckpoint) return SQLITE_OK;
  watch.FileWillChange(FileWatch::Change::kMove);
  watch.FileHasChanged(MoveWal(database, SQLITE_CHECKPOINT_PASSIVE));
  return SQLITE_OK;
}

int BeforeCommit(void* context) {
  auto& watch = *static_cast<FileWatch*>(context);
  if (!watch.AreFilesOurs()) return 1;  // SQLite takes the transaction back
  watch.WillCommit();
  return 0;
}

// From now on. What a killed process left in the -wal moves into the file first, so that the next commit
// needs nothing of it.
void Watch(SqliteDatabase& database, FileWatch& watch) {
  database.OnCommit(BeforeCommit, AfterCommit, &watch);
  watch.FileWillChange(FileWatch::Change::kMove);
  watch.FileHasChanged(database.EmptyWal());
}

// The version of the tables that are there now. Makes those of a new file and, for a writer, brings older
// ones up to date, which `watch` is told of unless it is null.
Result<std::int64_t> CheckSchema(SqliteDatabase& database, const StoreOptions& options, FileWatch* watch) {
  // Whoever brings them up to date meanwhile changes all of them at once.
  ASSAY_CHECK_OK(database.Execute("BEGIN"));
  ASSAY_TRY(const std::int64_t version, FindVersion(database, options));
  ASSAY_CHECK_OK(database.Execute("COMMIT"));
  database.TablesAreKnown(options.is_own);
  if (!options.is_own && version > 0) ASSAY_CHECK_OK(database.CheckPages());
  if (watch != nullptr) Watch(database, *watch);
  if (version == kSchemaVersion || options.read_only) return version;
  ASSAY_CHECK_OK(BringUpToDate(database, version));
  return std::int64_t{kSchemaVersion};
}

}  // namespace

void SqliteStore::WatchFile(FileWatch& watch) {
  watch_ = &watch;
  Watch(database_, watch);
}

Status SqliteStore::PrepareAll(std::int64_t version) {
  version_ = version;
  const std::string columns = ExchangeColumns();
  ASSAY_TRY(find_, database_.Prepare(fmt::format("SELECT {} FROM {}", columns, ByKey(version))));
  ASSAY_TRY(get_, database_.Prepare(fmt::format("SELECT {} FROM exchange WHERE id = ?1", columns)));
  if (version >= kKeyTableVersion) {
    ASSAY_TRY(get_behind_, database_.Prepare(fmt::format("SELECT {} FROM exchange WHERE id = ?4 AND key = ?1 "
                                                         "AND reusable = 1 AND epoch BETWEEN ?2 AND ?3",
                                                         columns)));
    ASSAY_CHECK_OK(keys_.Prepare(database_, lock_.IsHeld()));
  }
  if (version < kSchemaVersion) return Ok();
  ASSAY_TRY(insert_, database_.Prepare(InsertExchangeSql()));
  ASSAY_TRY(insert_cell_,
            database_.Prepare("INSERT OR REPLACE INTO cell VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)"));
  ASSAY_TRY(insert_score_, database_.Prepare("INSERT OR REPLACE INTO score VALUES(?1,?2,?3,?4,?5)"));
  ASSAY_TRY(insert_change_,
            database_.Prepare("INSERT INTO change SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, "
                              "?6 FROM change WHERE run = ?1"));
  ASSAY_TRY(count_commit_,
            database_.Prepare("UPDATE sitting SET commits = ?2, last_ms = max(last_ms, ?3), requests_sent = "
                              "requests_sent + ?4 WHERE number = ?1"));
  ASSAY_TRY(insert_blob_, database_.Prepare("INSERT OR IGNORE INTO blob VALUES(?1,?2,?3)"));
  ASSAY_TRY(insert_blob_use_, database_.Prepare("INSERT OR IGNORE INTO blob_use VALUES(?1,?2)"));
  return Ok();
}

Result<std::unique_ptr<Store>> OpenSqliteStore(const StoreOptions& options) {
  WriterLock lock;
  if (!options.read_only) {
    ASSAY_TRY(lock, WriterLock::TakePlaceAt(options.path));
  } else if (std::error_code ignored; !std::filesystem::exists(options.path, ignored)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: there is no store yet; `assay run` makes one", options.path)};
  }
  FileWatch* watch = options.watch && !options.read_only ? options.watch() : nullptr;
  const int flags = options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  ASSAY_TRY(SqliteDatabase database, SqliteDatabase::Open(options.path, flags));
  ASSAY_CHECK_OK(database.Execute(
      fmt::format("PRAGMA busy_timeout = {}; PRAGMA temp_store = MEMORY", kSqliteBusyMs).c_str()));
  ASSAY_CHECK_OK(database.Execute(kUsualCache));
  // A -wal changes only at commits, which its watch knows of.
  if (!options.read_only)
    ASSAY_CHECK_OK(database.Execute("PRAGMA page_size = 8192; PRAGMA cache_spill = OFF"));
  ASSAY_TRY(const std::int64_t version, CheckSchema(database, options, watch));
  // Only now: a file that is not ours stays as it is.
  if (!options.read_only) ASSAY_CHECK_OK(KeepWal(database));
  auto store = std::make_unique<SqliteStore>(std::move(lock), std::move(database));
  if (watch != nullptr) store->WatchFile(*watch);
  ASSAY_CHECK_OK(store->PrepareAll(version));
  return std::unique_ptr<Store>(std::move(store));
}

Result<StoreVersion> VersionOfSqlite(const std::string& path) {
  StoreVersion version{.newest = kSchemaVersion};
  if (std::error_code ignored; !std::filesystem::exists(path, ignored)) return version;
  ASSAY_TRY(SqliteDatabase database, SqliteDatabase::Open(path, SQLITE_OPEN_READONLY));
  ASSAY_TRY(version.is, CheckSchema(database, {.path = path, .read_only = true}, nullptr));
  return version;
}

}  // namespace assay
