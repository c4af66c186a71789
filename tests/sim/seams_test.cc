// Who is asked what, and by whom it is judged, is said of variants and of checks: variants that name a
// generator and an asking of the case are asked so; a check that names judges is put to these alone; its
// threshold says whether it holds, its metric goes along to the exports, and a check may look at what the
// answer took.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <set>

#include "checks/args.h"
#include "plan/models_of.h"
#include "providers/facts/model_facts.h"
#include "report/export.h"
#include "report/fold/fold.h"
#include "run/executor/executor.h"
#include "spec/score/expectations.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"
#include "tests/sim/sim_run.h"
#include "tests/support/sample_report.h"

namespace assay::sim {

namespace {

// ---- a generator that says before its question who asks ----

std::uint32_t OnePoliteRequest(const Case&, const Variant&) { return 1; }

Action NextPolite(const StepContext& context, std::span<const Exchange> so_far) {
  if (!so_far.empty()) {
    Transcript said;
    said.answer = std::get<ModelReply>(so_far.front().reply).text;
    said.generated_texts = {said.answer};
    return Done{std::move(said)};
  }
  ModelRequest request{context.TheVariant()};
  request.messages = {{Role::kUser, "Please: " + AskedText(context.TheCase(), context.TheVariant())}};
  return Need{
      {{.request = std::move(request),
        .tag = {.case_index = context.case_index, .variant = context.variant_index, .judge_model = {}}}}};
}

constexpr GeneratorRow kPolite[] = {{.name = "polite", .max_requests = OnePoliteRequest, .next = NextPolite}};

// ---- a check of what the answer took ----

CheckArgs ParseNothing(const ParseInput&, Diagnostics&) { return MakeArgs(std::string()); }

Score GradeUse(const GradeInput& input, const std::string&, WorkerState&) {
  Score score = Score::Of(input.use.usage.output_tokens > 0 ? 0.6 : 0);
  score.explanation = fmt::format("{} us, {} tokens, {} nano-USD", input.use.duration_us,
                                  input.use.usage.output_tokens, input.use.nano_usd.value_or(-1));
  return score;
}

constexpr CheckRow Row(std::string_view name, bool reads_use) {
  return {.name = name,
          .aliases = {},
          .help = "what the answer took",
          .example = "",
          .parse = ParseNothing,
          .grade = GradeWith<std::string, GradeUse>,
          .reads_use = reads_use};
}
constexpr CheckRow kUse[] = {Row("use", true), Row("blind", false)};

Variant VariantNamed(std::string model) {
  Variant variant;
  variant.id = variant.model_id = "echo:" + model;
  variant.provider = "openai-compatible";
  variant.model = std::move(model);
  variant.base_url = "http://service.test/v1";
  return variant;
}

Check& AddCheck(Case& the_case, std::string kind) {
  const auto index = static_cast<CheckIndex>(the_case.checks.size());
  the_case.tree.children.push_back({.op = CheckNode::Op::kLeaf, .children = {}, .check = index, .label = {}});
  Check& check = the_case.checks.emplace_back();
  check.id = fmt::format("c{}", index);
  check.text = check.kind = std::move(kind);
  return check;
}

Judge JudgeNamed(std::string model) {
  Judge judge;
  judge.id = judge.model = model;
  judge.provider = "openai-compatible";
  judge.base_url = "http://service.test/v1";
  judge.model_id = "openai:" + model;
  judge.label = "standard(openai:" + model + ")";
  return judge;
}

Suite MakeSeamSuite() {
  Suite suite;
  suite.id = "seams";
  suite.dialect = "blueprint";
  Case& the_case = suite.cases.emplace_back();
  the_case.id = "one";
  const Turn answer = {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}};
  the_case.turns = {{.role = Role::kUser, .text = "the case's own question", .span = {}}, answer};
  the_case.askings.edit() = {{.name = "short", .text = "the short question"},
                             {.name = "long",
                              .turns = {{.role = Role::kUser, .text = "the long question", .span = {}},
                                        answer,
                                        {.role = Role::kUser, .text = "and then?", .span = {}},
                                        answer}}};
  for (const char* name : {"m-own", "m-short", "m-long", "m-polite"})
    suite.variants.push_back(VariantNamed(name));
  suite.variants[1].asking = "short";
  suite.variants[2].asking = "long";
  suite.variants[3].asking = "short";
  suite.variants[3].generator = "polite";
  suite.judges = {JudgeNamed("common")};
  suite.backup_judge = JudgeNamed("backup");
  suite.named_judges = {JudgeNamed("expert"), JudgeNamed("other")};
  AddCheck(the_case, "judge").text = "is kind";
  Check& own = AddCheck(the_case, "judge");
  own.text = "is right";
  own.judges.edit() = {0};
  own.threshold = 0.9;
  own.metric = "rightness";
  Check& use = AddCheck(the_case, "use");
  use.threshold = 0.5;
  use.metric = "use";
  AddCheck(the_case, "blind");
  return suite;
}

constexpr MoreRows kSeamRows{.checks = kUse, .generators = kPolite};

std::shared_ptr<const Plan> BuildPlan(Suite suite) {
  Diagnostics diagnostics;
  auto plan = Plan::Build(std::move(suite), {.more = kSeamRows}, diagnostics);
  CHECK(diagnostics.All().empty());
  REQUIRE(plan != nullptr);
  return plan;
}

// One run of a plan, over a network that answers at once.
class SeamRun {
 public:
  explicit SeamRun(Suite suite) : plan_(BuildPlan(std::move(suite))) {
    Result<std::unique_ptr<Store>> store = OpenStore({.path = folder_.Path("store"), .read_only = false});
    REQUIRE(store.has_value());
    store_ = std::move(*store);
    FakeClock clock(1'000'000'000'000);
    FakeTransport transport(clock, {.seed = 1, .failure_rate = 0}, [](const std::string& body) {
      const char* text = body.find("CLASS_") == std::string::npos
                             ? "an owl"
                             : "<reflection>So.</reflection><classification>CLASS_MAJOR</classification>";
      return fmt::format(R"({{"choices":[{{"message":{{"content":"{}"}},"finish_reason":"stop"}}],)"
                         R"("usage":{{"prompt_tokens":10,"completion_tokens":5}}}})",
                         text);
    });
    const Router router;
    run_.context.run_id = "run-0";
    run_.context.started_ms = clock.WallMs();
    run_.plan_digest = DigestOf(plan_->suite());
    run_.cells = plan_->CellCount();
    run_.dialect = plan_->suite().dialect;
    REQUIRE(store_->BeginRun(run_).has_value());
    ExecutorOptions options;
    options.workers = 0;
    options.store_threading = Threading::kInline;
    const Price price{.input_usd = 1, .output_usd = 2};
    const ModelBook prices({{.model = "openai-compatible:m-own", .price = price}});
    Alone alone(*plan_, options);
    Executor executor(*plan_, run_,
                      {.clock = clock,
                       .store = *store_,
                       .transport = transport,
                       .router = router,
                       .models = prices,
                       .pace = alone.pace,
                       .source = alone.cells},
                      options);
    REQUIRE(executor.Run().value() == RunEnding::kWhole);
    for (const auto& [body, times] : transport.paid()) bodies_.push_back(body);
  }

