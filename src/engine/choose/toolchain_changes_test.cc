// Tests of toolchains that differ from those where a run began.
#include "engine/choose/toolchain_changes.h"

#include <doctest/doctest.h>

#include "spec/suite/stored_suite.h"

namespace assay {
namespace {

std::string WhyNot(const RunRecord& run, std::optional<SandboxLevel> sandbox, std::string digest) {
  const Status alike =
      RunsProgramsAlike(run, sandbox, {{.language = "python", .digest = std::move(digest), .missing = {}}});
  return alike ? std::string() : alike.error().message;
}

TEST_CASE("who runs programs by other toolchains, or less strongly fenced, joins no run") {
  RunRecord run;
  run.toolchains = EncodeToolchains({{.language = "python", .digest = "0123456789abcdef", .missing = {}},
                                     {.language = "sandbox", .digest = "landlock", .missing = {}}});
  const std::string same = "0123456789abcdef";
  CHECK(WhyNot(run, SandboxLevel::kLandlock, same).empty());
  CHECK(WhyNot(run, SandboxLevel::kNamespaces, same).empty());
  const std::string weaker = WhyNot(run, SandboxLevel::kNone, same);
  CHECK(weaker.find("at level landlock where it began, and at none on ") != std::string::npos);
  const std::string other = WhyNot(run, SandboxLevel::kLandlock, "fedcba9876543210");
  CHECK(other.find("python, which is 0123456789ab where it began and fedcba987654 on ") != std::string::npos);
  CHECK(WhyNot(run, SandboxLevel::kLandlock, "").find("and missing on") != std::string::npos);
  // A run of one process does not say.
  run.toolchains = EncodeToolchains({{.language = "python", .digest = same, .missing = {}}});
  CHECK(WhyNot(run, SandboxLevel::kNone, same).empty());
}

}  // namespace
}  // namespace assay
