// Tells services in the network from those of this machine, and sets how wide their pools may grow.
#include "engine/grants/widths.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "base/wire/url.h"
#include "plan/models_of.h"
#include "providers/provider.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kWidthMost = 256;  // where nobody gives one

std::string_view UrlOf(const ModelRef& model, const ProviderRow& row, const Endpoints& endpoints) {
  if (!model.base_url.empty()) return model.base_url;
  const Endpoint* endpoint = endpoints.Find(model.provider);
  return endpoint != nullptr && !endpoint->base_url.empty() ? std::string_view(endpoint->base_url)
                                                            : row.base_url;
}

}  // namespace

void LetWidthsGrow(const Plan& plan, const Endpoints& endpoints, const Granted& granted, RunLimits& limits) {
  std::set<std::string, std::less<>> here;
  std::set<std::string, std::less<>> elsewhere;
  for (const PlannedModel& model : ModelsOf(plan)) {
    const ProviderRow* row = FindProvider(model.ref->provider);
    if (row == nullptr || row->base_url_variable.empty()) continue;  // asks nobody in the network
    const bool is_here = IsLoopbackUrl(UrlOf(*model.ref, *row, endpoints));
    (is_here ? here : elsewhere).insert(model.ref->provider);
  }
  const Suite& suite = plan.suite();
  const bool has_width = granted.calls.max_in_flight || (suite.concurrency && !suite.has_default_concurrency);
  for (const Pool& pool : plan.pools()) {
    const std::string provider(ProviderOfPool(pool.name));
    if (!here.contains(provider) && !elsewhere.contains(provider)) continue;
    const bool is_chosen = has_width || limits.Of(provider).max_in_flight;
    const std::size_t width = WidthOf(pool, limits);
    if (is_chosen) {
      limits.providers[provider].max_in_flight = width;
      limits.providers[provider].grows_to = width;
    } else if (!here.contains(provider)) {
      limits.providers[provider].grows_to = std::max(width, kWidthMost);
    }
  }
}

}  // namespace assay
