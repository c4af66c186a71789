// Finds the file of trusted certificate authorities of this machine.
#pragma once

#include <string>

namespace assay {

// The file of the first distribution whose place has one; "" if none has.
std::string AuthoritiesFile();

}  // namespace assay
