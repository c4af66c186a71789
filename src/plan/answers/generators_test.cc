// Tests of generators: a case names its row, the row's bound holds, and what a variant lacks is the error of
// its attempts.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/limits.h"
#include "plan/plan.h"
#include "spec/run/worker_state.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

PlannedRequest Question(const StepContext& context, std::string text) {
  ModelRequest request{context.TheVariant()};
  request.messages = {{Role::kUser, std::move(text)}};
  return {.request = std::move(request), .tag = {.case_index = context.case_index, .judge_model = {}}};
}

// Asks two questions at once and joins the replies.
Action NextTwice(const StepContext& context, std::span<const Exchange> so_far) {
  if (so_far.empty()) return Need{{Question(context, "one"), Question(context, "two")}};
  Transcript said;
  for (const Exchange& exchange : so_far) said.answer += std::get<ModelReply>(exchange.reply).text;
  said.generated_texts = {said.answer};
  said.told.tool_calls = {{"", "search", "{}"}};
  return Done{std::move(said)};
}

Action NextForever(const StepContext& context, std::span<const Exchange>) {
  return Need{{Question(context, "again")}};
}
Action NextNothing(const StepContext&, std::span<const Exchange>) { return Need{}; }
Action NextBroken(const StepContext&, std::span<const Exchange>) {
  return Failed{{ErrorCode::kInvalidInput, "no profile says how"}};
}

std::uint32_t Two(const Case&, const Variant&) { return 2; }
std::uint32_t Many(const Case&, const Variant&) { return 1'000'000; }
std::string NoLaterModel(const Case&, const Variant& variant) {
  return variant.model == "late" ? "it came too late" : "";
}

constexpr GeneratorRow kRows[] = {
    {.name = "twice", .max_requests = Two, .next = NextTwice, .lacks = NoLaterModel},
    {.name = "greedy", .max_requests = Two, .next = NextForever},
    {.name = "endless", .max_requests = Many, .next = NextForever},
    {.name = "idle", .max_requests = Two, .next = NextNothing},
    {.name = "broken", .max_requests = Two, .next = NextBroken},
    {.name = "changed", .version = 3, .max_requests = Two, .next = NextTwice},
    {.name = "kept", .keeps_transcript = true, .max_requests = Two, .next = NextTwice},
};

Suite MakeSuite(std::string generator) {
  Suite suite;
  Case& the_case = suite.cases.emplace_back();
  the_case.id = "a";
  the_case.turns.push_back({.role = Role::kUser, .kind = TurnKind::kText, .text = "hi", .span = {}});
  the_case.turns.push_back({.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}});
  the_case.generator = std::move(generator);
  Variant& variant = suite.variants.emplace_back();
  variant.id = "p:m";
  variant.provider = "p";
  variant.model = "m";
  return suite;
}

std::shared_ptr<const Plan> Build(Suite suite, Diagnostics& diagnostics) {
  return Plan::Build(std::move(suite), {.more = {.generators = kRows}}, diagnostics);
}

// The transcript of the only cell; every request is answered with its own text.
Transcript Answer(const Plan& plan, std::uint32_t* rounds_taken = nullptr) {
  const RunContext run;
  WorkerState worker;
  const StepContext context{.suite = plan.suite(), .inputs = {}, .run = run, .worker = worker};
  const CasePlan& case_plan = plan.case_plan(0);
  std::vector<Exchange> so_far;
  for (std::uint32_t rounds = 0;; ++rounds) {
    Action action = NextOf(plan, case_plan.slots[kAnswerSlot], context, so_far, rounds);
    if (rounds_taken != nullptr) *rounds_taken = rounds;
    auto* need = std::get_if<Need>(&action);
    if (need == nullptr) return std::get<Transcript>(std::get<Done>(action).value);
    for (const PlannedRequest& planned : need->requests) {
      ModelReply reply;
      reply.text = std::get<ModelRequest>(planned.request).messages.back().text + ".";
      so_far.emplace_back().reply = std::move(reply);
    }
  }
}

TEST_CASE("a case is answered by the generator that it names") {
  Diagnostics diagnostics;
  const auto plan = Build(MakeSuite("twice"), diagnostics);
  REQUIRE(plan != nullptr);
  const Transcript said = Answer(*plan);
  CHECK(said.error.empty());
  CHECK(said.answer == "one.two.");
  CHECK(said.told.tool_calls[0].name == "search");
  CHECK(Answer(*Build(MakeSuite(""), diagnostics)).answer == "hi.");
  CHECK(Answer(*Build(MakeSuite("conversation"), diagnostics)).answer == "hi.");
}

TEST_CASE("a generator that nobody has is an error of the suite") {
  Diagnostics diagnostics;
  CHECK(Build(MakeSuite("telepathy"), diagnostics) == nullptr);
  REQUIRE(diagnostics.All().size() == 1);
  CHECK(diagnostics.All()[0].code == "plan.generator");
}

// A step could ask without end: its bound was written down and never looked at.
TEST_CASE("a step that goes beyond its bound fails and says so") {
  const auto error = [](std::string generator, std::uint32_t* rounds = nullptr) {
    Diagnostics diagnostics;
    return Answer(*Build(MakeSuite(std::move(generator)), diagnostics), rounds).error;
  };
  CHECK(error("greedy") == "greedy: the step asked for 3 requests where 2 are its bound");
  CHECK(error("idle") == "idle: the step asked for nothing and was not done");
  CHECK(error("broken") == "no profile says how");
  std::uint32_t rounds = 0;
  CHECK(error("endless", &rounds) ==
        fmt::format("endless: the step asked for more than {} rounds of requests", limits::kStepRoundsMax));
  CHECK(rounds == limits::kStepRoundsMax);
}

