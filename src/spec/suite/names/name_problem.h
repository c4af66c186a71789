// The names in a suite that go on into other places: command lines, paths, addresses, tables.
#pragma once

#include <string>

namespace assay {

struct Suite;

// What is wrong with the first name that none can be, of a variant or of what messages bring along; "" if all
// may be so. Of suites as they are read, and as they come out of a store.
std::string SuiteNameProblem(const Suite& suite);

}  // namespace assay
