// Web search for the research agent, used by the tool web_search and by the shortlist of pages: asks the
// user's SearXNG server, or the simulated web of a test (agent/web/mock_web.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/turn/turn_state.h"

namespace assay {

// Where a simulated web is searched: answered by its recording, never by a network.
inline constexpr std::string_view kMockWebProvider = "mock_web";
inline constexpr std::string_view kMockSearchUrl = "http://search.mock.invalid";

struct SearchResult {
  std::string title;
  std::string url;
  std::string snippet;
  std::string engine;
};

// Where the turn searches: the user's server, or the simulated web of its profile; "": nowhere.
std::string SearchUrlOf(const TurnState& turn);
// At most `most` results; an Error in words for the model where there are none to be had.
std::optional<Result<std::vector<SearchResult>>> SearchWeb(TurnState& turn, std::string_view query,
                                                           std::size_t most);
// What a request to the search of a simulated web looks for; nothing if the address is another.
std::optional<std::string> QueryOfSearch(std::string_view url);
// "ladder rules" -> "ladder+rules"
std::string QueryEscaped(std::string_view text);

}  // namespace assay
