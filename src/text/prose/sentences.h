// SentencesOf: the sentences of a text, by rules without a model.
#pragma once

#include <string_view>
#include <vector>

namespace assay {

// A sentence ends behind a run of . ! ? … (with the quotes and brackets that close there) before white space
// or the end, behind 。！？ always, at an empty line and before an item of a list. No sentence ends behind an
// abbreviation ("Dr.", "e.g."), a capital alone ("J."), the number of an item, or where one full stop stands
// before a small letter. Parts without a letter or digit do not count. Linear in the text.
std::vector<std::string_view> SentencesOf(std::string_view text);

}  // namespace assay
