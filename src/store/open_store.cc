// Opens a store by its location: an address is that of a server, anything else a file.
#include "store/location.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"
#include "store/store.h"

namespace assay {

Result<std::unique_ptr<Store>> OpenStore(const StoreOptions& options) {
  ASSAY_CHECK_OK(CheckLocation(options.path));
  return IsServer(options.path) ? OpenPostgresStore(options) : OpenSqliteStore(options);
}

}  // namespace assay
