// Tests of choosing the stored run that a command asks for.
#include "engine/run/run_record.h"

#include <doctest/doctest.h>

#include "spec/suite/stored_suite.h"

namespace assay {
namespace {

TEST_CASE("a run is known by what shapes it, whatever its words") {
  RunSpec spec;
  spec.file = "a.yml";
  spec.votes = 3;
  const RunOrder asked{.spec = spec, .words = "a.yml --votes 3 --allow-host h"};
  RunRecord run;
  run.source = "a.yml --votes 3";
  run.spec = EncodeRunSpec(spec);
  CHECK(IsSameRun(run, asked));
  spec.votes = 5;
  CHECK_FALSE(IsSameRun(run, asked));
  run.source = asked.words;
  CHECK_FALSE(IsSameRun(run, asked));
}

std::string WhyNot(const RunRecord& run, std::optional<SandboxLevel> sandbox, std::string digest) {
  const RunSpec spec;
  const RunOrder asked{.spec = spec, .is_shard = true, .sandbox = sandbox};
  const Status alike =
      RunsProgramsAlike(run, asked, {{.language = "python", .digest = std::move(digest), .missing = {}}});
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
