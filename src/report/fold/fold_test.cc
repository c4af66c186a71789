// Tests of reading a run's cells by ranges and in pages, with and without columns; and of its summary, stored
// and computed.
#include "report/fold/fold.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "report/aggregate.h"
#include "report/decide/run_statistics.h"
#include "report/fold/stored_summary.h"
#include "spec/report/pair.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// A run in a store, whose cells were graded by hand.
class GradedRun {
 public:
  explicit GradedRun(Suite made_of) : suite(std::make_shared<const Suite>(std::move(made_of))) {
    std::string name = (std::filesystem::temp_directory_path() / "assay-fold-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    auto opened = OpenStore({.path = folder_ + "/store.db"});
    REQUIRE(opened.has_value());
    store = std::move(*opened);
    grid = CellGrid::Of(*suite).value();
    record.context.run_id = "r";
    record.cells = grid.count();
    REQUIRE(store->BeginRun(record).has_value());
  }
  ~GradedRun() { std::filesystem::remove_all(folder_); }
  GradedRun(const GradedRun&) = delete;
  GradedRun& operator=(const GradedRun&) = delete;

  // Grades all cells for which there is a record.
  void Grade(const std::function<std::optional<AttemptRecord>(const CellAddress&)>& record_of) {
    const auto columns_of = ColumnsIn(*suite);
    std::vector<CellResult> cells;
    for (CellIndex i = 0; i < grid.count(); ++i) {
      const std::optional<AttemptRecord> attempt = record_of(grid.At(i));
      if (!attempt) continue;
      cells.push_back({.cell = i,
                       .scores = EncodeScores(*attempt),
                       .steps = {},
                       .columns = columns_of(grid.At(i), *attempt)});
    }
    const SittingId sitting = store->BeginSitting("r", RunPart::kRun, 1, "t").value();
    REQUIRE(store->Commit(sitting, 1, {.cells = cells}).has_value());
  }
  Report Folded() const {
    Result<Report> report = Fold(*store, record, suite);
    REQUIRE(report.has_value());
    return std::move(report).value();
  }

  std::shared_ptr<const Suite> suite;
  CellGrid grid;
  std::unique_ptr<Store> store;
  RunRecord record;

 private:
  std::string folder_;
};

Suite SuiteOfSize(std::size_t cases, std::size_t variants, AttemptIndex attempts) {
  Suite suite;
  suite.aggregation.formula = "weighted-mean-best-path";
  suite.aggregation.reduce = "avg";
  suite.attempts = attempts;
  for (std::size_t v = 0; v < variants; ++v) {
    Variant& variant = suite.variants.emplace_back();
    variant.id = "v" + std::to_string(v);
  }
  for (std::size_t c = 0; c < cases; ++c) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = "c" + std::to_string(c);
    the_case.checks.resize(1);
    CheckNode leaf;
    leaf.op = CheckNode::Op::kLeaf;
    the_case.tree.children.push_back(leaf);
  }
  return suite;
}

// Many equal scores, some errors, verdicts that are missing and cells that were skipped.
std::optional<AttemptRecord> Mixed(const CellAddress& address) {
  const auto number = (address.case_index * 31 + address.variant * 7 + address.attempt * 3) % 29;
  AttemptRecord record;
  if (number == 0) return std::nullopt;
  if (number == 1) {
    record.transcript.error = "the service is down";
    return record;
  }
  record.scores.push_back(number == 2   ? Score::Missing("no verdict")
                          : number == 3 ? Score{}
                                        : Score::Of(static_cast<double>(number % 5) / 4));
  return record;
}

std::string TextOf(const CellAddress& at, const CellOutcome& outcome) {
  const double score = outcome.state == CellState::kScored ? outcome.value : outcome.partial.value_or(-1);
  return std::to_string(at.case_index) + "/" + std::to_string(at.variant) + "/" + std::to_string(at.attempt) +
         "=" + std::to_string(static_cast<int>(outcome.state)) + ":" + std::to_string(score) + " ";
}

