// CountOf: how many words, sentences, bullets and the like a text has.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace assay {

// Each is linear in the text.
//   words          runs without white space        word_runs      runs of letters, digits and underscores
//   characters     code points                     lines          with something else than blanks
//   paragraphs     parted by empty lines           bullets        lines that begin as items of a list
//   headings       lines with one to six #         placeholders   [...] within a line
//   capital_words  words all of whose letters are capitals
//   code_blocks    fenced ones                     urls           http:// or https:// and what follows
//   sentences      text/prose/sentences.h
inline constexpr std::string_view kCountables[] = {
    "words",    "word_runs",    "characters",    "lines",       "paragraphs", "bullets",
    "headings", "placeholders", "capital_words", "code_blocks", "urls",       "sentences"};

// `what` is one of kCountables.
std::size_t CountOf(std::string_view what, std::string_view text);

// How often a text stands in another one, without overlap; with `as_word` only where no letter, digit or
// underscore touches it. The wanted text is not empty.
enum class Whereabouts { kAnywhere, kAsWord };
std::size_t CountText(std::string_view wanted, std::string_view text, Whereabouts where);

}  // namespace assay
