// What a viewer shows of a run comes from the store alone: this module may include no dialect, provider,
// plan or terminal (src/CMakeLists.txt), and still has every value of a finished run, its dialect's tables
// and what it cost.
#include <doctest/doctest.h>

#include "report/aggregate.h"
#include "report/decide/comparison.h"
#include "report/fold/fold.h"
#include "report/fold/stored_summary.h"
#include "report/fold/stored_tables.h"
#include "report/values/cells.h"
#include "report/values/comparisons.h"
#include "report/values/failures.h"
#include "report/values/pages/case_page.h"
#include "report/values/runs.h"
#include "report/values/statistics.h"
#include "spec/suite/suite.h"
#include "spec/turn/stored_transcript.h"
#include "tests/support/test_store.h"
#include "text/json/json.h"

namespace assay {

namespace {

using testing::MakeRun;
using testing::TempFolder;
using testing::TestSitting;

// Two cases and two variants; "b" misses the second case.
Suite SmallSuite() {
  Suite suite;
  suite.dialect = "research";
  suite.aggregation.formula = "weighted-mean-best-path";
  suite.aggregation.reduce = "avg";
  for (const char* id : {"a", "b"}) {
    Variant& variant = suite.variants.emplace_back();
    variant.id = id;
    variant.profile.emplace();
  }
  for (const char* id : {"first", "second"}) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = id;
    the_case.turns.emplace_back().text = id;
    Check& check = the_case.checks.emplace_back();
    check.kind = "contains";
    check.text = "says so";
    CheckNode leaf;
    leaf.op = CheckNode::Op::kLeaf;
    the_case.tree.children.push_back(leaf);
  }
  return suite;
}

AttemptRecord AttemptAt(const CellAddress& at) {
  AttemptRecord record;
  record.transcript.answer = "answer " + std::to_string(at.case_index) + std::to_string(at.variant);
  record.scores = {Score::Of(at.case_index == 1 && at.variant == 1 ? 0 : 1)};
  record.scores[0].marks = {{7, 9}};
  record.scores[0].block = {.rule = BlockRule::kBare, .parts = {{0, 6}}};
  return record;
}

// A program that the check of a cell ran.
Exchange RanProgram(std::string stdout_text) {
  Exchange exchange;
  exchange.key = Sha256Of(stdout_text);
  exchange.kind = RequestKind::kProcess;
  exchange.role = RequestRole::kProgram;
  exchange.duration_us = 41'500;
  ProcessReply reply;
  reply.exit_code = 3;
  reply.stdout_text = std::move(stdout_text);
  reply.sandbox = "ns";
  exchange.reply = std::move(reply);
  return exchange;
}

// As a run leaves it behind.
void StoreFinishedRun(const std::string& path) {
  const Suite suite = SmallSuite();
  const CellGrid grid = CellGrid::Of(suite).value();
  const std::unique_ptr<Store> store = OpenStore({.path = path}).value();
  const PackedSuite packed = PackSuite(suite);
  REQUIRE(store->SaveSuite(packed).has_value());
  RunRecord record = MakeRun("r1");
  record.dialect = suite.dialect;
  record.suite = packed.digest;
  record.cells = grid.count();
  REQUIRE(store->BeginRun(record).has_value());
  std::vector<CellResult> cells;
  const auto columns_of = ColumnsIn(suite);
  TestSitting sitting(*store, "r1");
  const ExchangeId ran = sitting.Keep({RanProgram("ran\n" + std::string(40'000, 'x'))}).front().id;
  for (CellIndex i = 0; i < grid.count(); ++i) {
    const AttemptRecord attempt = AttemptAt(grid.At(i));
    cells.push_back({.cell = i,
                     .scores = EncodeScores(attempt),
                     .columns = columns_of(grid.At(i), attempt),
                     .transcript = EncodeTranscript(attempt.transcript),
                     .marks = EncodeMarks(attempt)});
  }
  cells[0].steps = {{.kind = LinkKind::kAsk, .role = RequestRole::kProgram, .check = 0, .exchanges = {ran}}};
  sitting.Grade(cells);
  Report report = Fold(*store, record).value();
  report.tables = {{.title = "Profiles", .head = {"profile"}, .rows = {{"a"}, {"b"}}}};
  record.state = RunState::kFinished;
  record.summary = EncodeSummary(report);
  record.tables = EncodeTables(report);
  record.cost = RunCost{.nano_usd = 1'500'000'000, .unpriced = 2};
  REQUIRE(store->UpdateRun(record).has_value());
}

std::string Json(const Value& value) { return WriteJson(value, JsonStyle::kJavaScript); }
std::string JsonOf(const Value& value, std::string_view name) {
  const Value* found = value.Find(name);
  return found == nullptr ? "absent" : Json(*found);
}

}  // namespace

TEST_CASE("every value of a finished run comes from the store alone") {
  const TempFolder folder;
  StoreFinishedRun(folder.Path("store.db"));
  const std::unique_ptr<Store> store =
      OpenStore({.path = folder.Path("store.db"), .read_only = true}).value();
  const RunRecord record = store->FindRun("latest").value();
  Report report = Fold(*store, record).value();
  REQUIRE(AddStoredTables(record, report));
  REQUIRE(report.tables.size() == 1);
  CHECK(report.tables[0].rows.size() == 2);

  REQUIRE(record.cost);
  const Value run = RunMembers(report, {.record = record, .cost = *record.cost});
  CHECK(JsonOf(run, "run") == "\"r1\"");
  CHECK(JsonOf(run, "cost_usd") == "1.5");
  CHECK(JsonOf(run, "unpriced") == "2");
  CHECK(Json(*run.Find("variants")->AsList()[1].Find("mean")) == "0.5");

  const Value statistics = StatisticsValue(report, PassRule(), {}).value();
  CHECK(Json(*statistics.Find("ranking")->AsList()[0].Find("variant")) == "\"a\"");

  const Value cells = CellsValue(report, 1, {.only_failed = true}).value();
  REQUIRE(cells.AsList().size() == 1);
  CHECK(JsonOf(cells.AsList()[0], "answer") == "\"answer 11\"");
  CHECK(Json(*cells.AsList()[0].Find("points")->AsList()[0].Find("score")) == "0");
  CHECK(JsonOf(cells.AsList()[0], "trace") == "null");

  const std::vector<FailedPair> failed = FailedPairs(report, std::nullopt, PassRule()).value();
  const Value failures =
      FailuresValue(*report.suite, failed, [](const FailedPair&) { return std::string("again"); });
  REQUIRE(failures.AsList().size() == 1);
  CHECK(JsonOf(failures.AsList()[0], "case") == "\"second\"");
  CHECK(JsonOf(failures.AsList()[0], "command") == "\"again\"");

  const CaseScores scores = CaseScoresOf(report).value();
  const auto contender = [&](VariantIndex variant) {
    return Contender{.name = report.suite->variants[variant].id,
                     .suite = report.suite,
                     .scores = &scores,
                     .variant = variant};
  };
  ComparedWith question{.first = contender(0), .others = {contender(1)}, .comparisons = {}};
  question.comparisons = CompareWith(question.first, question.others, PairBy::kWholeCase);
  const Value comparison = ComparisonValue({.questions = std::span(&question, 1)});
  CHECK(Json(*comparison.Find("comparisons")->AsList()[0].Find("flips")->AsList()[0].Find("case")) ==
        "\"second\"");
}

TEST_CASE("a case tells where graders found what they looked for, and what its programs came to") {
  const TempFolder folder;
  StoreFinishedRun(folder.Path("store.db"));
  const std::unique_ptr<Store> store =
      OpenStore({.path = folder.Path("store.db"), .read_only = true}).value();
  const Report report = Fold(*store, store->FindRun("latest").value()).value();
  const Value page = CasePageValue(report, 0, {}).value();
  const auto point_of = [&page](std::size_t cell) -> const Value& {
    const Value& attempt = page.Find("cells")->AsList()[cell].Find("attempts")->AsList()[0];
    return attempt.Find("points")->AsList()[0];
  };
  CHECK(JsonOf(point_of(0), "spans") == "[[7,9]]");
  CHECK(JsonOf(point_of(0), "block") == R"({"rule":"bare","lines":[[1,1]],"text":"answer"})");
  const List& outputs = point_of(0).Find("outputs")->AsList();
  REQUIRE(outputs.size() == 1);
  CHECK(JsonOf(outputs[0], "exit") == "3");
  CHECK(JsonOf(outputs[0], "signal") == "null");
  CHECK(JsonOf(outputs[0], "ms") == "41.5");
  CHECK(JsonOf(outputs[0], "sandbox") == "\"ns\"");
  CHECK(JsonOf(outputs[0], "stderr") == "null");
  const std::string& printed = outputs[0].Find("stdout")->AsString();
  CHECK(printed.starts_with("ran\nxxx"));
  CHECK(printed.find("… 23620 bytes are left out …") != std::string::npos);
  CHECK(JsonOf(point_of(1), "outputs") == "[]");
}

}  // namespace assay