std::string Walked(const Report& report, const CellRange& range, CellParts parts) {
  std::string text;
  CHECK(report
            .for_each_cell(range, parts,
                           [&text](const Cell& cell) {
                             text += TextOf({cell.case_index, cell.variant, cell.attempt},
                                            {cell.state, cell.score, cell.partial_score});
                             return Ok();
                           })
            .has_value());
  return text;
}

std::vector<CellRow> Found(const Report& report, const CellQuery& query) {
  std::vector<CellRow> rows;
  CHECK(report
            .find_cells(query,
                        [&rows](const CellRow& row) {
                          rows.push_back(row);
                          return Ok();
                        })
            .has_value());
  return rows;
}

std::string TextOf(const std::vector<CellRow>& rows) {
  std::string text;
  for (const CellRow& row : rows) text += TextOf(row.address, row.outcome);
  return text;
}

}  // namespace

TEST_CASE("a range holds its cases and variants, in either order") {
  Suite suite = SuiteOfSize(3, 3, 1);
  suite.cases[1].variants.edit() = {0, 2};
  suite.cases[2].attempts = 2;
  GradedRun run(std::move(suite));
  run.Grade([](const CellAddress& at) -> std::optional<AttemptRecord> {
    AttemptRecord record;
    record.scores.push_back(Score::Of(at.variant == 1 ? 0.5 : 1));
    if (at.case_index == 0 && at.variant == 2) return std::nullopt;
    return record;
  });
  const Report report = run.Folded();
  for (const CellParts parts : {CellParts::kOutcome, CellParts::kScores}) {
    CAPTURE(static_cast<int>(parts));
    CHECK(Walked(report, CellRange::All(), parts) ==
          "0/0/0=0:1.000000 0/1/0=0:0.500000 0/2/0=3:-1.000000 1/0/0=0:1.000000 1/2/0=0:1.000000 "
          "2/0/0=0:1.000000 2/0/1=0:1.000000 2/1/0=0:0.500000 2/1/1=0:0.500000 2/2/0=0:1.000000 "
          "2/2/1=0:1.000000 ");
    CHECK(Walked(report, {.order = CellRange::Order::kByVariant}, parts) ==
          "0/0/0=0:1.000000 1/0/0=0:1.000000 2/0/0=0:1.000000 2/0/1=0:1.000000 0/1/0=0:0.500000 "
          "2/1/0=0:0.500000 2/1/1=0:0.500000 0/2/0=3:-1.000000 1/2/0=0:1.000000 2/2/0=0:1.000000 "
          "2/2/1=0:1.000000 ");
    CHECK(Walked(report, CellRange::OfVariant(1), parts) ==
          "0/1/0=0:0.500000 2/1/0=0:0.500000 2/1/1=0:0.500000 ");
    CHECK(Walked(report, CellRange::OfPair(2, 1), parts) == "2/1/0=0:0.500000 2/1/1=0:0.500000 ");
    CHECK(Walked(report, CellRange::OfPair(1, 1), parts).empty());
    CHECK(Walked(report, {.first_case = 2, .first_variant = 1, .attempts = 1}, parts) ==
          "2/1/0=0:0.500000 2/2/0=0:1.000000 ");
    CHECK(Walked(report, {.first_case = 1, .attempts = 1, .order = CellRange::Order::kByVariant}, parts) ==
          "1/0/0=0:1.000000 2/0/0=0:1.000000 2/1/0=0:0.500000 1/2/0=0:1.000000 2/2/0=0:1.000000 ");
    CHECK(Walked(report, {.first_case = 1, .last_case = 9, .first_variant = 2, .last_variant = 9}, parts) ==
          "1/2/0=0:1.000000 2/2/0=0:1.000000 2/2/1=0:1.000000 ");
    CHECK(Walked(report, {.first_case = 7, .last_case = 9}, parts).empty());
  }
}

