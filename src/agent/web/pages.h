// Reads web pages for a turn: each address is requested once per turn; a reply becomes text, title and links,
// or a problem.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/turn/turn_state.h"

namespace assay {

// In the order of `urls`. A page that cannot be read has a problem and no text. Nothing: replies are still to
// come.
std::optional<std::vector<WebPage>> ReadPages(TurnState& turn, std::span<const std::string> urls);
// What a reply to a request for `url` holds.
WebPage PageOf(std::string_view url, const Exchange& exchange);
// The address that `link` means on a page at `base`; "" if it leads to no page.
std::string ResolvedLink(std::string_view base, std::string_view link);

}  // namespace assay
