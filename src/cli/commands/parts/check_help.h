// Words the help of a check from its row, for `assay list` and the JSON Schema of blueprints.
#pragma once

#include <string>

#include "checks/check.h"

namespace assay {

// "the answer contains the text; also contain"
std::string HelpOf(const CheckRow& check);

}  // namespace assay
