// Tags of one name in a text: <NAME …> and </NAME>, in any letter case.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/text/text_range.h"

namespace assay {

struct NamedTag {
  TextRange where;  // from its < to its >
  bool is_closing = false;
};

// In the order of the text. Linear. An opening tag that never ends is none.
std::vector<NamedTag> TagsOf(std::string_view name, std::string_view text);

}  // namespace assay
