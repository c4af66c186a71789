// What a judge's exchange says before anybody looks for a verdict in it: its words, whether they are whole,
// and whether the reply may quote what is judged. Pure.
#pragma once

#include <string>

#include "spec/exchange/exchange.h"

namespace assay {

// The words, with calls of tools as the judge may have written them; "" after an error.
std::string ReplyText(const Exchange& exchange);

// Whether it came to its own end. A reply that did not may break off behind a verdict that it only quotes.
bool IsWhole(const Exchange& exchange);

// A reply that nobody could read, which a quotation may have ended: the judge repeated a sign by which models
// end, a call of a tool, or what its service holds back.
bool IsUnreadReply(const Exchange& exchange);

// A service reads calls of tools that a judge quotes.
bool HasCalls(const Exchange& exchange);

// Whether the reply may quote what is judged: its service did not fail before the first token.
bool MayQuote(const Exchange& exchange);

}  // namespace assay