bool Matches(const CellQuery& query, const CellRow& row) {
  if (!query.cells.Has(row.address.case_index, row.address.variant)) return false;
  const CellState state = row.outcome.state;
  const bool is_wanted = query.states.empty() ||
                         std::find(query.states.begin(), query.states.end(), state) != query.states.end();
  return is_wanted && !(query.below && state == CellState::kScored && row.outcome.value >= *query.below);
}

// Where a row is in an order by score: its part of the order, then its place in that part.
struct ScoreKey {
  int part = 0;
  double score = 0;  // turned about where the order is
};
ScoreKey KeyOf(const CellQuery& query, const CellOutcome& outcome) {
  const double sign = query.order == CellQuery::Order::kHighestFirst ? -1 : 1;
  switch (outcome.state) {
    case CellState::kScored:
      return outcome.value == outcome.value ? ScoreKey{0, sign * outcome.value} : ScoreKey{1, 0};
    case CellState::kPartial:
      return outcome.partial ? ScoreKey{2, sign * *outcome.partial} : ScoreKey{3, 0};
    case CellState::kUnscored:
      return {4, 0};
    case CellState::kError:
      return {5, 0};
    case CellState::kSkipped:
      break;
  }
  return {6, 0};
}

bool StandsBefore(const CellQuery& query, const CellRow& a, const CellRow& b) {
  if (query.order == CellQuery::Order::kPlan) return a.cell < b.cell;
  const ScoreKey x = KeyOf(query, a.outcome);
  const ScoreKey y = KeyOf(query, b.outcome);
  if (x.part != y.part) return x.part < y.part;
  if (x.score != y.score) return x.score < y.score;
  const bool is_turned = query.order == CellQuery::Order::kHighestFirst && (x.part == 0 || x.part == 2);
  return is_turned ? a.cell > b.cell : a.cell < b.cell;
}

// Those of all graded cells that the query asks for, in its order: what pages are held against.
std::vector<CellRow> Sorted(const Report& report, const CellQuery& query) {
  const CellGrid grid = *CellGrid::Of(*report.suite);
  std::vector<CellRow> rows;
  const auto add = [&](const Cell& cell) {
    const CellAddress at{cell.case_index, cell.variant, cell.attempt};
    const CellRow row{
        .cell = grid.IndexOf(at), .address = at, .outcome = {cell.state, cell.score, cell.partial_score}};
    if (cell.state != CellState::kSkipped && Matches(query, row)) rows.push_back(row);
    return Ok();
  };
  REQUIRE(report.for_each_cell(CellRange::All(), CellParts::kOutcome, add).has_value());
  std::sort(rows.begin(), rows.end(),
            [&query](const CellRow& a, const CellRow& b) { return StandsBefore(query, a, b); });
  return rows;
}

