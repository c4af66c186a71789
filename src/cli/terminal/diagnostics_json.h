// The diagnostics of a file as a JSON value, for `assay check --json`.
#pragma once

#include "engine/open/problems.h"
#include "text/value.h"

namespace assay {

// [{file, line, column, severity, code, message, remedy}]; null where there is no place or nothing to do.
Value DiagnosticsValue(const Problems& problems, const SourceFiles& sources);

}  // namespace assay
