// Reads tests: those of a config, of files of tests, and of scenarios.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/read/context.h"

namespace assay::promptfoo {

// `tests` of a config in `folder`, behind those that `out` has.
void ReadTests(const ReadContext& context, const Value& tests, const std::string& folder,
               std::vector<Test>& out);
// `defaultTest`, a mapping or a file of one; or a configuration of a scenario: parts of a test.
std::optional<Test> ReadPartOfTest(const ReadContext& context, const Value& test, const std::string& folder);

// `scenarios`, each configuration joined with each test. `count`: of the configurations before.
void ReadScenarios(const ReadContext& context, const Value& scenarios, const std::string& folder,
                   std::size_t& count, std::vector<Test>& out);

// Puts `over` over `base`, key by key: variables, options and metadata are joined, assertions follow each
// other.
Test Joined(const Test& base, const Test& over);

}  // namespace assay::promptfoo