TEST_CASE("stand-ins of a model that is down are within the bound") {
  Suite suite = MakeSuite("greedy");
  suite.variants[0].fallbacks.resize(2);
  Diagnostics diagnostics;
  CHECK(Answer(*Build(std::move(suite), diagnostics)).error.find("5 requests where 4") != std::string::npos);
}

TEST_CASE("what a variant lacks is told before the run, and is the error of its attempts") {
  Suite suite = MakeSuite("twice");
  suite.variants[0].model = "late";
  Diagnostics diagnostics;
  const auto plan = Build(std::move(suite), diagnostics);
  REQUIRE(plan != nullptr);
  REQUIRE(diagnostics.All().size() == 1);
  CHECK(diagnostics.All()[0].code == "plan.cannot-answer");
  CHECK(Answer(*plan).error == "it came too late");

  Suite long_one = MakeSuite("");
  long_one.cases[0].turns.resize(2 * limits::kStepRoundsMax + 2, long_one.cases[0].turns[1]);
  CHECK(Answer(*Build(std::move(long_one), diagnostics)).error.starts_with("it is asked for 40"));
}

TEST_CASE("a document's generator asks its program, then the embedder, in roles of their own") {
  Suite suite = MakeSuite("ingest");
  suite.toolchains.push_back({.language = "pdftotext", .digest = "t1", .missing = {}});
  static_cast<ModelRef&>(suite.corpus.endpoint.emplace()) = suite.variants[0];
  CaseDocument& document = suite.cases[0].documents.edit().emplace_back();
  document.path = "/a/x.pdf";
  document.blob = std::make_shared<const Blob>(Blob{.sha256 = "ab", .bytes = "%PDF-1.4"});
  Diagnostics diagnostics;
  const auto plan = Plan::Build(suite, {.part = RunPart::kOpening}, diagnostics);
  REQUIRE(plan != nullptr);
  CHECK(plan->pools().size() == 2);
  CHECK(plan->PoolOf(RequestRole::kProgram, "") != plan->PoolOf(RequestRole::kEmbedding, "p"));
  const RunContext run;
  WorkerState worker;
  const StepContext context{.suite = plan->suite(), .inputs = {}, .run = run, .worker = worker};
  const StepTemplate& step = plan->case_plan(0).slots[kAnswerSlot];
  Action action = NextOf(*plan, step, context, {});
  REQUIRE(std::holds_alternative<Need>(action));
  const PlannedRequest& program = std::get<Need>(action).requests.front();
  CHECK(program.tag.role == RequestRole::kProgram);
  CHECK(std::get<ProcessRequest>(program.request).toolchain_digest == "t1");
  std::vector<Exchange> so_far(1);
  ProcessReply printed;
  printed.exit_code = 0;
  printed.stdout_text = "A page.\n\f";
  so_far[0].reply = printed;
  action = NextOf(*plan, step, context, so_far, 1);
  REQUIRE(std::holds_alternative<Need>(action));
  const PlannedRequest& embed = std::get<Need>(action).requests.front();
  CHECK(embed.tag.role == RequestRole::kEmbedding);
  CHECK(std::get<EmbedRequest>(embed.request).texts == std::vector<std::string>{"A page."});
  // Whatever comes of a document, its cell is no error of the run.
  printed.exit_code = 1;
  so_far[0].reply = printed;
  action = NextOf(*plan, step, context, so_far, 1);
  REQUIRE(std::holds_alternative<Done>(action));
  CHECK(std::get<Transcript>(std::get<Done>(action).value).error.empty());

  suite.cases[0].documents.edit()[0].blob =
      std::make_shared<const Blob>(Blob{.sha256 = "cd", .bytes = "Plain."});
  suite.cases[0].documents.edit()[0].path = "/a/x.txt";
  suite.corpus.endpoint.reset();
  // There is nobody to ask.
  CHECK(Plan::Build(suite, {.part = RunPart::kOpening}, diagnostics)->pools().empty());
}

TEST_CASE("what a generator says is stored where its row says so, or the run has another version") {
  Suite suite = MakeSuite("changed");
  suite.cases.push_back(MakeSuite("").cases.front());
  suite.cases.push_back(MakeSuite("nobody").cases.front());
  CHECK(VersionsFor(suite, kRows) == GeneratorVersions{{"changed", 3}, {"conversation", 1}});
  struct Row {
    const char* name;
    GeneratorVersions run;
    bool is_made_with;
    bool keeps;
  };
  const Row rows[] = {
      {"changed", {{"changed", 3}}, true, false}, {"changed", {{"changed", 2}}, false, true},
      {"changed", {{"changed", 4}}, false, true}, {"changed", {}, false, true},  // begun before version 6
      {"conversation", {}, true, false},          {"kept", {{"kept", 1}}, true, true},
      {"kept", {{"kept", 2}}, false, true},       {"turn", VersionsFor(MakeSuite("turn")), true, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const GeneratorRow& generator = *FindGenerator(row.name, suite.variants[0], kRows);
    CHECK(IsMadeWith(generator, row.run) == row.is_made_with);
    CHECK(KeepsTranscript(generator, row.run) == row.keeps);
  }
}

TEST_CASE("suites of before say nothing of generators, and neither do their digests") {
  CHECK(EncodeSuite(MakeSuite("")).find("generator") == std::string::npos);
  CHECK(DigestOf(MakeSuite("")) != DigestOf(MakeSuite("twice")));
  const Result<Suite> back = DecodeSuite(EncodeSuite(MakeSuite("twice")));
  REQUIRE(back.has_value());
  CHECK(back->cases[0].generator == "twice");
}

}  // namespace
}  // namespace assay
