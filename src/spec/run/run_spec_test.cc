// Tests that RunSpec comes back as it was stored, and that each field of it tells runs apart.
#include "spec/run/run_spec.h"

#include <doctest/doctest.h>

#include <functional>

namespace assay {
namespace {

// One for each field.
const std::vector<std::function<void(RunSpec&)>> kChanges = {
    [](RunSpec& spec) { spec.file = "suite \"a\".yml"; },
    [](RunSpec& spec) {
      spec.models = {"openai:gpt-4o", "exec:./a 'b c'"};
    },
    [](RunSpec& spec) { spec.judges = {""}; },
    [](RunSpec& spec) { spec.filter = "capital-*"; },
    [](RunSpec& spec) { spec.limit = 1'000'000'000; },
    [](RunSpec& spec) { spec.selected = {"a/b"}; },
    [](RunSpec& spec) { spec.attempts = 3; },
    [](RunSpec& spec) { spec.max_tokens = 10'000'000; },
    [](RunSpec& spec) { spec.accept_partial = true; },
    [](RunSpec& spec) { spec.strict_programs = true; },
    [](RunSpec& spec) { spec.no_memo = true; },
    [](RunSpec& spec) { spec.compat = Compat::kAsky; },
    [](RunSpec& spec) { spec.run_label = "nightly\n"; },
    [](RunSpec& spec) { spec.json_judges = true; },
    [](RunSpec& spec) { spec.votes = 25; },
    [](RunSpec& spec) { spec.require_summary = true; },
    [](RunSpec& spec) { spec.skip_summary = true; },
    [](RunSpec& spec) {
      spec.responses = {"a.csv", "b/"};
    },
    [](RunSpec& spec) { spec.fixtures = "f.json"; },
    [](RunSpec& spec) { spec.fixtures_strict = true; },
    [](RunSpec& spec) { spec.replay = "none"; },
    [](RunSpec& spec) { spec.base_urls = {"openai=http://127.0.0.1:8080/v1"}; },
    [](RunSpec& spec) { spec.pass_at = 0.0; },
    [](RunSpec& spec) { spec.pass_at_is_setting = true; },
    [](RunSpec& spec) {
      spec.pass_at_k = {1, 10};
    },
    [](RunSpec& spec) { spec.pass_attempts = 0.75; },
    [](RunSpec& spec) { spec.artefacts = true; },
    [](RunSpec& spec) {
      spec.until = {"decided", "A>B+3"};
    },
    [](RunSpec& spec) { spec.within = 2.5; },
    [](RunSpec& spec) { spec.promise = "world"; },
    [](RunSpec& spec) { spec.order_seed = "7"; },
    [](RunSpec& spec) { spec.look_every = 25; },
    [](RunSpec& spec) {
      spec.gates = {"--early", "--fail-under=0.8"};
    },
    [](RunSpec& spec) { spec.gates_digest = "00ff"; },
    [](RunSpec& spec) {
      spec.own.values = {{"mock-web", {"w.yaml"}}, {"run", {"a", "b"}}};
    }};

// As many members as there are above: one more does not compile.
[[maybe_unused]] void NameMembers(const RunSpec& spec) {
  const auto& [file, models, judges, filter, limit, selected, attempts, max_tokens, accept_partial,
               strict_programs, no_memo, compat, run_label, json_judges, votes, require_summary, skip_summary,
               responses, fixtures, fixtures_strict, replay, base_urls, pass_at, pass_at_is_setting,
               pass_attempts, pass_at_k, artefacts, until, within, promise, order_seed, look_every, gates,
               gates_digest, own] = spec;
  static_cast<void>(own);
}

bool IsRefused(std::string_view text) {
  const Result<RunSpec> spec = DecodeRunSpec(text);
  return !spec && spec.error().code == ErrorCode::kCorrupt;
}

TEST_CASE("each field of a spec comes back, and makes it another") {
  const RunSpec standard;
  CHECK(EncodeRunSpec(standard) == "{}");
  CHECK(DecodeRunSpec("{}").value() == standard);
  RunSpec all;
  for (std::size_t i = 0; i < kChanges.size(); ++i) {
    CAPTURE(i);
    RunSpec changed;
    kChanges[i](changed);
    kChanges[i](all);
    const std::string text = EncodeRunSpec(changed);
    CHECK(text != "{}");
    CHECK_FALSE(changed == standard);
    CHECK(DecodeRunSpec(text).value() == changed);
    CHECK(DecodeRunSpec(EncodeRunSpec(all)).value() == all);
  }
  CHECK(kChanges.size() == RunSpecValue(all).AsMap().size());
}

TEST_CASE("a spec is written in one order, without what has its default") {
  RunSpec spec;
  spec.own.values = {{"embedder", {"hash"}}};
  spec.votes = 3;
  spec.compat = Compat::kWeval;
  spec.pass_at = 0.75;
  spec.file = "s.yml";
  CHECK(EncodeRunSpec(spec) ==
        R"({"file":"s.yml","compat":"weval","votes":3,"pass_at":0.75,"own":{"embedder":["hash"]}})");
}

TEST_CASE("a spec holds no credentials") {
  RunSpec spec;
  spec.base_urls = {"openai=http://me:s3cret@host/v1"};
  spec.models = {"exec:ask http://me:s3cret@host/"};
  const std::string text = EncodeRunSpec(spec);
  CHECK(text.find("s3cret") == std::string::npos);
  // What was stored is written again as it is.
  CHECK(EncodeRunSpec(DecodeRunSpec(text).value()) == text);
}

TEST_CASE("what a newer assay says of a run is left out") {
  RunSpec spec;
  spec.votes = 3;
  CHECK(DecodeRunSpec(R"({"later":{"a":[1]},"votes":3})").value() == spec);
}

TEST_CASE("what is no spec is refused") {
  for (const std::string_view text : {"null",
                                      "[]",
                                      "{",
                                      R"({"votes":3,"votes":4})",
                                      R"({"votes":0})",
                                      R"({"votes":26})",
                                      R"({"votes":1.5})",
                                      R"({"votes":-1})",
                                      R"({"votes":1e400})",
                                      R"({"votes":"3"})",
                                      R"({"limit":1e10})",
                                      R"({"pass_at":1.1})",
                                      R"({"pass_attempts":2})",
                                      R"({"pass_at":null})",
                                      R"({"compat":"nobody"})",
                                      R"({"compat":""})",
                                      R"({"compat":1})",
                                      R"({"models":"a"})",
                                      R"({"models":[1]})",
                                      R"({"file":[]})",
                                      R"({"artefacts":1})",
                                      R"({"own":[]})",
                                      R"({"own":{"run":"a"}})"}) {
    CAPTURE(text);
    CHECK(IsRefused(text));
  }
  CHECK(EncodeRunSpec(DecodeRunSpec("").value()) == EncodeRunSpec(RunSpec()));  // of imported runs
  CHECK(IsRefused(std::string(100'000, '[')));
  CHECK(IsRefused(R"({"file":")" + std::string(17u << 20, 'a') + R"("})"));
}

}  // namespace
}  // namespace assay
