// Says when a text beside a verdict can only be the judge's own sentences. The rule lists what sentences look
// like; whatever looks otherwise may be a quotation. Pure.
#pragma once

#include <string_view>

namespace assay {

// Whether each line begins with a word, as a sentence does, and contains words and their punctuation alone:
// no list item, turn of a conversation, table, formula, markup, open quotation or indented block. A colon
// ends the text, as in "Here is my verdict:", or stands between digits.
bool ReadsAsOwnProse(std::string_view text);

}  // namespace assay
