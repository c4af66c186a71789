// Looking for keys.
#include "cli/settings/provider_keys.h"

#include <algorithm>
#include <cstdlib>

namespace assay {

std::string SetKeyOf(const ProviderRow& provider) {
  std::string_view names = provider.key.variables;
  while (!names.empty()) {
    std::string name(names.substr(0, names.find(' ')));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const char* value = std::getenv(name.c_str());
    if (value != nullptr && *value != '\0') return name;
  }
  return {};
}

std::string ModelOfSetKeys() {
  for (const ProviderRow& row : ProviderTable()) {
    // Where only the user can know the address, no example can be asked.
    const bool is_enough = row.key.need == KeyRule::Need::kRequired && !row.base_url.empty();
    if (is_enough && !SetKeyOf(row).empty()) return std::string(row.example);
  }
  return {};
}

}  // namespace assay
