// Asks a server for the time, and for its limits of connections and who has them.
#include "store/coordinator.h"
#include "store/postgres/postgres_store.h"

namespace assay {

Result<std::optional<std::int64_t>> ConnectionsLeft(Store& store) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  std::optional<std::int64_t> left;
  if (postgres == nullptr) return left;
  PgDatabase& database = postgres->database();
  // least() passes over what is NULL: no limit.
  ASSAY_TRY(
      PgStatement select,
      database.Prepare(
          "SELECT pg_backend_pid(), least(current_setting('max_connections')::bigint - used - CASE WHEN "
          "rolsuper THEN 0 ELSE current_setting('superuser_reserved_connections')::bigint + "
          "coalesce(current_setting('reserved_connections', true), '0')::bigint END, CASE WHEN rolconnlimit "
          ">= 0 AND NOT rolsuper THEN rolconnlimit - by_user END, CASE WHEN datconnlimit >= 0 AND NOT "
          "rolsuper THEN datconnlimit - by_database END) FROM (SELECT count(*) AS used, count(*) FILTER "
          "(WHERE usename = current_user) AS by_user, count(*) FILTER (WHERE datname = current_database()) "
          "AS by_database FROM pg_stat_activity WHERE usesysid IS NOT NULL AND datid IS NOT NULL AND pid <> "
          "pg_backend_pid()) AS sessions, pg_roles, pg_database WHERE rolname = current_user AND datname = "
          "current_database()"));
  ASSAY_TRY(const bool row, select.Step());
  if (row && select.Int(0) == database.BackendProcess()) left = select.Int(1);
  return left;
}

bool IsOfThisMachine(const std::string& location) {
  const Result<PgAddress> address = ParsePgUrl(location);
  return address && address->is_of_this_machine;
}

Result<std::optional<std::int64_t>> ServerWallMs(Store& store) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  std::optional<std::int64_t> now;
  if (postgres == nullptr) return now;
  ASSAY_TRY(PgStatement select,
            postgres->database().Prepare("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"));
  ASSAY_TRY([[maybe_unused]] const bool row, select.Step());
  now = select.Int(0);
  return now;
}

}  // namespace assay