  // How many requests hold all of these texts.
  std::size_t Sent(std::initializer_list<std::string_view> texts) const {
    std::size_t count = 0;
    for (const std::string& body : bodies_) {
      bool has_all = true;
      for (const std::string_view text : texts) has_all = has_all && body.find(text) != std::string::npos;
      count += has_all ? 1 : 0;
    }
    return count;
  }
  Report Folded() const {
    return Fold(*store_, run_, SuiteOf(plan_), RetellingOf(run_.generators, kPolite)).value();
  }
  const Suite& suite() const { return plan_->suite(); }
  std::set<Digest> Keys() const {
    std::set<Digest> keys;
    const std::vector<ExchangeId> ids = store_->ExchangesOf("run-0", RunPart::kRun).value();
    const std::vector<Exchange> exchanges = store_->Get(ids).value();
    for (const Exchange& exchange : exchanges) keys.insert(exchange.key);
    return keys;
  }

 private:
  TempFolder folder_;
  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Store> store_;
  RunRecord run_;
  std::vector<std::string> bodies_;
};

}  // namespace

TEST_CASE("a variant is asked what it names, by the generator that it names") {
  const SeamRun run(MakeSeamSuite());
  CHECK(run.Sent({"m-own", "the case's own question"}) == 1);
  CHECK(run.Sent({"m-short", "the short question"}) == 1);
  CHECK(run.Sent({"m-long", "the long question"}) == 2);
  CHECK(run.Sent({"m-long", "and then?", "an owl"}) == 1);
  CHECK(run.Sent({"m-polite", "Please: the short question"}) == 1);

  Suite lost = MakeSeamSuite();
  lost.variants[1].asking = "gone";
  Diagnostics diagnostics;
  REQUIRE(Plan::Build(lost, {.more = kSeamRows}, diagnostics) != nullptr);
  REQUIRE(diagnostics.All().size() == 1);
  CHECK(diagnostics.All()[0].message.find("no asking named \"gone\"") != std::string::npos);
}

