// Which keys of providers the environment has; their values are never looked at here.
#pragma once

#include <string>

#include "providers/provider.h"

namespace assay {

// The first variable of the provider that is set; "" if none is.
std::string SetKeyOf(const ProviderRow& provider);
// The example of the first provider whose set key is enough to ask it; "" without any.
std::string ModelOfSetKeys();

}  // namespace assay
