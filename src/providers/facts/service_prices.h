// What services take beside the price of their models, by who sells it: the tables [tiers] and [tools] of
// prices.toml, for whoever lists them.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace assay {

using NamedPrice = std::pair<std::string_view, double>;
using NamedPrices = std::vector<NamedPrice>;  // in the order of their names

NamedPrices TiersOf(std::string_view provider);  // a tier's part of the list price
NamedPrices ToolsOf(std::string_view provider);  // US dollars for a call of a tool of the service's own
std::vector<std::string_view> PricedTools();     // the names of all that are counted, each once

}  // namespace assay