TEST_CASE("a check that names judges is put to these alone, under keys of its own") {
  const SeamRun run(MakeSeamSuite());
  CHECK(run.Sent({"\"common\"", "is kind"}) == 4);
  CHECK(run.Sent({"\"common\"", "is right"}) == 0);
  CHECK(run.Sent({"\"expert\"", "is right"}) == 4);
  CHECK(run.Sent({"\"expert\"", "is kind"}) == 0);
  CHECK(run.Sent({"\"other\""}) == 0);

  std::string asked;
  const auto plan = BuildPlan(MakeSeamSuite());
  for (const PlannedModel& model : ModelsOf(*plan))
    asked += fmt::format("{} {} {}\n", RequestRoleName(model.role), model.id, model.requests);
  CHECK(asked ==
        "candidate echo:m-own 1\ncandidate echo:m-short 1\ncandidate echo:m-long 2\n"
        "candidate echo:m-polite 1\njudge openai:common 4\njudge openai:expert 4\n"
        "backup judge openai:backup 4\n");

  Suite common = MakeSeamSuite();
  common.cases[0].checks[1].judges = {};
  CHECK(SeamRun(common).Keys() != run.Keys());
  Suite two = MakeSeamSuite();
  two.cases[0].checks[1].judges.edit() = {1, 0};
  CHECK(SeamRun(two).Sent({"is right"}) == 8);
}

TEST_CASE("thresholds decide whether a check holds, metrics go along, and a check sees what an answer took") {
  const SeamRun run(MakeSeamSuite());
  const Report report = run.Folded();
  const std::vector<Check>& checks = run.suite().cases[0].checks;
  std::size_t cells = 0;
  REQUIRE(report
              .for_each_cell(CellRange::All(), CellParts::kAll,
                             [&](const Cell& cell) -> Status {
                               ++cells;
                               const std::vector<Score>& scores = cell.record.scores;
                               REQUIRE(scores.size() == 4);
                               CHECK(scores[0].value == scores[1].value);
                               CHECK(Holds(checks[0], scores[0]) == true);
                               CHECK(Holds(checks[1], scores[1]) == false);  // the same score, below 0.9
                               CHECK(scores[0].metric.empty());
                               CHECK(scores[1].metric == "rightness");
                               CHECK(Holds(checks[2], scores[2]) == true);
                               CHECK(scores[2].value == 0.6);
                               // Only one of the models has a price.
                               const bool is_priced = scores[2].explanation.find(" -1 ") == std::string::npos;
                               CHECK(is_priced == (cell.variant == 0));
                               CHECK(scores[3].value == 0);  // its row did not say that it looks
                               return Ok();
                             })
              .has_value());
  CHECK(cells == 4);
  testing::MemorySink sink;
  REQUIRE(sink.Open("results.json").has_value());
  REQUIRE(FindExport("promptfoo")->write(report, {}, sink).has_value());
  const std::string& written = sink.files["results.json"];
  CHECK(written.find("\"namedScores\":{\"rightness\":") != std::string::npos);
  CHECK(written.find("\"threshold\":0.9") != std::string::npos);
}

// Stored bytes of suites that use none of this stay as they were.
TEST_CASE("what nobody names is not stored") {
  Suite plain = MakeSeamSuite();
  plain.named_judges.clear();
  for (Variant& variant : plain.variants) variant.asking = variant.generator = "";
  for (Check& check : plain.cases[0].checks) {
    check.judges = {};
    check.threshold.reset();
    check.metric = {};
  }
  const std::string text = EncodeSuite(plain);
  for (const char* name : {"named_judges", "\"asking\"", "\"generator\"", "\"threshold\"", "\"metric\""})
    CHECK(text.find(name) == std::string::npos);
  const Suite back = DecodeSuite(EncodeSuite(MakeSeamSuite())).value();
  CHECK(back.cases[0].checks[1].judges == std::vector<JudgeIndex>{0});
  CHECK(DigestOf(back) == DigestOf(MakeSeamSuite()));
  // A store may be somebody else's work.
  Suite damaged = MakeSeamSuite();
  damaged.cases[0].checks[1].judges.edit() = {2};
  CHECK(DecodeSuite(EncodeSuite(damaged)).error().code == ErrorCode::kCorrupt);
}

}  // namespace assay::sim
