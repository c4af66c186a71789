// Which stored run is the one that is asked for.
#include "cli/passes/run_record.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("a run without a spec is known by its words, offline or not") {
  const RunSpec spec;
  const AskedRun asked{.spec = spec, .words = "a.yml --votes 3"};
  RunRecord run;
  run.source = "a.yml --votes 3";
  CHECK(IsSameRun(run, asked));
  run.source = "a.yml --votes 3 --offline";
  CHECK(IsSameRun(run, asked));
  for (const std::string_view other : {"a.yml", "a.yml --votes 5", "b.yml --votes 3", ""}) {
    run.source = other;
    CHECK_FALSE(IsSameRun(run, asked));
  }
}

}  // namespace
}  // namespace assay
