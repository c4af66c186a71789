// Compact JSON of our own making (JsonStyle::kJavaScript), taken apart as text: where a document is only
// copied, its tree would cost more than the copy.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

// Whether every key stands where JavaScript keeps it: such a text and its tree say the same. Keys that begin
// with a digit may be indices, which JavaScript puts first.
bool KeepsOrder(std::string_view compact);

// A member of an object, as it is written, the key without its quotes.
struct JsonMember {
  std::string_view key;
  std::string_view value;
};
// The member that begins at `at` (1: the first), which goes on to the next; false after the last one, and
// where the text is no such object.
bool NextJsonMember(std::string_view object, std::size_t& at, JsonMember& member);
// The value of a member of an object, as it is written, or "" if there is none. `key` needs no escapes.
std::string_view FindJsonMember(std::string_view object, std::string_view key);

// The end of the text in quotes that begins at `start`: one behind its last quote.
std::size_t EndOfJsonText(std::string_view compact, std::size_t start);

}  // namespace assay
