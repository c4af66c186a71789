// Splits a JSON text at one long list before parsing, so that a huge file need not be held as one tree.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

struct SplitJson {
  std::string rest;                        // the text with that list empty
  std::vector<std::string_view> elements;  // of the list, in order; of the caller's text
};
// `path`: names of members from the outermost object to the list, as they are written (without escapes).
// Looks at brackets and quotes only: parts that are no JSON are found when they are read. No elements if
// there is no such list. kInvalidInput: a bracket or a quote is open, or a name of the path stands twice.
// kLimit: the list has more than `most` elements.
Result<SplitJson> SplitJsonList(std::string_view text, std::initializer_list<std::string_view> path,
                                std::size_t most);

// How many values a JSON text has at most, keys left out: what it takes to know before it is read.
std::size_t JsonValuesMost(std::string_view text);

}  // namespace assay
