// What a team's database administrator decides about a store: the rights of its roles, and when its tables
// are upgraded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

enum class StoreRole {
  kOwner,   // makes and upgrades the tables
  kWriter,  // runs
  kReader,  // shows, exports and copies from it
};

struct RoleGrant {
  StoreRole role = StoreRole::kReader;
  std::string name;
};

// The SQL that gives each role what it needs in the database where it is run: no more, and as often as one
// likes. `schema`: of the tables; "" means "public".
std::string GrantsSql(std::span<const RoleGrant> roles, std::string_view schema);

// The schema that the address of a server names ("?schema=team"); "" where it names none, or is of a file.
Result<std::string> SchemaOf(std::string_view location);
// The address as libpq takes it.
std::string WithoutSchema(std::string_view location);

struct StoreVersion {
  std::int64_t is = 0;  // 0: there are no tables yet
  std::int64_t newest = 0;
  std::vector<std::string> steps = {};  // of a server: the SQL that is to come, without line ends around it
};

// Looks, and changes nothing.
Result<StoreVersion> VersionOfStore(const std::string& location);
Result<StoreVersion> VersionOfPostgres(const std::string& location);
Result<StoreVersion> VersionOfSqlite(const std::string& path);
// Of a server: makes the tables, or upgrades them. kTimeout: an older assay works with them.
Status UpgradeServer(const std::string& location);

// What a store says that a newer assay wrote. `wrote`: the version of that assay, as the store has it; it may
// say anything.
Error NewerStoreError(std::string_view shown, std::int64_t is, std::int64_t newest, std::string_view wrote);
// What a store says that is older than assay 0.3.0.
Error OlderStoreError(std::string_view shown, std::int64_t is, std::int64_t oldest);

}  // namespace assay
