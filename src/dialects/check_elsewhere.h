// CheckElsewhere: what other tools call a check, for "did you mean".
#pragma once

#include <string_view>

namespace assay {

struct CheckElsewhere {
  std::string_view there;  // "levenshtein"
  std::string_view here;   // "edit_distance"
};

}  // namespace assay
