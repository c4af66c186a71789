// Looks for the tables of a store and the user's rights on them; makes and upgrades them under a lock; writes
// what a database's administrator runs to give each role its rights.
#include "store/postgres/postgres_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "store/location.h"
#include "store/postgres/pg_schema.h"
#include "store/postgres/postgres_store.h"
#include "store/server_tables.h"

namespace assay {

namespace {

// One process at a time looks whether there are tables, and makes them.
constexpr const char* kLockTables = "SELECT pg_advisory_xact_lock(1095980889, 1)";

constexpr std::string_view kWhoGrants =
    "`assay store grants` prints the SQL that the owner of the database runs";

Result<std::int64_t> FirstNumber(PgDatabase& database, std::string_view query) {
  ASSAY_TRY(PgStatement select, database.Prepare(query));
  ASSAY_TRY(const bool row, select.Step());
  return row ? select.Int(0) : std::int64_t{0};
}

// Whether tables are there that the user does not see, since he may not look into their schema.
Status CheckSchemaRights(PgDatabase& database) {
  ASSAY_TRY(
      PgStatement hidden,
      database.Prepare("SELECT nspname::text, current_user::text FROM pg_class JOIN pg_namespace ON "
                       "pg_namespace.oid = relnamespace WHERE relname = 'assay_store' AND nspname = "
                       "ANY(string_to_array(replace(current_setting('search_path'), ' ', ''), ',')) AND "
                       "NOT has_schema_privilege(pg_namespace.oid, 'USAGE') LIMIT 1"));
  ASSAY_TRY(const bool row, hidden.Step());
  if (!row) return Ok();
  return Error{ErrorCode::kRefused,
               fmt::format("{}: user {} lacks USAGE on schema {}; {}", database.shown(),
                           ServerWords(hidden.Text(1)), ServerWords(hidden.Text(0)), kWhoGrants)};
}

Result<std::int64_t> CountTables(PgDatabase& database) {
  return FirstNumber(
      database, "SELECT count(*) FROM pg_class WHERE relname = 'assay_store' AND pg_table_is_visible(oid)");
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
  ASSAY_TRY(PgStatement owner,
            database.Prepare("SELECT rolname::text, current_user::text FROM pg_class JOIN pg_roles ON "
                             "pg_roles.oid = relowner WHERE pg_class.oid = 'assay_store'::regclass AND NOT "
                             "pg_has_role(relowner, 'USAGE')"));
  ASSAY_TRY(const bool is_other, owner.Step());
  if (is_other) {
    return Error{
        ErrorCode::kRefused,
        fmt::format("{}: user {} may not upgrade the tables: ALTER TABLE is for their owner, {}; give "
                    "the command as that user",
                    database.shown(), ServerWords(owner.Text(1)), ServerWords(owner.Text(0)))};
  }
  return Migrate(database, from);
}

// What keeps the user from making tables where they would go.
Status CheckMayMakeTables(PgDatabase& database) {
  ASSAY_TRY(PgStatement lacks,
            database.Prepare("SELECT current_schema()::text, current_user::text, "
                             "current_setting('search_path') WHERE current_schema() IS NULL OR NOT "
                             "has_schema_privilege(current_schema()::text, 'CREATE')"));
  ASSAY_TRY(const bool row, lacks.Step());
  if (!row) return Ok();
  if (lacks.IsNull(0)) {
    return Error{
        ErrorCode::kNotFound,
        fmt::format("{}: the database has no schema {} that user {} may use; `CREATE SCHEMA` makes "
                    "one, and {}",
                    database.shown(), ServerWords(lacks.Text(2)), ServerWords(lacks.Text(1)), kWhoGrants)};
  }
  return Error{
      ErrorCode::kRefused,
      fmt::format("{}: there is no store yet, and user {} lacks CREATE on schema {} to make its "
                  "tables; {}, and the tables' owner makes them with `assay store upgrade`",
                  database.shown(), ServerWords(lacks.Text(1)), ServerWords(lacks.Text(0)), kWhoGrants)};
}

Status MakeTables(PgDatabase& database) {
  ASSAY_CHECK_OK(CheckMayMakeTables(database));
  ASSAY_TRY(
      const std::int64_t has_lz4,
      FirstNumber(database,
                  "SELECT count(*) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = "
                  "ANY(enumvals)"));
  Status made =
      database.Execute(fmt::format(fmt::runtime(kPgSchema), has_lz4 > 0 ? "COMPRESSION lz4" : "").c_str());
  if (made) made = Migrate(database, kPgOldestSchema);
  if (made) return Ok();
  Error error = made.error();
  error.message = fmt::format("{}: the tables of a store cannot be made; give it a database of its own",
                              database.shown());
  error.notes.insert(error.notes.begin(), made.error().message);
  return error;
}

Error OlderTables(const PgDatabase& database, std::int64_t version) {
  return {ErrorCode::kRefused,
          fmt::format("{0}: the tables are of store version {1}, and this assay writes version {2}; their "
                      "owner upgrades them, once for all users: `assay store upgrade{3}` (--dry-run prints "
                      "what it does)",
                      database.shown(), version, kPgSchemaVersion, StoreOption(database.shown()))};
}

Status MakeOrUpgrade(PgDatabase& database, bool upgrades) {
  ASSAY_CHECK_OK(database.Execute(kLockTables));
  ASSAY_TRY(const std::int64_t version, PgVersionOf(database));
  if (version >= kPgSchemaVersion) return Ok();
  if (version == 0) return MakeTables(database);
  return upgrades ? MigrateOlder(database, version) : Status(OlderTables(database, version));
}

// --- the SQL of roles ---

struct RoleRow {
  StoreRole role;
  std::string_view kind;  // of CREATE ROLE
  std::string_view says;
};
constexpr RoleRow kRoles[] = {
    {StoreRole::kOwner, "LOGIN",
     "owns the tables: `assay store upgrade` makes and upgrades them as this user"},
    {StoreRole::kWriter, "NOLOGIN", "runs; people become members: GRANT ROLE TO USER"},
    {StoreRole::kReader, "NOLOGIN", "shows, compares, exports, and copies runs out of the store"},
};

const RoleRow& RowOf(StoreRole role) { return kRoles[static_cast<std::size_t>(role)]; }

std::string Doubled(std::string_view name, char quote) {
  std::string text(1, quote);
  for (const char c : name) text.append(c == quote ? 2 : 1, c);
  return text + quote;
}
std::string Identifier(std::string_view name) { return Doubled(name, '"'); }
std::string Literal(std::string_view text) { return Doubled(text, '\''); }

std::string_view RightsOf(StoreRole role) { return role == StoreRole::kWriter ? kPgWriterRights : "SELECT"; }

std::string MakeRole(const RoleGrant& grant) {
  return fmt::format(
      "-- {0}: {1}\n"
      "DO $$ BEGIN\n"
      "  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = {2}) THEN CREATE ROLE {3} {4}; END IF;\n"
      "  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), {2});\n"
      "END $$;\n",
      grant.name, RowOf(grant.role).says, Literal(grant.name), Identifier(grant.name),
      RowOf(grant.role).kind);
}

// Of tables that are there, whoever made them.
std::string OwnTables(const RoleGrant& grant, std::string_view schema) {
  return fmt::format(
      "GRANT USAGE, CREATE ON SCHEMA {0} TO {1};\n"
      "DO $$ DECLARE part record; BEGIN\n"
      "  FOR part IN SELECT relname, relkind FROM pg_class WHERE relnamespace = {2}::regnamespace AND "
      "relname = ANY({3}::text[]) LOOP\n"
      "    EXECUTE format('ALTER %s {0}.%I OWNER TO {1}', CASE part.relkind WHEN 'S' THEN 'SEQUENCE' ELSE "
      "'TABLE' END, part.relname);\n"
      "  END LOOP;\n"
      "END $$;\n",
      Identifier(schema), Identifier(grant.name), Literal(Identifier(schema)),
      Literal(fmt::format("{{{},{}}}", kPgTables, kPgSequence)));
}

std::string UseTables(const RoleGrant& grant, std::string_view schema) {
  const std::string_view rights = RightsOf(grant.role);
  std::string text = fmt::format(
      "GRANT USAGE ON SCHEMA {0} TO {1};\n"
      "DO $$ DECLARE part record; BEGIN\n"
      "  FOR part IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = {2}::regnamespace "
      "AND relname = ANY({3}::text[]) LOOP\n"
      "    EXECUTE format('GRANT {4} ON {0}.%I TO {1}', part.relname);\n"
      "  END LOOP;\n",
      Identifier(schema), Identifier(grant.name), Literal(Identifier(schema)),
      Literal(fmt::format("{{{}}}", kPgTables)), rights);
  if (grant.role == StoreRole::kWriter)
    text += fmt::format(
        "  IF to_regclass({0}) IS NOT NULL THEN GRANT USAGE ON SEQUENCE {1}.{2} TO {3}; END IF;\n",
        Literal(fmt::format("{}.{}", Identifier(schema), kPgSequence)), Identifier(schema), kPgSequence,
        Identifier(grant.name));
  return text + "END $$;\n";
}

// Of tables that the owner makes later.
std::string UseLaterTables(const RoleGrant& owner, const RoleGrant& grant, std::string_view schema) {
  const std::string begin = fmt::format("ALTER DEFAULT PRIVILEGES FOR ROLE {} IN SCHEMA {} GRANT",
                                        Identifier(owner.name), Identifier(schema));
  std::string text =
      fmt::format("{} {} ON TABLES TO {};\n", begin, RightsOf(grant.role), Identifier(grant.name));
  if (grant.role == StoreRole::kWriter)
    text += fmt::format("{} USAGE ON SEQUENCES TO {};\n", begin, Identifier(grant.name));
  return text;
}

}  // namespace

// The catalogue itself is asked: what the connection remembers of it may be older than the lock.
Result<std::int64_t> PgVersionOf(PgDatabase& database) {
  ASSAY_TRY(const std::int64_t is_there, CountTables(database));
  if (is_there > 0) {
    ASSAY_TRY(const std::int64_t version, FirstNumber(database, "SELECT version FROM assay_store"));
    if (version >= 1) return version;
    return Error{ErrorCode::kCorrupt, fmt::format("{}: the store is damaged: there is no store version {}",
                                                  database.shown(), version)};
  }
  ASSAY_CHECK_OK(CheckSchemaRights(database));
  return std::int64_t{0};
}

Status CheckPgRights(PgDatabase& database, bool read_only) {
  ASSAY_TRY(
      PgStatement select,
      database.Prepare(
          "SELECT rights, string_agg(name, ', ' ORDER BY name), current_user::text FROM (SELECT "
          "string_agg(privilege, ', ' ORDER BY place) AS rights, relname::text AS name FROM pg_class "
          "CROSS JOIN unnest(string_to_array(CASE WHEN relkind = 'S' THEN 'USAGE' WHEN relname = "
          "'assay_store' THEN 'SELECT' ELSE ?1 END, ', ')) WITH ORDINALITY AS need(privilege, place) "
          "WHERE (relname = ANY(string_to_array(?2, ',')) AND relkind = 'r' OR relname = ?3 AND relkind "
          "= 'S') AND pg_table_is_visible(oid) AND NOT CASE WHEN relkind = 'S' THEN "
          "has_sequence_privilege(oid, privilege) ELSE has_table_privilege(oid, privilege) END GROUP BY "
          "relname) AS lacks GROUP BY rights ORDER BY rights"));
  select.Bind(1, std::string_view(read_only ? "SELECT" : kPgWriterRights))
      .Bind(2, std::string_view(kPgTables))
      .Bind(3, std::string_view(read_only ? "" : kPgSequence));
  std::string missing;
  std::string user;
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) break;
    user = ServerWords(select.Text(2));
    missing += fmt::format("{}{} on {}", missing.empty() ? "" : ", and ", ServerWords(select.Text(0)),
                           ServerWords(select.Text(1)));
  }
  if (missing.empty()) return Ok();
  return Error{ErrorCode::kRefused,
               fmt::format("{}: user {} lacks {}; {}", database.shown(), user, missing, kWhoGrants)};
}

