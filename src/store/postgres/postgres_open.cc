// Opens a database as a store: makes its tables under a lock, and refuses those of a newer assay.
#include <fmt/core.h>

#include "store/postgres/pg_schema.h"
#include "store/postgres/postgres_store.h"

namespace assay {

namespace {

constexpr int kOldestServer = 130'000;
// One process at a time looks whether there are tables, and makes them.
constexpr const char* kLockTables = "SELECT pg_advisory_xact_lock(1095980889, 1)";

Result<std::int64_t> FirstNumber(PgDatabase& database, std::string_view query) {
  ASSAY_TRY(PgStatement select, database.Prepare(query));
  ASSAY_TRY(const bool row, select.Step());
  return row ? select.Int(0) : std::int64_t{0};
}

// 0: there are no tables. The catalogue itself is asked: what the connection remembers of it may be older
// than the lock.
Result<std::int64_t> VersionOf(PgDatabase& database) {
  ASSAY_TRY(const std::int64_t is_there,
            FirstNumber(
                database,
                "SELECT count(*) FROM pg_class WHERE relname = 'assay_store' AND pg_table_is_visible(oid)"));
  if (is_there == 0) return std::int64_t{0};
  return FirstNumber(database, "SELECT version FROM assay_store");
}

Status Migrate(PgDatabase& database, std::int64_t from) {
  for (const PgMigration& step : kPgMigrations) {
    if (step.makes > from) ASSAY_CHECK_OK(database.Execute(step.sql));
  }
  return Ok();
}

// Under the feet of an older assay that works nothing is changed.
Status MigrateOlder(PgDatabase& database, std::int64_t from) {
  ASSAY_TRY(const std::int64_t working,
            FirstNumber(database,
                        "SELECT count(*) FROM sitting WHERE beat_at > clock_timestamp() - interval '60 s'"));
  if (working > 0) {
    return Error{ErrorCode::kTimeout,
                 fmt::format("{}: tables of an older assay, which still works on it ({} sittings); run the "
                             "same command again when it has ended",
                             database.shown(), working)};
  }
  return Migrate(database, from);
}

Status MakeTables(PgDatabase& database) {
  ASSAY_TRY(
      const std::int64_t has_lz4,
      FirstNumber(database,
                  "SELECT count(*) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = "
                  "ANY(enumvals)"));
  Status made =
      database.Execute(fmt::format(fmt::runtime(kPgSchema), has_lz4 > 0 ? "COMPRESSION lz4" : "").c_str());
  if (made) made = Migrate(database, 1);
  if (made) return Ok();
  Error error = made.error();
  error.message = fmt::format("{}: the tables of a store cannot be made; give it a database of its own",
                              database.shown());
  error.notes.insert(error.notes.begin(), made.error().message);
  return error;
}

// The version of the tables that are there now; makes them for a writer, or makes them new.
Result<std::int64_t> CheckTables(PgDatabase& database, bool read_only) {
  ASSAY_TRY(std::int64_t version, VersionOf(database));
  if (version >= kPgSchemaVersion || (version > 0 && read_only)) return version;
  if (read_only) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: there is no store yet; `assay run` makes one", database.shown())};
  }
  ASSAY_CHECK_OK(database.Execute("BEGIN"));
  Status made = database.Execute(kLockTables);
  if (made) {
    Result<std::int64_t> now = VersionOf(database);
    made = now ? Ok() : Status(now.error());
    if (made && *now < kPgSchemaVersion)
      made = *now == 0 ? MakeTables(database) : MigrateOlder(database, *now);
  }
  if (made) made = database.Execute("COMMIT");
  if (!made) {
    // What matters is that none of it stays.
    static_cast<void>(database.Execute("ROLLBACK").has_value());
    return made.error();
  }
  return VersionOf(database);
}

}  // namespace

Result<std::unique_ptr<Store>> OpenPostgresStore(const StoreOptions& options) {
  ASSAY_TRY(const PgAddress address, ParsePgUrl(options.path));
  ASSAY_TRY(std::unique_ptr<PgDatabase> database, PgDatabase::Open(address));
  if (database->ServerVersion() < kOldestServer) {
    return Error{ErrorCode::kUnsupported, fmt::format("{}: PostgreSQL {} is too old; 13 or newer is needed",
                                                      address.shown, database->Says("server_version"))};
  }
  ASSAY_TRY(const std::int64_t version, CheckTables(*database, options.read_only));
  if (version > kPgSchemaVersion) {
    return Error{
        ErrorCode::kUnsupported,
        fmt::format("{}: written by a newer assay (store version {}, this one reads {}); update assay",
                    address.shown, version, kPgSchemaVersion)};
  }
  return std::unique_ptr<Store>(
      std::make_unique<PostgresStore>(std::move(database), version, options.lost_s));
}

}  // namespace assay
