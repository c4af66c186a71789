// FindJson: the JSON that an answer contains, wherever it stands.
#pragma once

#include <optional>
#include <string_view>

#include "base/text/text_range.h"
#include "text/value.h"

namespace assay {

// The whole text, or else the content of its first fenced block that parses, or else what begins at the first
// `{` or `[` that parses. A number or a text alone counts only as the whole text or a whole block. Nothing is
// found where no such place parses, or where looking for one takes more than a few passes over the text.
std::optional<Value> FindJson(std::string_view text);

// The same with its place in the text, from which the places of its values count.
struct FoundJson {
  Value value;
  TextRange where;
};
std::optional<FoundJson> FindJsonAt(std::string_view text);

}  // namespace assay
