// The combinations of a test's variables.
#pragma once

#include <optional>
#include <vector>

#include "dialects/promptfoo/read/context.h"
#include "text/value.h"

namespace assay::promptfoo {

// Each list of texts gives one of its items to each combination, the first variable changing slowest; a
// pattern of files gives each file. Nothing after an error. `where`: of the test.
std::optional<std::vector<Map>> CombinationsOf(const ReadContext& context, const Map& variables,
                                               const std::string& folder, bool is_expanded, Span where);

}  // namespace assay::promptfoo
