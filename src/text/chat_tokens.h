// Breaks what a service or a reader of replies would read as more than text: the tokens by which chat
// templates begin and end turns, and the tags of thoughts (text/thoughts.h).
#pragma once

#include <string>
#include <string_view>

namespace assay {

// The text with U+200B behind the first character of each such token ("<|im_start|>", "<｜User｜>", "[INST]",
// "</s>"). A server that puts messages into a chat template reads them anywhere as turns. Lone surrogates and
// NUL, for which services refuse a whole request, become U+FFFD. Any other text stays.
std::string WithoutChatTokens(std::string_view text);

}  // namespace assay
