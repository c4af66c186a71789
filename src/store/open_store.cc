// Opens a store by its location: an address is that of a server, anything else a file.
#include <fmt/core.h>

#include "store/location.h"
#include "store/postgres/postgres_store.h"
#include "store/server_tables.h"
#include "store/sqlite/sqlite_store.h"
#include "store/store.h"

namespace assay {

Result<std::unique_ptr<Store>> OpenStore(const StoreOptions& options) {
  ASSAY_CHECK_OK(CheckLocation(options.path));
  return IsServer(options.path) ? OpenPostgresStore(options) : OpenSqliteStore(options);
}

Result<StoreVersion> VersionOfStore(const std::string& location) {
  ASSAY_CHECK_OK(CheckLocation(location));
  return IsServer(location) ? VersionOfPostgres(location) : VersionOfSqlite(location);
}

Error NewerStoreError(std::string_view shown, std::int64_t is, std::int64_t newest, std::string_view wrote) {
  constexpr std::size_t kBytesMax = 40;
  constexpr std::string_view kOfVersions =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-";
  const bool is_version = !wrote.empty() && wrote.size() <= kBytesMax &&
                          wrote.find_first_not_of(kOfVersions) == std::string_view::npos;
  return {ErrorCode::kUnsupported,
          fmt::format("{}: written by a newer assay{} (store version {}, this one reads up to {}); update "
                      "assay on this machine{}, or name another --store: a store is never made older",
                      shown, is_version ? fmt::format(", {}", wrote) : std::string(), is, newest,
                      is_version ? fmt::format(" to {} or newer", wrote) : std::string())};
}

Error OlderStoreError(std::string_view shown, std::int64_t is, std::int64_t oldest) {
  return {
      ErrorCode::kUnsupported,
      fmt::format("{}: written by an assay older than 0.3.0 (store version {}, this one reads {} and newer); "
                  "move it away, or name another --store",
                  shown, is, oldest)};
}

}  // namespace assay
