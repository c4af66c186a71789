// Tests of copies of runs, between stores of either kind.
#include "store/copy/copy_run.h"

#include <doctest/doctest.h>

#include <optional>

#include "spec/suite/case.h"
#include "spec/suite/media.h"
#include "store/packed/packed_request.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_store.h"

namespace assay {
namespace {

using testing::Answered;
using testing::MakeRun;
using testing::PostgresServer;
using testing::TempFolder;
using testing::TestSitting;
using testing::TextOf;

std::unique_ptr<Store> OpenCopyStore(const std::string& path) {
  auto opened = OpenStore({.path = path});
  REQUIRE(opened.has_value());
  return *std::move(opened);
}

double OneEach(const Case&) { return 1; }

// "" if it was copied.
std::string CopyOf(RunCopier& copier, const RunRecord& run) {
  const Status copied = copier.Copy(run);
  return copied ? std::string() : copied.error().message;
}

std::string AnswerIn(Store& store, std::string_view question, std::uint32_t epoch) {
  const Digest key = Sha256Of(question);
  auto found = store.Find(std::span(&key, 1), {epoch, epoch});
  REQUIRE(found.has_value());
  return TextOf(found->front());
}

// The answers that the cells of a run used, in their order.
std::vector<std::string> AnswersOfRun(Store& store, const std::string& run) {
  std::vector<std::string> answers;
  const Status visited = store.VisitAnswered(run, RunPart::kRun, kEveryCell, nullptr,
                                             [&](const CellResult& cell, std::span<Exchange> exchanges) {
                                               for (const Exchange& each : exchanges)
                                                 answers.push_back(TextOf(each) + " " + cell.scores);
                                               return Ok();
                                             });
  REQUIRE(visited.has_value());
  return answers;
}

CellResult Graded(CellIndex cell, std::vector<ExchangeId> ids) {
  return {
      .cell = cell,
      .scores = R"({"v":1,"scores":[]})",
      .steps = {{.kind = LinkKind::kAnswer, .exchanges = std::move(ids)}},
      .columns = CellColumns{.variant = 0, .attempt = 0, .outcome = {CellState::kScored, 0.5}, .weight = 1}};
}

// A run of three answers: one plain, one that is set aside since, one that failed.
void Fill(Store& store) {
  RunRecord run = MakeRun("r1");
  run.epoch = 1;
  run.requests_sent = 3;
  REQUIRE(store.BeginRun(run).has_value());
  TestSitting sitting(store, "r1");
  Exchange plain = Answered("plain", "here", 1);
  plain.raw = "as it came";
  const std::string bytes = "bytes of a picture";
  auto blob = std::make_shared<Blob>();
  blob->sha256 = Hex(Sha256Of(bytes));
  blob->bytes = bytes;
  MediaPart& part = plain.media.emplace_back();
  part.type = "image/png";
  part.sha256 = blob->sha256;
  part.blob = blob;
  Exchange failed = Answered("failed", "", 1);
  failed.error = Error{ErrorCode::kTimeout, "slow"};
  const std::vector<Exchange> kept = sitting.Keep({plain, Answered("aside", "no more", 1), failed});
  REQUIRE(store.SetAside(std::vector<ExchangeId>{kept[1].id}).has_value());
  sitting.Grade({Graded(0, {kept[0].id}), Graded(3, {kept[1].id, kept[2].id})});
  run.state = RunState::kFinished;
  run.mean_score = 0.5;
  run.said = "said of files of another place";
  REQUIRE(store.UpdateRun(run).has_value());
}

struct Locations {
  const char* what;
  std::optional<std::string> from;
  std::optional<std::string> to;
};

std::vector<Locations> AllKinds(const TempFolder& folder) {
  PostgresServer* server = PostgresServer::Get();
  const auto database = [server] { return server ? std::optional(server->NewDatabase()) : std::nullopt; };
  return {{"file to file", folder.Path("a.db"), folder.Path("b.db")},
          {"file to server", folder.Path("c.db"), database()},
          {"server to file", database(), folder.Path("d.db")},
          {"server to server", database(), database()}};
}

TEST_CASE("a copy of a run is the run, in stores of either kind") {
  const TempFolder folder;
  for (const Locations& kinds : AllKinds(folder)) {
    CAPTURE(kinds.what);
    if (!kinds.from || !kinds.to) continue;
    const auto from = OpenCopyStore(*kinds.from);
    const auto to = OpenCopyStore(*kinds.to);
    Fill(*from);
    // The other store has answered one of them in its own way.
    REQUIRE(to->BeginRun(MakeRun("own")).has_value());
    TestSitting(*to, "own").Keep({Answered("plain", "there", 1), Answered("other", "x", 1)});

    RunCopier copier(*from, *to, OneEach, 5'000);
    const RunRecord run = from->FindRun("r1").value();
    REQUIRE(CopyOf(copier, run) == "");
    CHECK(copier.counts().runs == 1);
    CHECK(copier.counts().exchanges == 3);
    CHECK(copier.counts().cells == 2);

    const RunRecord copied = to->FindRun("r1").value();
    CHECK(copied.state == RunState::kFinished);
    CHECK(copied.mean_score == 0.5);
    CHECK(copied.requests_sent == 3);
    CHECK(copied.said.empty());
    CHECK(copied.context.started_ms == run.context.started_ms);
    // Its cells show what they were graded on; the other store answers as before.
    CHECK(AnswersOfRun(*to, "r1") == AnswersOfRun(*from, "r1"));
    CHECK(AnswerIn(*to, "plain", 1) == "there");
    CHECK(AnswerIn(*to, "aside", 1) == "-");
    CHECK(AnswerIn(*to, "other", 1) == "x");
    const std::vector<ExchangeId> used = to->ExchangesOf("r1", RunPart::kRun).value();
    CHECK(used.size() == 3);
    CHECK(to->CountRequests("r1", RunPart::kRun)->errors == 1);
    std::vector<Exchange> whole = to->Get(used).value();
    REQUIRE(to->Complete(whole).has_value());
    std::size_t with_media = 0;
    for (const Exchange& each : whole) {
      CHECK_FALSE(each.request.empty());
      if (each.media.empty()) continue;
      ++with_media;
      CHECK(each.raw == "as it came");
      CHECK(each.media.front().type == "image/png");
      CHECK(each.media.front().blob->bytes == "bytes of a picture");
    }
    CHECK(with_media == 1);

    // Again: nothing is there twice.
    RunCopier again(*from, *to, OneEach, 6'000);
    REQUIRE(CopyOf(again, run) == "");
    CHECK(again.counts().runs_there == 1);
    CHECK(again.counts().exchanges == 0);
  }
}

TEST_CASE("an unfinished copy gets what it lacks, and no answer twice") {
  const TempFolder folder;
  const auto from = OpenCopyStore(folder.Path("a.db"));
  const auto to = OpenCopyStore(folder.Path("b.db"));
  REQUIRE(from->BeginRun(MakeRun("r1")).has_value());
  TestSitting sitting(*from, "r1");
  const std::vector<Exchange> first = sitting.Keep({Answered("one", "a", 0)});
  sitting.Grade({Graded(0, {first[0].id})});
  RunCopier before(*from, *to, OneEach, 1);
  REQUIRE(CopyOf(before, from->FindRun("r1").value()) == "");
  CHECK(to->FindRun("r1")->state == RunState::kUnfinished);
  const std::vector<Exchange> second = sitting.Keep({Answered("two", "b", 0)});
  sitting.Grade({Graded(1, {second[0].id})});
  RunCopier copier(*from, *to, OneEach, 2);
  REQUIRE(CopyOf(copier, from->FindRun("r1").value()) == "");
  CHECK(copier.counts().exchanges == 1);
  CHECK(copier.counts().exchanges_there == 1);
  CHECK(AnswersOfRun(*to, "r1") == AnswersOfRun(*from, "r1"));
}

TEST_CASE("long requests are copied a few at a time") {
  const TempFolder folder;
  for (const Locations& kinds : AllKinds(folder)) {
    CAPTURE(kinds.what);
    if (!kinds.from || !kinds.to) continue;
    const auto from = OpenCopyStore(*kinds.from);
    const auto to = OpenCopyStore(*kinds.to);
    REQUIRE(from->BeginRun(MakeRun("r1")).has_value());
    std::vector<Exchange> asked;
    for (const char* name : {"one", "two", "three", "four", "five"}) {
      asked.push_back(Answered(name, "a", 0));
      asked.back().request = std::string(kCompletedBytesMax / 3, ' ');
    }
    TestSitting sitting(*from, "r1");
    std::vector<Exchange> kept = sitting.Keep(std::move(asked));
    std::vector<ExchangeId> ids;
    for (const Exchange& each : kept) ids.push_back(each.id);
    sitting.Grade({Graded(0, std::move(ids))});
    CHECK(from->Complete(kept).error().code == ErrorCode::kLimit);
    REQUIRE(from->Complete(std::span(kept).first(1)).has_value());
    RunCopier copier(*from, *to, OneEach, 1);
    REQUIRE(CopyOf(copier, from->FindRun("r1").value()) == "");
    CHECK(copier.counts().exchanges == 5);
    std::size_t bytes = 0;
    const std::vector<ExchangeId> used = to->ExchangesOf("r1", RunPart::kRun).value();
    for (const ExchangeId id : used) bytes += to->RequestOf(id).value().size();
    CHECK(bytes == 5 * (kCompletedBytesMax / 3));
  }
}

TEST_CASE("a run that has another's cells brings that one along") {
  const TempFolder folder;
  const auto from = OpenCopyStore(folder.Path("a.db"));
  const auto to = OpenCopyStore(folder.Path("b.db"));
  Fill(*from);
  RunRecord repeat = MakeRun("r2");
  repeat.cells_of = from->FindRun("r1")->number;
  REQUIRE(from->BeginRun(repeat).has_value());
  RunCopier copier(*from, *to, OneEach, 1);
  REQUIRE(CopyOf(copier, from->FindRun("r2").value()) == "");
  CHECK(copier.counts().runs == 2);
  CHECK(AnswersOfRun(*to, "r2") == AnswersOfRun(*from, "r1"));
}

TEST_CASE("a run that is kept there is named, and so is one that has its cells") {
  const TempFolder folder;
  for (const Locations& kinds : AllKinds(folder)) {
    CAPTURE(kinds.what);
    if (!kinds.from || !kinds.to) continue;
    const auto from = OpenCopyStore(*kinds.from);
    const auto to = OpenCopyStore(*kinds.to);
    Fill(*from);
    RunRecord repeat = MakeRun("r2");
    repeat.cells_of = from->FindRun("r1")->number;
    REQUIRE(from->BeginRun(repeat).has_value());
    REQUIRE(to->BeginRun(MakeRun("r1")).has_value());
    const auto is_kept = [](const RunRecord& here, const RunRecord& there) {
      return here.state == RunState::kFinished && there.state == RunState::kUnfinished;
    };
    RunCopier copier(*from, *to, OneEach, 1, is_kept);
    for (const char* id : {"r2", "r1"}) REQUIRE(CopyOf(copier, from->FindRun(id).value()) == "");
    CHECK(copier.kept() == std::vector<std::string>{"r2", "r1"});
    CHECK(copier.counts().runs == 0);
    CHECK(to->Runs()->size() == 1);
    CHECK(to->FindRun("r1")->state == RunState::kUnfinished);
    CHECK(AnswersOfRun(*to, "r1").empty());
  }
}

}  // namespace
}  // namespace assay
