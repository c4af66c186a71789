// Tests of knowing the stored run that a command asks for.
#include "engine/choose/continue_run.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("a run is known by what shapes it, whatever its words") {
  RunSpec spec;
  spec.file = "a.yml";
  spec.votes = 3;
  RunRecord run;
  run.source = "a.yml --votes 3";
  run.spec = EncodeRunSpec(spec);
  CHECK(IsSameRun(run, spec));
  spec.votes = 5;
  CHECK_FALSE(IsSameRun(run, spec));
  run.source = "a.yml --votes 3 --allow-host h";
  CHECK_FALSE(IsSameRun(run, spec));
}

}  // namespace
}  // namespace assay
