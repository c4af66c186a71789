// The tables of a PostgreSQL store: which version is there, who may do what with them, and what makes and
// upgrades them.
#pragma once

#include <cstdint>

#include "base/errors/result.h"
#include "store/postgres/client/pg.h"

namespace assay {

// The version of the tables that are there; 0: there are none. Says which right is missing to see them.
Result<std::int64_t> PgVersionOf(PgDatabase& database);
// Whether the user has every right on the tables that a reader, or a writer, needs. The error names the
// rights, the tables and the remedy.
Status CheckPgRights(PgDatabase& database, bool read_only);
// Makes tables where there are none, or upgrades them where `upgrades` says so, under a lock. Older tables
// that nobody asked to upgrade are an error that names the command.
Status BringPgTablesUpToDate(PgDatabase& database, bool upgrades);

}  // namespace assay
