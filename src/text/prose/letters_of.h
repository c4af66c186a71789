// What the letters of a text have in common: their case, and the scripts that they belong to.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace assay {

// kTitle: the first cased letter of each word is a capital; words are what blanks part.
enum class LetterCase { kUpper, kLower, kTitle };

// Whether every letter that has a case has this one, by Unicode's properties. False without such a letter.
bool HasCase(std::string_view text, LetterCase wanted);

// A script by its name or code in Unicode ("Cyrillic", "Cyrl", in any letter case); nothing if none has it.
std::optional<int> ScriptOf(std::string_view name);

// The share of the text's letters that belong to one of the scripts. Letters that several scripts share do
// not count. Nothing where the text has no letter.
std::optional<double> ShareInScripts(std::string_view text, const std::vector<int>& scripts);

}  // namespace assay
