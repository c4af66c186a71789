// How many tokens a model takes at once, question and answer together, as its maker's documents say: the
// table [window] of models.toml.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay {

// Of the maker's model, also where a broker passes on to it ("openrouter:openai/gpt-4o"); 0: no document
// says.
std::int64_t FindContextWindow(std::string_view provider, std::string_view model);
// Of whom the maker itself answers for.
std::int64_t FindMakersWindow(std::string_view provider, std::string_view model);

}  // namespace assay
