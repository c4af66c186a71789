// Whether the first line of a table has the names of its columns, or is a title above them, or a row.
#pragma once

#include <string>

#include "base/errors/diagnostics.h"
#include "dataset/table.h"

namespace assay::blueprint {

// What is doubtful, and what to do; "" where the names are names.
std::string DoubtOfFirstLine(const dataset::Table& table, const SourceFiles& sources);

}  // namespace assay::blueprint
