// Whether the model that a reply names is the one that was asked.
#pragma once

#include <string_view>

namespace assay {

// Names that a maker dates, numbers or calls the latest are those of one model: "gpt-4o" and
// "gpt-4o-2024-11-20". So are a broker's and the maker's name, and an alias of models.toml and its model.
// Deployments have names of their own: of those whose name the table does not know, every answer is as asked.
bool IsSameModel(std::string_view provider, std::string_view asked, std::string_view served);

}  // namespace assay
