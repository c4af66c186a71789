// WithoutCodeFence: the one ornament that a judge may put around its verdict. Pure.
#pragma once

#include <string_view>

namespace assay {

// The text without white space around it, and without a code fence (``` or ~~~, with or without the name of a
// language) whose first and last lines are those of the text. Whatever is no such fence stays.
std::string_view WithoutCodeFence(std::string_view text);

}  // namespace assay
