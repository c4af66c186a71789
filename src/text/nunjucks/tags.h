// Looks at the tags of a template without rendering it.
#pragma once

#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

// Whether a tag that opens is not closed on a line: promptfoo takes such a text as it stands.
bool HasOpenTag(std::string_view text);
// The text, in {% raw %} where a tag stays open.
std::string RawIfOpen(std::string_view text);

// Whether an expression of the text names something that is neither among the variables, nor bound in the
// text, nor everywhere there.
bool NamesUnknown(std::string_view text, const Map& variables);
// The same as promptfoo sees it: it looks at single names in `{{ }}`, with their filters, and at the first
// word behind `if` and `for`; of what is everywhere it knows `env` alone.
bool NamesUnknownThere(std::string_view text, const Map& variables);

}  // namespace assay
