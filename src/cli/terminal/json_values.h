// Makes a JSON text safe to print on a terminal: what would not show or would move text becomes a \u escape.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// A JSON text whose strings show on a terminal: controls (C1 too), what has no width and what reorders text
// are \u escapes. It says the same to whoever reads it as JSON.
std::string ShownJson(std::string_view json);

}  // namespace assay
