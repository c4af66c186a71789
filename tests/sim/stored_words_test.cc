// Tests that a run's stored transcripts are read by any later version, whatever became of the generator that
// made them.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "plan/answers/retelling.h"
#include "report/export.h"
#include "report/fold/fold.h"
#include "run/executor/executor.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"
#include "spec/turn/stored_transcript.h"
#include "tests/sim/sim_run.h"
#include "tests/support/sample_report.h"

namespace assay::sim {

namespace {

// ---- an agent in three versions ----

std::uint32_t ThreeRequests(const Case&, const Variant&) { return 3; }

PlannedRequest Ask(const StepContext& context, std::string text) {
  ModelRequest request{context.TheVariant()};
  request.messages = {{Role::kUser, std::move(text)}};
  RequestTag tag;
  tag.case_index = context.case_index;
  tag.variant = context.variant_index;
  tag.attempt = context.attempt;
  return {.request = std::move(request), .tag = std::move(tag)};
}

// Asks as often as `times`, and answers with all replies and its own word.
Action Answer(const StepContext& context, std::span<const Exchange> so_far, std::size_t times,
              std::string_view word) {
  if (so_far.size() < times) return Need{{Ask(context, fmt::format("{} {}", word, so_far.size()))}};
  Transcript said;
  said.history = {{Role::kUser, "the question"}};
  for (const Exchange& exchange : so_far) {
    said.answer += fmt::format("{} {}. ", word, std::get<ModelReply>(exchange.reply).text);
    said.told.usage_by_role = {{"main", exchange.usage}};
  }
  said.history.push_back({Role::kAssistant, said.answer});
  said.generated_indices = {0};
  said.generated_texts = {said.answer};
  said.generated_reasoning = {"thought of an owl"};
  said.told.tool_calls = {{"", "look", "{}"}};
  said.told.timings_ms = {{"run_turn_ms", 2}};
  return Done{std::move(said)};
}

Action NextFirst(const StepContext& context, std::span<const Exchange> so_far) {
  return Answer(context, so_far, 2, "seen:");
}
Action NextWordier(const StepContext& context, std::span<const Exchange> so_far) {
  return Answer(context, so_far, 3, "clearly seen:");
}

// A row in the place of the table's own.
constexpr GeneratorRow Turn(std::uint32_t version, bool keeps_transcript,
                            Action (*next)(const StepContext&, std::span<const Exchange>)) {
  return {.name = "turn",
          .version = version,
          .keeps_transcript = keeps_transcript,
          .max_requests = ThreeRequests,
          .next = next};
}
constexpr GeneratorRow kFirst[] = {Turn(1, true, NextFirst)};
constexpr GeneratorRow kFirstUnkept[] = {Turn(1, false, NextFirst)};
constexpr GeneratorRow kWordier[] = {Turn(1, true, NextWordier)};  // somebody forgot to raise its version
constexpr GeneratorRow kSecond[] = {Turn(2, true, NextWordier)};
constexpr GeneratorRow kSecondUnkept[] = {Turn(2, false, NextWordier)};

Suite MakeTurnSuite() {
  Suite suite;
  suite.id = "turns";
  suite.dialect = "blueprint";
  suite.attempts = 2;
  for (const char* id : {"one", "two"}) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = id;
    the_case.generator = "turn";
    the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = id, .span = {}}};
    Check& check = the_case.checks.emplace_back();
    check.id = "c0";
    check.kind = "contains";
    check.text = "has an owl";
    check.args = "owl";
    the_case.tree.children = {{.op = CheckNode::Op::kLeaf, .children = {}, .check = 0, .label = {}}};
  }
  Variant& variant = suite.variants.emplace_back();
  variant.id = variant.model_id = "echo:m";
  variant.provider = "echo";
  variant.model = "m";
  return suite;
}

