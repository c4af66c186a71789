// Opens a store by its location: a table with one row per scheme; a location without a scheme is a file.
#include <fmt/core.h>

#include "store/location.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"
#include "store/store.h"

namespace assay {

namespace {

struct Scheme {
  std::string_view name;  // before "://"; "": a path
  Result<std::unique_ptr<Store>> (*open)(const StoreOptions& options);
};

constexpr Scheme kSchemes[] = {
    {"", OpenSqliteStore}, {"postgresql", OpenPostgresStore}, {"postgres", OpenPostgresStore}};

}  // namespace

Result<std::unique_ptr<Store>> OpenStore(const StoreOptions& options) {
  if (IsKeywordString(options.path)) return KeywordStringError();
  const std::string_view name = StoreScheme(options.path);
  for (const Scheme& scheme : kSchemes) {
    if (scheme.name == name) return scheme.open(options);
  }
  return Error{ErrorCode::kUnsupported,
               fmt::format("{}: this assay has no stores of the kind {}://; name a file or a postgresql:// "
                           "address with --store",
                           ShownLocation(options.path), name)};
}

}  // namespace assay
