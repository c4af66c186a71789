// Tests of what `assay doctor` says about programs where no suite can be read.
#include "cli/commands/asked/doctor_programs.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("the sandbox comes first; a suite that cannot be read is said") {
  Options options;
  options.arguments = {"no/such/suite.yaml"};
  const std::vector<ProgramFinding> findings = LookAtPrograms(options);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].what == "sandbox");
  CHECK(!findings[0].says.empty());
  CHECK(findings[1].what == "no/such/suite.yaml");
  CHECK(findings[1].says.find("cannot be read") != std::string::npos);
}

}  // namespace assay
