// Words of texts, and how often runs of them stand there: what measures of likeness count.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::promptfoo {

using Words = std::vector<std::string>;
using RunCounts = std::map<Words, std::size_t>;  // a run of words, and how often it stands there

Words BlankParted(std::string_view text);    // in small letters, parted by white space
Words WithoutLastDots(Words words);          // words that were dots alone are gone
Words TreebankWords(std::string_view text);  // by the rules of the Penn Treebank, in small letters
RunCounts RunsOf(const Words& words, std::size_t length);

}  // namespace assay::promptfoo
