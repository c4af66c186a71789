// Tests that the checks which dialects offer of their own agree with the table of checks.
#include <doctest/doctest.h>

#include <algorithm>

#include "checks/check.h"
#include "dialects/dialect.h"

namespace assay {
namespace {

TEST_CASE("each check that must be offered is, and nothing else") {
  std::vector<std::string_view> offered;
  for (const DialectRow& row : DialectTable())
    offered.insert(offered.end(), row.checks.begin(), row.checks.end());
  for (const CheckRow& row : CheckTable()) {
    CAPTURE(row.name);
    const bool is_named = std::count(offered.begin(), offered.end(), row.name) == 1;
    CHECK((is_named || !row.is_offered));
    // What a format offers may be assay's own as well, for suites that have no other tool.
    CHECK((!is_named || row.is_offered || row.is_own));
  }
  for (const std::string_view name : offered) CHECK(FindCheck(name, {std::string(name)}) != nullptr);
}

}  // namespace
}  // namespace assay
