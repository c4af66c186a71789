// Tests that options and the machine's facts reach the suite, and that nothing else of it changes.
#include "plan/finish.h"

#include <doctest/doctest.h>

#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

Suite PlainSuite() {
  Suite suite;
  suite.id = "s";
  suite.variants.resize(2);
  suite.variants[0].provider = "openai";
  suite.variants[0].model = "gpt-4o";
  suite.variants[1] = suite.variants[0];
  suite.variants[0].agent.limits.usd = 0.5;
  return suite;
}

TEST_CASE("a suite that nobody asks more of is as its files say") {
  const ModelBook models;
  const Machine machine{.toolchains = {}, .programs = 1, .models = models};
  Suite suite = PlainSuite();
  suite.variants[0].agent.limits.usd.reset();
  CHECK(EncodeSuite(Finish(suite, machine, {})) == EncodeSuite(suite));
}

TEST_CASE("what the user asks for and what is here is in the suite, once and for all") {
  const ModelBook models;
  const Machine machine{
      .toolchains = {{.language = "python", .digest = "d", .missing = {}}}, .programs = 1, .models = models};
  RunSpec spec;
  spec.accept_partial = true;
  spec.strict_programs = true;
  spec.no_memo = true;
  const Suite suite = Finish(PlainSuite(), machine, spec);
  CHECK(suite.completeness.accepts_partial);
  CHECK(suite.programs.strict);
  CHECK_FALSE(suite.programs.memo);
  REQUIRE(suite.toolchains.size() == 1);
  CHECK(suite.toolchains[0].digest == "d");
  CHECK(suite.variants[0].agent.usd_per_input_token > 0);
  CHECK(suite.variants[0].agent.usd_per_output_token > suite.variants[0].agent.usd_per_input_token);
  CHECK(suite.variants[1].agent.usd_per_input_token == 0);  // its turns stop at no cost
  CHECK(EncodeSuite(Finish(suite, machine, spec)) == EncodeSuite(suite));
}

TEST_CASE("what a format accepts is not taken back") {
  const ModelBook models;
  Suite suite = PlainSuite();
  suite.completeness.accepts_partial = true;
  CHECK(Finish(suite, {.toolchains = {}, .programs = 1, .models = models}, {}).completeness.accepts_partial);
}

}  // namespace
}  // namespace assay
