// Judges that cannot be understood: asked once more, backed up, and never turned into a wrong score.
#include <doctest/doctest.h>

#include "spec/worker_state.h"
#include "tests/sim/sim_run.h"
#include "tests/support/drive.h"

namespace assay::sim {

namespace {

constexpr const char* kGood = "<reflection>Fine.</reflection><classification>CLASS_MAJOR</classification>";
constexpr const char* kGarbage = "I cannot decide.";

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
  Score Sit(const std::function<std::string(const std::string& judge, int request)>& says) {
    Diagnostics diagnostics;
    const auto plan = Plan::Build(suite, {}, diagnostics);
    REQUIRE(plan != nullptr);
    WorkerState worker;
    const AttemptRecord record = DriveCell(
        *plan, {},
        [&](const ModelRequest& request, const RequestTag& tag) -> Result<ModelReply> {
          ModelReply reply;
          reply.text = tag.role == RequestRole::kCandidate ? "An answer."
                                                           : says(request.model, ++asked[request.model]);
          return reply;
        },
        worker);
    REQUIRE(record.scores.size() == 1);
    return record.scores[0];
  }
};

}  // namespace

TEST_CASE("a reply that cannot be read is asked for once more, and the second one counts") {
  Court court;
  const Score score =
      court.Sit([](const std::string&, int request) { return request == 1 ? kGarbage : kGood; });
  CHECK(score.state == ScoreState::kScored);
  CHECK(score.value == 0.75);
  CHECK(court.asked["strict"] == 2);
  CHECK(court.asked["kind"] == 2);
  CHECK(court.asked["backup"] == 0);
}

TEST_CASE("a judge that stays silent is stood in for by the backup, once") {
  Court court;
  const Score score =
      court.Sit([](const std::string& judge, int) { return judge == "strict" ? kGarbage : kGood; });
  CHECK(score.state == ScoreState::kScored);
  CHECK(score.evidence.size() == 2);
  CHECK(court.asked["strict"] == 2);
  CHECK(court.asked["backup"] == 1);
}

TEST_CASE("where nobody can be understood there is an error, not a score") {
  Court court;
  const Score score = court.Sit([](const std::string&, int) { return kGarbage; });
  CHECK(score.state == ScoreState::kError);
  CHECK(!score.error.empty());
  CHECK(score.evidence.empty());
}

TEST_CASE("without repairs, as the original has it, the backup is asked at once") {
  Court court;
  court.suite.judge_repairs = 0;
  court.Sit([](const std::string& judge, int request) {
    return judge == "kind" && request == 1 ? kGarbage : kGood;
  });
  CHECK(court.asked["kind"] == 1);
  CHECK(court.asked["backup"] == 1);
}

}  // namespace assay::sim
