// Looks up the limits of a provider, and the width of a pool.
#include "run/limits/run_limits.h"

namespace assay {

ProviderLimits RunLimits::Of(std::string_view provider) const {
  ProviderLimits limits = each;
  const auto own = providers.find(provider);
  if (own == providers.end()) return limits;
  if (own->second.grows_to) limits.grows_to = own->second.grows_to;
  if (own->second.max_in_flight) limits.max_in_flight = own->second.max_in_flight;
  if (own->second.requests_per_min) limits.requests_per_min = own->second.requests_per_min;
  if (own->second.tokens_per_min) limits.tokens_per_min = own->second.tokens_per_min;
  return limits;
}

std::string_view ProviderOfPool(std::string_view pool_name) {
  const std::size_t colon = pool_name.find(':');
  return colon == std::string_view::npos ? pool_name : pool_name.substr(colon + 1);
}

std::size_t WidthOf(const Pool& pool, const RunLimits& limits) {
  const ProviderLimits of = limits.Of(ProviderOfPool(pool.name));
  return of.max_in_flight.value_or(of.grows_to.value_or(pool.max_in_flight));
}

}  // namespace assay
