// Reads the tests of a table of CSV: variables, and columns that begin with "__".
#pragma once

#include <string>
#include <vector>

#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/read/context.h"

namespace assay::promptfoo {

void ReadCsvTests(const ReadContext& context, FileId file, std::vector<Test>& out);

}  // namespace assay::promptfoo
