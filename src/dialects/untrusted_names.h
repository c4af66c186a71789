// Names of models that a cloned folder gives and that nobody has trusted: whom they mean is shown where the
// name stands, and nobody is asked.
#pragma once

#include <string_view>

#include "base/errors/diagnostics.h"
#include "dialects/dialect.h"

namespace assay {

// Nothing of a name that counts.
void WarnOfUntrusted(std::string_view name, const ModelAlias& alias, Span where, Diagnostics& diagnostics);

}  // namespace assay
