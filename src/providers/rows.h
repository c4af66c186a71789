// The rows of table.cc, each defined in the provider's own file.
#pragma once

#include "providers/provider.h"

namespace assay {

extern const ProviderRow kEchoProvider;  // echo.cc

}  // namespace assay
