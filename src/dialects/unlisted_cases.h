// Warns about recorded answers to cases that the suite does not list: nobody grades them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "dialects/dialect.h"

namespace assay {

struct Suite;

// --select, --filter or --limit leave a part of the suite.
bool TakesPart(const RunSpec& spec);

// Warns of `strangers`, cases that `path` answers and no case of the suite is: the first few by name, with
// what each could mean. Nothing if there are none.
void WarnOfUnlisted(std::string_view path, const std::vector<std::string_view>& strangers, const Suite& suite,
                    std::string code, Diagnostics& diagnostics);

}  // namespace assay