TEST_CASE("pages of cells come in the order that is asked for") {
  GradedRun run(SuiteOfSize(80, 100, 3));
  run.Grade(Mixed);
  const Report report = run.Folded();
  CellQuery part{.cells = {.first_case = 3, .last_case = 5, .first_variant = 10, .last_variant = 90}};
  CellQuery whole{.cells = CellRange::All()};
  CellQuery failing{.cells = {.first_variant = 5, .last_variant = 50},
                    .states = {CellState::kScored, CellState::kError, CellState::kPartial},
                    .below = 0.5};
  for (CellQuery query : {part, whole, failing}) {
    for (const auto order :
         {CellQuery::Order::kPlan, CellQuery::Order::kLowestFirst, CellQuery::Order::kHighestFirst}) {
      query.order = order;
      query.after.reset();
      query.limit = CellQuery{}.limit;
      const std::vector<CellRow> all = Found(report, query);
      CHECK(all.size() > 90);
      CHECK(TextOf(all) == TextOf(Sorted(report, query)));
      // Page by page it is the same.
      std::vector<CellRow> paged;
      query.limit = all.size() / 5 + 1;
      for (std::vector<CellRow> page = Found(report, query); !page.empty(); page = Found(report, query)) {
        paged.insert(paged.end(), page.begin(), page.end());
        query.after = page.back().cell;
      }
      CHECK(TextOf(paged) == TextOf(all));
    }
  }
  const std::vector<CellRow> lowest = Found(report, {.order = CellQuery::Order::kLowestFirst, .limit = 10});
  REQUIRE(lowest.size() == 10);
  CHECK(std::all_of(lowest.begin(), lowest.end(), [](const CellRow& row) {
    return row.outcome.state == CellState::kScored && row.outcome.value == 0;
  }));
  CHECK(lowest[0].cell < lowest[9].cell);
  const std::vector<CellRow> highest = Found(report, {.order = CellQuery::Order::kHighestFirst, .limit = 10});
  REQUIRE(highest.size() == 10);
  CHECK(highest[0].outcome.value == 1);
  CHECK(highest[0].cell > highest[9].cell);
}

TEST_CASE("what a cell is to come after must have an outcome") {
  Suite suite = SuiteOfSize(1, 2, 1);
  suite.aggregation.formula = "weighted-mean-best-path-weval";  // NaN spreads
  GradedRun run(std::move(suite));
  run.Grade([](const CellAddress& at) -> std::optional<AttemptRecord> {
    AttemptRecord record;
    record.scores.push_back(Score::Of(std::nan("")));
    return at.variant == 0 ? std::optional(record) : std::nullopt;
  });
  const Report report = run.Folded();
  const std::vector<CellRow> rows = Found(report, {.below = 0.5, .order = CellQuery::Order::kLowestFirst});
  REQUIRE(rows.size() == 1);
  CHECK(std::isnan(rows[0].outcome.value));
  const Status missing = report.find_cells({.order = CellQuery::Order::kLowestFirst, .after = 1},
                                           [](const CellRow&) { return Ok(); });
  REQUIRE(!missing.has_value());
  CHECK(missing.error().code == ErrorCode::kNotFound);
}

