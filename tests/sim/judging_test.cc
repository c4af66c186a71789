// Tests of judges whose replies cannot be read: asked once more, backed up, and never turned into a wrong
// score.
#include <doctest/doctest.h>

#include "checks/limits.h"
#include "run/forecast.h"
#include "spec/run/worker_state.h"
#include "spec/suite/suite.h"
#include "tests/sim/sim_run.h"
#include "tests/support/drive.h"

namespace assay::sim {

namespace {

constexpr const char* kGood = "<reflection>Fine.</reflection><classification>CLASS_MAJOR</classification>";
constexpr const char* kGarbage = "I cannot decide.";

// A verdict as a judge writes it that heeds the request for a code.
std::string WithCode(std::string verdict, const ModelRequest& request) {
  constexpr std::string_view kAsks = "write the code ";
  constexpr std::size_t kDigits = 16;
  const std::string& question = request.messages.back().text;
  const std::size_t asks = question.find(kAsks);
  const std::size_t end = verdict.find("</classification>");
  if (asks == std::string::npos || end == std::string::npos) return verdict;
  return verdict.insert(end, " " + question.substr(asks + kAsks.size(), kDigits));
}

// One judged check, two judges and a backup; counts who was asked how often.
struct Court {
  Suite suite = MakeSuite();
  std::map<std::string, int> asked;

  Court() {
    suite.cases.resize(1);
    suite.cases[0].checks = {suite.cases[0].checks[1]};
    suite.cases[0].tree = {};
    suite.cases[0].tree.children.resize(1);
    suite.cases[0].tree.children[0].op = CheckNode::Op::kLeaf;
  }

  // `says` gives the reply of a judge to its n-th request, from 1.
  using Says = std::function<std::string(const std::string& judge, int request)>;
  AttemptRecord SitAll(const Says& says) {
    Diagnostics diagnostics;
    const auto plan = Plan::Build(suite, {}, diagnostics);
    REQUIRE(plan != nullptr);
    WorkerState worker;
    return DriveCell(
        *plan, {},
        [&](const ModelRequest& request, const RequestTag& tag) -> Result<ModelReply> {
          ModelReply reply;
          reply.text = tag.role == RequestRole::kCandidate
                           ? "An answer."
                           : WithCode(says(request.model, ++asked[request.model]), request);
          return reply;
        },
        worker);
  }

