// Tests that a new check with items, a new generator and a new exporter take one row each: rows that only
// this test has go through plan, run, store and report like those of the tables.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "checks/args.h"
#include "plan/answers/retelling.h"
#include "report/export.h"
#include "report/fold/fold.h"
#include "run/executor/executor.h"
#include "spec/report/pair.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"
#include "tests/sim/sim_run.h"
#include "tests/support/page_data.h"
#include "tests/support/sample_report.h"

namespace assay::sim {

namespace {

// ---- the check: `vowels: [a, o]`, a point for each that the answer has ----

CheckArgs ParseVowels(const ParseInput& input, Diagnostics& diagnostics) {
  std::vector<std::string> vowels;
  for (const Value& vowel : input.check.args.AsList()) vowels.emplace_back(vowel.AsString());
  if (vowels.empty())
    return UnusableArgs<std::vector<std::string>>(TellUnexpected(input, "vowels", diagnostics));
  return MakeArgs(std::move(vowels));
}

Score GradeVowels(const GradeInput& input, const std::vector<std::string>& vowels, WorkerState&) {
  Score score = Score::Of(0);
  score.max = static_cast<double>(vowels.size());
  for (const std::string& vowel : vowels) {
    const std::size_t at = input.answer.text().find(vowel);
    const double share = at == std::string_view::npos ? 0 : 1;
    score.value += share;
    score.items.push_back({.wanted = "vowel " + vowel,
                           .found = share > 0 ? fmt::format("at byte {}", at) : std::string(),
                           .share = share,
                           .points = share});
  }
  score.items.push_back({.sentence = "y counts as none"});
  return score;
}

constexpr CheckRow kVowels[] = {{.name = "vowels",
                                 .aliases = {},
                                 .help = "the vowels that the answer has",
                                 .example = "$vowels: [a, o]",
                                 .parse = ParseVowels,
                                 .grade = GradeWith<std::vector<std::string>, GradeVowels>}};

// ---- the generator: asks, and asks to think again; its calls and events go along ----

std::uint32_t TwoRequests(const Case&, const Variant&) { return 2; }

Action NextThinkAgain(const StepContext& context, std::span<const Exchange> so_far) {
  Transcript said;
  for (const Turn& turn : context.TheCase().turns) said.history.push_back({turn.role, turn.text});
  for (const Exchange& exchange : so_far) {
    if (exchange.error) {
      said.error = exchange.error->message;
      return Done{std::move(said)};
    }
    said.answer = std::get<ModelReply>(exchange.reply).text;
    said.history.push_back({Role::kAssistant, said.answer});
    said.told.events.emplace_back(fmt::format("round {}", said.told.events.size() + 1));
    said.told.usage_by_role.emplace_back("main", exchange.usage);
  }
  if (so_far.size() == 2) {
    said.generated_texts = {said.answer};
    said.told.tool_calls = {{"", "reconsider", "{}"}};
    said.told.timings_ms = {{"thinking", 2}};
    return Done{std::move(said)};
  }
  if (!so_far.empty()) said.history.push_back({Role::kUser, "Think again."});
  ModelRequest request{context.TheVariant()};
  request.messages = said.history;
  RequestTag tag{.role = RequestRole::kCandidate,
                 .case_index = context.case_index,
                 .variant = context.variant_index,
                 .attempt = context.attempt,
                 .turn = static_cast<std::uint32_t>(so_far.size()),
                 .is_final_turn = so_far.size() == 1,
                 .check = 0,
                 .judge_model = {}};
  return Need{{{.request = std::move(request), .tag = std::move(tag)}}};
}

constexpr GeneratorRow kThinkAgain[] = {
    {.name = "think-again", .max_requests = TwoRequests, .next = NextThinkAgain}};

// ---- the exporter: a line for each item that a check tells ----

Status WriteItems(const Report& report, const ExportAsk&, Sink& sink) {
  return report.for_each_cell(CellRange::All(), CellParts::kScores, [&](const Cell& cell) -> Status {
    for (const Score& score : cell.record.scores) {
      for (const ScoreItem& item : score.items) {
        if (!item.is_alone())
          ASSAY_CHECK_OK(
              sink.Write(fmt::format("{}: {:g} of {:g}\n", item.wanted, item.points, item.weight)));
      }
    }
    return Ok();
  });
}

constexpr ExportRow kItems = {
    .name = "items", .file = "items.txt", .help = "what was looked for", .write = WriteItems};

constexpr MoreRows kMore{.checks = kVowels, .generators = kThinkAgain};

Suite MakeRowSuite() {
  Suite suite;
  suite.id = "rows";
  suite.dialect = "blueprint";
  suite.aggregation.formula = "clipped-sum-over-least-total";  // of points, as the check gives them
  Case& the_case = suite.cases.emplace_back();
  the_case.id = "one";
  the_case.generator = "think-again";
  the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = "Say something", .span = {}}};
  Check& check = the_case.checks.emplace_back();
  check.id = "c0";
  check.kind = "vowels";
  check.text = "has vowels";
  check.args = List{Value("a"), Value("o"), Value("u")};
  the_case.tree.children = {{.op = CheckNode::Op::kLeaf, .children = {}, .check = 0, .label = {}}};
  Variant& variant = suite.variants.emplace_back();
  variant.id = variant.model_id = "echo:m";
  variant.provider = "echo";
  variant.model = "m";
  return suite;
}

}  // namespace