Status BringPgTablesUpToDate(PgDatabase& database, bool upgrades) {
  ASSAY_CHECK_OK(database.Execute("BEGIN"));
  Status made = MakeOrUpgrade(database, upgrades);
  if (made) made = database.Execute("COMMIT");
  // What matters is that none of it stays.
  if (!made) static_cast<void>(database.Execute("ROLLBACK").has_value());
  return made;
}

std::string GrantsSql(std::span<const RoleGrant> roles, std::string_view schema) {
  if (schema.empty()) schema = "public";
  std::string sql =
      "-- Rights of a store of assay. Run it in the store's database, as a user who may make roles;\n"
      "-- it may be run again at any time, and takes nothing away.\nBEGIN;\n";
  for (const RoleGrant& grant : roles) sql += MakeRole(grant);
  if (schema != "public") sql += fmt::format("CREATE SCHEMA IF NOT EXISTS {};\n", Identifier(schema));
  for (const RoleGrant& grant : roles)
    sql += grant.role == StoreRole::kOwner ? OwnTables(grant, schema) : UseTables(grant, schema);
  for (const RoleGrant& owner : roles) {
    for (const RoleGrant& grant : roles) {
      if (owner.role == StoreRole::kOwner && grant.role != StoreRole::kOwner)
        sql += UseLaterTables(owner, grant, schema);
    }
  }
  return sql + "COMMIT;\n";
}

}  // namespace assay
