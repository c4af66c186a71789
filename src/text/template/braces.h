// The template language of datasets: `{{ value | filter(…) }}`. Only `{{` is special: other braces are
// letters.
#pragma once

#include "text/template/engine.h"

namespace assay {

const TemplateEngine& BracesEngine();

// Whether the text can have an expression.
inline bool HasBraces(std::string_view text) { return text.find("{{") != std::string_view::npos; }

}  // namespace assay