// A run of that suite, begun with the versions of one row and made by another.
class TurnRun {
 public:
  TurnRun(std::span<const GeneratorRow> begun_with, std::span<const GeneratorRow> made_by) {
    Diagnostics diagnostics;
    plan_ = Plan::Build(MakeTurnSuite(), {.more = {.generators = made_by}}, diagnostics);
    REQUIRE(plan_ != nullptr);
    Result<std::unique_ptr<Store>> store = OpenStore({.path = folder_.Path("store"), .read_only = false});
    REQUIRE(store.has_value());
    store_ = std::move(*store);
    FakeClock clock(1'000'000'000'000);
    FakeTransport transport(clock, {.seed = 1, .failure_rate = 0},
                            [](const std::string&) { return std::string("an owl"); });
    const Router router;
    run_.context.run_id = "run-0";
    run_.context.started_ms = clock.WallMs();
    run_.plan_digest = DigestOf(plan_->suite());
    run_.cells = plan_->CellCount();
    run_.dialect = plan_->suite().dialect;
    run_.generators = EncodeGeneratorVersions(VersionsFor(plan_->suite(), begun_with));
    REQUIRE(store_->BeginRun(run_).has_value());
    ExecutorOptions options;
    options.workers = 0;
    options.store_threading = Threading::kInline;
    Alone alone(*plan_, options);
    Executor executor(*plan_, run_, alone.Deps(clock, *store_, transport, router), options);
    REQUIRE(executor.Run().value() == RunEnding::kWhole);
  }

  // Every cell with all of its words, as it is read with this row.
  std::string ReadWith(std::span<const GeneratorRow> rows, bool* is_part_told = nullptr) const {
    Result<Report> report = Fold(*store_, run_, SuiteOf(plan_), RetellingOf(run_.generators, rows));
    REQUIRE(report.has_value());
    std::string text;
    REQUIRE(report
                ->for_each_cell(CellRange::All(), CellParts::kAll,
                                [&text](const Cell& cell) {
                                  text += EncodeScores(cell.record) + "\n";
                                  text += EncodeTranscript(cell.record.transcript) + "\n";
                                  return Ok();
                                })
                .has_value());
    testing::MemorySink page;
    REQUIRE(ExportHtml(*report, {}, page).has_value());
    if (is_part_told != nullptr) *is_part_told = *report->part_told;
    return text + page.files.begin()->second;
  }

 private:
  TempFolder folder_;
  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Store> store_;
  RunRecord run_;
};

}  // namespace

TEST_CASE("a run of an agent is what it was, whatever agent reads it") {
  const TurnRun run(kFirst, kFirst);
  bool is_part_told = false;
  const std::string words = run.ReadWith(kFirst, &is_part_told);
  CHECK_FALSE(is_part_told);
  CHECK(words.find("seen: an owl. seen: an owl. ") != std::string::npos);
  for (const std::span<const GeneratorRow> later :
       {std::span(kSecond), std::span(kWordier), std::span(kFirstUnkept), std::span(kSecondUnkept)}) {
    CHECK(run.ReadWith(later, &is_part_told) == words);
    CHECK_FALSE(is_part_told);
  }
}

TEST_CASE("what a later version adds to a run is stored with it") {
  const TurnRun run(kFirstUnkept, kSecondUnkept);
  bool is_part_told = false;
  const std::string words = run.ReadWith(kSecondUnkept, &is_part_told);
  CHECK_FALSE(is_part_told);
  CHECK(words.find("clearly seen: an owl. clearly seen") != std::string::npos);
  CHECK(run.ReadWith(kFirstUnkept) == words);
}

TEST_CASE("of what nobody stored the last reply is shown, and scores and calls as they were") {
  const TurnRun run(kFirstUnkept, kFirstUnkept);
  bool is_part_told = true;
  const std::string words = run.ReadWith(kFirstUnkept, &is_part_told);
  CHECK_FALSE(is_part_told);
  for (const std::span<const GeneratorRow> later : {std::span(kSecond), std::span(kWordier)}) {
    const std::string later_words = run.ReadWith(later, &is_part_told);
    CHECK(is_part_told);
    CHECK(later_words != words);
    CHECK(later_words.find(R"("answer)") == std::string::npos);
    CHECK(later_words.find("[2,\"an owl\"]") != std::string::npos);
    CHECK(later_words.find(R"("c":[["","look","{}"]])") != std::string::npos);
    CHECK(later_words.starts_with(words.substr(0, words.find('\n'))));
  }
}

}  // namespace assay::sim
