// Escapes foreign text for the terminal: control, invisible and reordering characters are shown as escapes.
#pragma once

#include <string>

namespace assay {

// The character itself, or its escape: \t \n \r, \x1b for controls, \u202e for invisible and reordering
// characters and lone surrogates.
void AppendPrintable(char32_t code_point, std::string& out);
// Characters beyond the controls that a reader does not see, or that reorder what he sees.
bool IsInvisible(char32_t code_point);
// The two invisible characters that some scripts and emoji need inside a word.
bool IsJoiner(char32_t code_point);

}  // namespace assay
