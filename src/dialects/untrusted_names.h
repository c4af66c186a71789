// Warns where a suite uses a model alias that an untrusted assay.toml defines: it shows whom the name would
// mean; nobody is asked.
#pragma once

#include <string_view>

#include "base/errors/diagnostics.h"
#include "dialects/dialect.h"

namespace assay {

// Nothing of a name that counts.
void WarnOfUntrusted(std::string_view name, const ModelAlias& alias, Span where, Diagnostics& diagnostics);

}  // namespace assay
