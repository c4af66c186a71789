// What people read as the names of a matrix's profiles.
#pragma once

#include <string>
#include <vector>

#include "spec/suite/suite.h"

namespace assay {

// By variant: the label, or the id where it has none; the ids of all where two would have one name.
std::vector<std::string> ProfileNames(const Suite& suite);

}  // namespace assay