  // Of the only check.
  Score Sit(const Says& says) {
    const AttemptRecord record = SitAll(says);
    REQUIRE(record.scores.size() == 1);
    return record.scores[0];
  }
};

}  // namespace

TEST_CASE("the cells that a forecast walks are spread over cases, variants and attempts alike") {
  const struct {
    CellIndex cells, sampled, variants;
  } rows[] = {{8'000, 2'000, 2}, {8'000, 2'000, 4}, {5'000, 2'000, 1'000},
              {2'001, 2'000, 3}, {7, 7, 7},         {100'000, 2'000, 50}};
  for (const auto& row : rows) {
    CAPTURE(row.cells);
    std::vector<std::uint64_t> of_variant(row.variants);
    std::vector<std::uint64_t> of_quarter(4);
    CellIndex before = 0;
    for (CellIndex i = 0; i < row.sampled; ++i) {
      const CellIndex cell = SampledCell(row.cells, row.sampled, i);
      CHECK((i == 0 || cell > before));
      CHECK(cell < row.cells);
      before = cell;
      ++of_variant[cell % row.variants];
      ++of_quarter[cell * 4 / row.cells];
    }
    const double share = static_cast<double>(row.sampled) / static_cast<double>(row.variants);
    for (const std::uint64_t count : of_variant)
      CHECK(std::abs(static_cast<double>(count) - share) <= 0.1 * share + 3);
    for (const std::uint64_t count : of_quarter)
      CHECK(std::abs(static_cast<double>(count) * 4 - static_cast<double>(row.sampled)) <= 8);
  }
}

TEST_CASE("a reply that cannot be read is asked for once more, and the second one counts") {
  Court court;
  const Score score =
      court.Sit([](const std::string&, int request) { return request == 1 ? kGarbage : kGood; });
  CHECK(score.state == ScoreState::kScored);
  CHECK(score.value == 0.75);
  CHECK(court.asked["strict"] == 2);
  CHECK(court.asked["kind"] == 2);
  CHECK(court.asked["backup"] == 0);
  REQUIRE(score.evidence.size() == 2);
  CHECK(score.evidence[0].repaired);
  CHECK(score.evidence[1].repaired);
}

TEST_CASE("a judge that stays silent is stood in for by the backup, once") {
  Court court;
  const Score score =
      court.Sit([](const std::string& judge, int) { return judge == "strict" ? kGarbage : kGood; });
  CHECK(score.state == ScoreState::kScored);
  CHECK(score.evidence.size() == 2);
  CHECK(court.asked["strict"] == 2);
  CHECK(court.asked["kind"] == 2);  // for the code, since the other one's vote was lost
  CHECK(court.asked["backup"] == 1);
}

TEST_CASE("where nobody can be understood there is no verdict and no score") {
  Court court;
  const Score score = court.Sit([](const std::string&, int) { return kGarbage; });
  CHECK(score.state == ScoreState::kMissing);
  CHECK(!score.error.empty());
  CHECK(score.evidence.empty());
}

TEST_CASE("key points are extracted, then judged like any other point") {
  Court court;
  court.suite.cases = {MakeSuite().cases.back()};
  const auto says = [](const std::string& who, int request) -> std::string {
    if (who == "extractor") return "There is nothing to list.";
    if (who == "second-extractor") return "<key_point>One</key_point><key_point>Two</key_point>";
    return who == "strict" && request < 3 ? kGarbage : kGood;
  };
  const AttemptRecord record = court.SitAll(says);
  CHECK(record.key_points == std::vector<std::string>{"One", "Two"});
  CHECK(record.grading_error.empty());
  REQUIRE(record.scores.size() == 2);
  // Each point had its first reply of the strict judge unread, and the second one counts.
  for (const Score& score : record.scores) {
    CHECK(score.state == ScoreState::kScored);
    REQUIRE(score.evidence.size() == 2);
    CHECK(score.evidence[0].repaired);
    CHECK(!score.evidence[1].repaired);
  }
  CHECK(court.asked["extractor"] == 1);
  CHECK(court.asked["second-extractor"] == 1);
  CHECK(court.asked["strict"] == 4);
  CHECK(court.asked["kind"] == 2);
  CHECK(court.asked["backup"] == 0);
}

TEST_CASE("the backup judges the key points of which a judge failed, and only those") {
  Court court;
  court.suite.cases = {MakeSuite().cases.back()};
  court.suite.judge_repairs = 0;
  court.suite.judge_reading = JudgeReading::kFirstTags;
  const AttemptRecord record = court.SitAll([](const std::string& who, int request) -> std::string {
    if (who == "extractor") return "<key_point>One</key_point><key_point>Two</key_point>";
    return who == "strict" && request == 2 ? kGarbage : kGood;
  });
  REQUIRE(record.scores.size() == 2);
  CHECK(court.asked["backup"] == 1);
  CHECK(record.scores[0].grader == "consensus(strict(echo:strict), kind(echo:kind))");
  CHECK(record.scores[1].grader == "consensus(kind(echo:kind), backup(echo:backup))");
}

TEST_CASE("where no model gives key points the answer is not graded, and says why") {
  Court court;
  court.suite.cases = {MakeSuite().cases.back()};
  const AttemptRecord record = court.SitAll([](const std::string&, int) { return kGarbage; });
  CHECK(record.scores.empty());
  CHECK(record.key_points.empty());
  CHECK(record.grading_error.find("echo:second-extractor") != std::string::npos);
  CHECK(court.asked["strict"] == 0);
}

// The backup and the second extractor were counted as calls of others, and whatever followed an unanswered
// step had to be known to the forecaster.
TEST_CASE("a forecast counts whom a step may ask, each by its own bound") {
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  const auto forecast = [](const Suite& suite) {
    Diagnostics diagnostics;
    const auto plan = Plan::Build(suite, {}, diagnostics);
    REQUIRE(plan != nullptr);
    Result<std::vector<ForecastLine>> lines = ForecastRun(*plan, Router(), nullptr, {});
    REQUIRE(lines.has_value());
    std::map<std::string, Range> ranges;
    for (const ForecastLine& line : *lines) ranges[line.kind.model] = {line.least, line.most};
    return ranges;
  };
  Court court;  // two variants, two attempts
  std::map<std::string, Range> ranges = forecast(court.suite);
  CHECK(ranges["a"] == Range(2, 2));
  CHECK(ranges["strict"] == Range(4, 12));
  CHECK(ranges["kind"] == Range(4, 12));
  CHECK(ranges["backup"] == Range(0, 8));
  CHECK(ranges["words"] == Range(4, 4));

  court.suite.cases = {MakeSuite().cases.back()};
  ranges = forecast(court.suite);
  constexpr std::uint64_t kCells = 4;
  constexpr std::uint64_t kAssumedPoints = 5;
  CHECK(ranges["extractor"] == Range(kCells, kCells));
  CHECK(ranges["second-extractor"] == Range(0, kCells));
  CHECK(ranges["strict"] == Range(kCells * kAssumedPoints, kCells * 3 * limits::kKeyPointsMax));
  CHECK(ranges["backup"] == Range(0, kCells * 2 * limits::kKeyPointsMax));
}

TEST_CASE("without repairs, as the original has it, the backup is asked at once") {
  Court court;
  court.suite.judge_repairs = 0;
  court.suite.judge_reading = JudgeReading::kFirstTags;
  court.Sit([](const std::string& judge, int request) {
    return judge == "kind" && request == 1 ? kGarbage : kGood;
  });
  CHECK(court.asked["kind"] == 1);
  CHECK(court.asked["backup"] == 1);
}

// The backup found the unreadable reply of its own model in the store and failed without having been asked.
TEST_CASE("a backup of the same model as the judge that failed is a request of its own") {
  Court court;
  court.suite.backup_judge->provider = court.suite.judges[1].provider;
  court.suite.backup_judge->model = court.suite.judges[1].model;
  Diagnostics diagnostics;
  const auto plan = Plan::Build(court.suite, {}, diagnostics);
  REQUIRE(plan != nullptr);
  WorkerState worker;
  std::map<std::string, std::string> kept;  // as a store keeps replies: by request
  const AttemptRecord record = DriveCell(
      *plan, {},
      [&](const ModelRequest& request, const RequestTag& tag) -> Result<ModelReply> {
        ModelReply reply;
        const bool fails = tag.role == RequestRole::kJudge && request.model == court.suite.judges[1].model;
        const std::string says = tag.role == RequestRole::kCandidate ? "An answer."
                                 : fails                             ? kGarbage
                                                                     : WithCode(kGood, request);
        reply.text = kept.emplace(CanonicalText(request), says).first->second;
        return reply;
      },
      worker);
  REQUIRE(record.scores.size() == 1);
  CHECK(record.scores[0].evidence.size() == 2);
  CHECK(record.scores[0].error.empty());
}

}  // namespace assay::sim
