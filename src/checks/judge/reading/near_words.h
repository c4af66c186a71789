// Words in a text that somebody misspelled, shortened or broke into pieces. Texts are letters as a reader
// sees them, in capitals (text/letters/seen_letters.h), and words are capitals of ASCII. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace assay {

inline constexpr std::size_t kNearErrorsMax = 3;

// Where a word ends that may have so many typing errors, at most kNearErrorsMax: a letter more, a letter
// less, another letter, or two the wrong way round. Each is the place of its last letter.
std::vector<std::size_t> EndsNear(std::string_view letters, std::string_view word, std::size_t errors);

// Whether the letters contain the word with so many typing errors.
bool HoldsNear(std::string_view letters, std::string_view word, std::size_t errors = 1);

// Whether it is a name of which most letters were left out: "clssfctn", "rflctn".
bool IsShortened(std::string_view part, std::string_view name, std::size_t shortest);

// What may stand between the pieces of a word: anything that begins and ends with no letter, "cl<wbr>assifi",
// "CL$$ASS"; or also signs with one or two letters beside them: "cl$zass", "clx-xass", "cl*fBass".
enum class Between { kNoLetter, kFewLetters };

// Whether a seen text contains a word in pieces, less than `apart_max` apart (by luck, than twice that).
bool HoldsPieced(std::string_view seen, std::string_view word, std::size_t apart_max,
                 Between between = Between::kNoLetter);

// Whether a seen text contains a word between whose pieces the same text always stands:
// "cl#xx#assi#xx#fication", "czlzazszs".
bool HoldsPartedAlike(std::string_view seen, std::string_view word);

}  // namespace assay