TEST_CASE("a check with items, a generator and an exporter take a row each") {
  Diagnostics diagnostics;
  const auto plan = Plan::Build(MakeRowSuite(), {.more = kMore}, diagnostics);
  REQUIRE(plan != nullptr);
  CHECK(diagnostics.All().empty());
  const TempFolder folder;
  Result<std::unique_ptr<Store>> store = OpenStore({.path = folder.Path("store"), .read_only = false});
  REQUIRE(store.has_value());
  FakeClock clock(1'000'000'000'000);
  FakeTransport transport(clock, {.seed = 1, .failure_rate = 0}, [](const std::string& body) {
    return std::string(body.find("Think again.") == std::string::npos ? "a hasty word" : "an owl");
  });
  const Router router;
  RunRecord run;
  run.context.run_id = "run-0";
  run.context.started_ms = clock.WallMs();
  run.plan_digest = DigestOf(plan->suite());
  run.cells = plan->CellCount();
  run.dialect = plan->suite().dialect;
  REQUIRE((*store)->BeginRun(run).has_value());
  ExecutorOptions options;
  options.workers = 0;
  options.store_threading = Threading::kInline;
  {
    Alone alone(*plan, options);
    Executor executor(*plan, run, alone.Deps(clock, **store, transport, router), options);
    const Result<RunEnding> end = executor.Run();
    REQUIRE(end.has_value());
    CHECK(*end == RunEnding::kWhole);
    CHECK(executor.progress().sent == 2);
  }
  Result<Report> report = Fold(**store, run, SuiteOf(plan), RetellingOf(run.generators, kThinkAgain));
  REQUIRE(report.has_value());
  std::size_t cells = 0;
  REQUIRE(report
              ->for_each_cell(CellRange::All(), CellParts::kAll,
                              [&cells](const Cell& cell) {
                                ++cells;
                                CHECK(cell.record.transcript.answer == "an owl");
                                const AttemptFacts& told = cell.record.transcript.told;
                                CHECK(told.events.size() == 2);
                                CHECK(told.tool_calls.at(0).name == "reconsider");
                                CHECK(told.timings_ms.at(0).second == 2);
                                CHECK(told.usage_by_role.size() == 2);
                                CHECK(cell.record.scores.at(0).value == 2);
                                CHECK(cell.record.scores.at(0).items.size() == 4);
                                return Ok();
                              })
              .has_value());
  CHECK(cells == 1);
  // What was told is there without the exchanges too.
  REQUIRE(report
              ->for_each_cell(CellRange::All(), CellParts::kScores,
                              [](const Cell& cell) {
                                CHECK(cell.record.transcript.told.tool_calls.at(0).name == "reconsider");
                                return Ok();
                              })
              .has_value());
  testing::MemorySink sink;
  REQUIRE(ExportHtml(*report, {}, sink).has_value());
  REQUIRE(sink.files.size() == 1);
  const std::string page = testing::PageText(sink.files.begin()->second);
  CHECK(page.find(R"("wanted":"vowel o")") != std::string::npos);
  CHECK(page.find("at byte 3") != std::string::npos);
  CHECK(page.find(R"("wanted":"vowel u")") != std::string::npos);
  CHECK(page.find("y counts as none") != std::string::npos);
  testing::MemorySink listed;
  REQUIRE(Export(kItems, *report, {}, kItems.file, listed).has_value());
  CHECK(listed.files.at("items.txt") == "vowel a: 1 of 1\nvowel o: 1 of 1\nvowel u: 0 of 1\n");
}

}  // namespace assay::sim
