// Compact JSON of our own making (JsonStyle::kJavaScript), taken apart as text: where a document is only
// copied, its tree would cost more than the copy.
#pragma once

#include <string_view>

namespace assay {

// Whether every key stands where JavaScript keeps it: such a text and its tree say the same. Keys that begin
// with a digit may be indices, which JavaScript puts first.
bool KeepsOrder(std::string_view compact);

// The value of a member of an object, as it is written, or "" if there is none. `key` needs no escapes.
std::string_view FindJsonMember(std::string_view object, std::string_view key);

// The end of the text in quotes that begins at `start`: one behind its last quote.
std::size_t EndOfJsonText(std::string_view compact, std::size_t start);

}  // namespace assay
