// Tests of choosing the stored run that a command asks for.
#include "cli/passes/run/run_record.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("a run is known by what shapes it, whatever its words") {
  RunSpec spec;
  spec.file = "a.yml";
  spec.votes = 3;
  const AskedRun asked{.spec = spec, .words = "a.yml --votes 3 --allow-host h"};
  RunRecord run;
  run.source = "a.yml --votes 3";
  run.spec = EncodeRunSpec(spec);
  CHECK(IsSameRun(run, asked));
  spec.votes = 5;
  CHECK_FALSE(IsSameRun(run, asked));
  run.source = asked.words;
  CHECK_FALSE(IsSameRun(run, asked));
}

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
