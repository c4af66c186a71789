// Opens a database as a store, and looks after its tables when somebody asks for that.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/errors/diagnostics.h"
#include "store/postgres/pg_schema.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/postgres_tables.h"
#include "store/server_tables.h"

namespace assay {

namespace {

constexpr int kOldestServer = 130'000;

// The version of the assay that began the newest run; "" if that cannot be read.
std::string NewestWriter(PgDatabase& database) {
  Result<PgStatement> select = database.Prepare("SELECT assay_version FROM run ORDER BY number DESC LIMIT 1");
  if (!select) return {};
  const Result<bool> row = select->Step();
  return row && *row ? std::string(select->Text(0)) : std::string();
}

// With a pooler that drops what it does not know the address would name a schema in vain.
Status CheckSearchPath(PgDatabase& database, const std::string& schema) {
  if (schema.empty()) return Ok();
  ASSAY_TRY(PgStatement select, database.Prepare("SELECT current_setting('search_path')"));
  ASSAY_TRY([[maybe_unused]] const bool row, select.Step());
  if (select.Text(0) == schema) return Ok();
  return Error{ErrorCode::kUnsupported,
               fmt::format("{}: a pooler in between does not pass on the schema; leave it out of the address "
                           "and have the owner of the database run ALTER ROLE USER IN DATABASE NAME SET "
                           "search_path = {}",
                           database.shown(), schema)};
}

Result<std::unique_ptr<PgDatabase>> OpenDatabase(const std::string& location, double lost_s) {
  // A long statement or a lock is no reason to give up; a server that is stopped never answers.
  constexpr double kSilenceTimes = 10;
  constexpr double kSilenceMaxS = 1'800;
  ASSAY_TRY(PgAddress address, ParsePgUrl(location));
  const double silence_s = std::min(kSilenceTimes * lost_s, std::max(kSilenceMaxS, lost_s));
  address.silence_max = std::chrono::seconds(std::llround(std::ceil(silence_s)));
  ASSAY_TRY(std::unique_ptr<PgDatabase> database, PgDatabase::Open(address));
  if (database->ServerVersion() < kOldestServer) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: PostgreSQL {} is too old; 13 or newer is needed", address.shown,
                             Quoted(database->Says("server_version")))};
  }
  ASSAY_CHECK_OK(CheckSearchPath(*database, address.schema));
  return database;
}

// The tables of the oldest version, as a server without lz4 gets them.
std::string PgTablesSql() { return fmt::format(fmt::runtime(kPgSchema), ""); }

// The version of the tables that are there; 0: there are none. kUnsupported: this assay does not read them.
Result<std::int64_t> KnownVersionOf(PgDatabase& database) {
  ASSAY_TRY(const std::int64_t version, PgVersionOf(database));
  if (version > kPgSchemaVersion)
    return NewerStoreError(database.shown(), version, kPgSchemaVersion, NewestWriter(database));
  if (version > 0 && version < kPgOldestSchema)
    return OlderStoreError(database.shown(), version, kPgOldestSchema);
  return version;
}

// Makes the tables for a writer.
Status CheckTables(PgDatabase& database, bool read_only) {
  ASSAY_CHECK_OK(CheckPgRights(database, read_only));
  ASSAY_TRY(const std::int64_t version, KnownVersionOf(database));
  if (version == kPgSchemaVersion || (version > 0 && read_only)) return Ok();
  if (read_only) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: there is no store yet; `assay run` makes one", database.shown())};
  }
  return BringPgTablesUpToDate(database, false);
}

}  // namespace

Result<std::unique_ptr<Store>> OpenPostgresStore(const StoreOptions& options) {
  ASSAY_TRY(std::unique_ptr<PgDatabase> database, OpenDatabase(options.path, options.lost_s));
  ASSAY_CHECK_OK(CheckTables(*database, options.read_only));
  return std::unique_ptr<Store>(std::make_unique<PostgresStore>(std::move(database), options.lost_s));
}

Result<StoreVersion> VersionOfPostgres(const std::string& location) {
  ASSAY_TRY(const std::unique_ptr<PgDatabase> database, OpenDatabase(location, StoreOptions().lost_s));
  StoreVersion version{.newest = kPgSchemaVersion};
  ASSAY_TRY(version.is, KnownVersionOf(*database));
  if (version.is == 0) version.steps.push_back(PgTablesSql());
  for (const PgMigration& step : kPgMigrations) {
    if (step.makes > version.is) version.steps.emplace_back(step.sql);
  }
  return version;
}

Status UpgradeServer(const std::string& location) {
  ASSAY_TRY(const std::unique_ptr<PgDatabase> database, OpenDatabase(location, StoreOptions().lost_s));
  ASSAY_CHECK_OK(KnownVersionOf(*database));
  return BringPgTablesUpToDate(*database, true);
}

}  // namespace assay