TEST_CASE("a finished run is summed up once") {
  GradedRun run(SuiteOfSize(7, 5, 3));
  run.Grade(Mixed);
  const std::string summary = EncodeSummary(run.Folded());
  CHECK(summary.starts_with(R"({"v":2,"variants":[[21,)"));
  const std::vector<std::string> files = {"r/report.html", "\"quoted\".json"};
  CHECK(FilesOfSummary(EncodeSummary(run.Folded(), {}, files)) == files);
  CHECK(FilesOfSummary(summary).empty());
  CHECK(FilesOfSummary(R"({"files":[1,{}]})").empty());
  CHECK(FilesOfSummary(R"({"files":["/etc/passwd","../x","a/../../x","","a..b"]})") ==
        std::vector<std::string>{"a..b"});
  CHECK(FilesOfSummary("").empty());
  CHECK_FALSE(PassRateOfSummary(summary));
  Report with_statistics = run.Folded();
  with_statistics.statistics = StatisticsOf(with_statistics, PassRule()).value();
  const std::optional<double> rate = PassRateOfSummary(EncodeSummary(with_statistics));
  REQUIRE(rate);
  CHECK(*rate > 0);
  CHECK(*rate < 1);
  CHECK_FALSE(PassRateOfSummary(R"({"pass_rate":2})"));
  CHECK_FALSE(PassRateOfSummary(R"({"pass_rate":"1"})"));
  run.record.state = RunState::kFinished;
  run.record.summary = EncodeSummary(run.Folded(), {}, files);
  CHECK(EncodeSummary(run.Folded()) == summary);
  // It is the summary that is read, not the cells.
  run.Grade([](const CellAddress&) -> std::optional<AttemptRecord> {
    AttemptRecord record;
    record.scores.push_back(Score::Of(0));
    return record;
  });
  CHECK(EncodeSummary(run.Folded()) == summary);
  const Report folded = run.Folded();
  CHECK(folded.variants[0].scored + folded.variants[0].unscored + folded.variants[0].errors +
            folded.variants[0].skipped + folded.variants[0].partial ==
        21);
  // One of a run that goes on, or that no run of this suite can have, is not believed.
  run.record.state = RunState::kUnfinished;
  CHECK(EncodeSummary(run.Folded()) != summary);
  run.record.state = RunState::kFinished;
  for (const char* text :
       {"", "{", "[]", R"({"v":2})", R"({"v":3,"variants":[],"requests":0,"request_errors":0})",
        R"({"v":2,"variants":[],"requests":0,"request_errors":0})",
        R"({"v":2,"variants":[[21,22,0,0,0,-1,1],[21,21,0,0,0,0,1],[21,21,0,0,0,0,1],[21,21,0,0,0,0,1)"
        R"(],[21,21,0,0,0,0,1]],"requests":0,"request_errors":0})",
        R"({"v":2,"variants":[[99,99,0,0,0,0,1],[21,21,0,0,0,0,1],[21,21,0,0,0,0,1],[21,21,0,0,0,0,1])"
        R"(,[21,21,0,0,0,0,1]],"requests":0,"request_errors":0})",
        R"({"v":2,"variants":[[21,21,0,0,0,0,"x"],[21,21,0,0,0,0,1],[21,21,0,0,0,0,1],[21,21,0,0,0,0,)"
        R"(1],[21,21,0,0,0,0,1]],"requests":0,"request_errors":0})"}) {
    CAPTURE(text);
    run.record.summary = text;
    CHECK(run.Folded().variants[0].mean == 0);
  }
}

TEST_CASE("who reads scores trusts no outcome beside them, and refuses scores that do not fit") {
  const auto folded_of = [](std::size_t scores, double told) {
    GradedRun run(SuiteOfSize(1, 1, 1));
    AttemptRecord record;
    for (std::size_t i = 0; i < scores; ++i) record.scores.push_back(Score::Of(0.25));
    CellResult cell{.cell = 0, .scores = EncodeScores(record)};
    cell.columns = CellColumns{.outcome = {CellState::kScored, told}};
    const SittingId sitting = run.store->BeginSitting("r", RunPart::kRun, 1, "t").value();
    REQUIRE(run.store->Commit(sitting, 1, {.cells = std::span(&cell, 1)}).has_value());
    Result<Report> report = Fold(*run.store, run.record, run.suite);
    return report ? std::to_string(report->variants[0].mean) : report.error().message;
  };
  CHECK(folded_of(1, 0.25) == std::to_string(0.25));
  CHECK(folded_of(1, 1) == std::to_string(0.25));
  CHECK(folded_of(0, 1).find("do not fit") != std::string::npos);
  CHECK(folded_of(2, 1).find("do not fit") != std::string::npos);
}

TEST_CASE("a run is folded from the store alone, and only from its own suite") {
  GradedRun run(SuiteOfSize(2, 2, 1));
  run.Grade(Mixed);
  const Result<Report> without = Fold(*run.store, run.record);
  REQUIRE(!without.has_value());
  CHECK(without.error().code == ErrorCode::kCorrupt);
  const PackedSuite packed = PackSuite(*run.suite);
  REQUIRE(run.store->SaveSuite(packed).has_value());
  run.record.suite = packed.digest;
  const Result<Report> folded = Fold(*run.store, run.record);
  REQUIRE(folded.has_value());
  CHECK(EncodeSummary(*folded) == EncodeSummary(run.Folded()));
  run.record.cells = 5;
  CHECK(Fold(*run.store, run.record).error().code == ErrorCode::kCorrupt);
}

}  // namespace assay
