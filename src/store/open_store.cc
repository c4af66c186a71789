// Opens a store by its location: a table with one row per scheme; a location without a scheme is a file.
#include <fmt/core.h>

#include <algorithm>

#include "store/sqlite/sqlite_store.h"
#include "store/store.h"

namespace assay {

namespace {

struct Scheme {
  std::string_view name;  // before "://"; "": a path
  Result<std::unique_ptr<Store>> (*open)(const StoreOptions& options);
};

constexpr Scheme kSchemes[] = {{"", OpenSqliteStore}};

std::string_view SchemeOf(std::string_view location) {
  const std::size_t end = location.find("://");
  if (end == std::string_view::npos) return {};
  const std::string_view name = location.substr(0, end);
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return is_name ? name : std::string_view();
}

}  // namespace

Result<std::unique_ptr<Store>> OpenStore(const StoreOptions& options) {
  const std::string_view name = SchemeOf(options.path);
  for (const Scheme& scheme : kSchemes) {
    if (scheme.name == name) return scheme.open(options);
  }
  return Error{ErrorCode::kUnsupported,
               fmt::format("{}: this assay has no stores of the kind {}://; name a file with --store",
                           options.path, name)};
}

}  // namespace assay
