// Whether the first line of a table has the names of its columns, or is a title above them, or a row.
#pragma once

#include <string>
#include <vector>

#include "base/errors/diagnostics.h"
#include "dataset/table.h"

namespace assay::blueprint {

// What is doubtful of these names, and what to do; "" where the names are names. `first`: the first row.
std::string DoubtOfFirstLine(const std::vector<std::string>& names, const dataset::Row& first,
                             const SourceFiles& sources);

}  // namespace assay::blueprint
