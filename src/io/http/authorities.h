// Where a machine keeps the certificates of the authorities that it trusts.
#pragma once

#include <string>

namespace assay {

// The file of the first distribution whose place has one; "" if none has.
std::string AuthoritiesFile();

}  // namespace assay
