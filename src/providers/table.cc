// The table of providers, by the list of codecs/rows.h; and the splitting of model ids.
#include <algorithm>
#include <iterator>

#include "providers/codecs/rows.h"
#include "providers/facts/model_facts.h"

namespace assay {

std::span<const ProviderRow> ProviderTable() {
#define ASSAY_ROW(row) row,
  static const ProviderRow rows[] = {ASSAY_PROVIDERS(ASSAY_ROW)};
#undef ASSAY_ROW
  return rows;
}

const ProviderRow* FindProvider(std::string_view name) {
  const std::span<const ProviderRow> rows = ProviderTable();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [name](const ProviderRow& r) { return r.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

Result<HttpRequest> ProviderRow::Encode(const ModelRequest& request) const {
  const std::optional<ModelFacts> facts = ModelBook().FactsOf(request);
  return encode_known(request, facts ? &*facts : nullptr);
}

std::optional<ModelName> SplitModelId(std::string_view model_id) {
  const std::size_t colon = model_id.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  return ModelName{std::string(model_id.substr(0, colon)), std::string(model_id.substr(colon + 1))};
}

}  // namespace assay
