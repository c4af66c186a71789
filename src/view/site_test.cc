// Every endpoint over a small stored run, and who may ask.
#include "view/site.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "report/aggregate.h"
#include "report/fold/fold.h"
#include "report/fold/stored_summary.h"
#include "report/fold/stored_tables.h"
#include "spec/run/run_spec.h"
#include "spec/suite/suite.h"
#include "spec/turn/stored_transcript.h"
#include "tests/support/test_store.h"
#include "text/json/json.h"

namespace assay {

namespace {

using testing::MakeRun;
using testing::TempFolder;
using testing::TestSitting;

constexpr std::uint16_t kPort = 8123;
const std::string kLongText(200'000, 'x');
const std::string kMadeId = "hash-0a1b2c3d4e5f";  // of a case without an id of its own

Suite TwoModels(int cases = 8) {
  Suite suite;
  suite.id = "small";
  suite.title = "Small";
  suite.dialect = "blueprint";
  suite.aggregation.formula = "weighted-mean-best-path";
  suite.aggregation.reduce = "avg";
  suite.attempts = 2;
  for (const double temperature : {0.0, 0.8}) {
    for (const char* model : {"a", "b"}) {
      Variant& variant = suite.variants.emplace_back();
      variant.model_id = std::string("echo:") + model;
      variant.id = variant.model_id + (temperature == 0 ? "[temp:0]" : "[temp:0.8]");
      variant.model = model;
      variant.params.temperature = temperature;
    }
  }
  for (int i = 0; i < cases; ++i) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = i == 0 ? "with/slash & <b>" : i == 3 ? kMadeId : "case-" + std::to_string(i);
    the_case.turns.emplace_back().text = "Question " + std::to_string(i);
    Turn& answer = the_case.turns.emplace_back();
    answer.role = Role::kAssistant;
    answer.kind = TurnKind::kGenerate;
    the_case.tags.edit() = {i % 2 == 0 ? "even" : "odd"};
    Check& check = the_case.checks.emplace_back();
    check.kind = std::string(kJudgeKind);
    check.text = "Is right";
    CheckNode leaf;
    leaf.op = CheckNode::Op::kLeaf;
    the_case.tree.children.push_back(leaf);
  }
  return suite;
}

// "b" misses more; one attempt fails, and one says much.
AttemptRecord JudgedAttemptAt(const CellAddress& at) {
  AttemptRecord record;
  Transcript& said = record.transcript;
  if (at.case_index == 3 && at.variant == 0 && at.attempt == 0) {
    said.error = "no answer in 30 s";
    said.error_class = "timeout";
    return record;
  }
  said.answer = at.case_index == 1 ? kLongText : "**answer** " + std::to_string(at.case_index);
  said.generated_texts = {said.answer};
  const bool is_right = at.variant % 2 == 0 || (at.case_index == 2 && at.attempt == 0);
  Score score = Score::Of(is_right ? 1 : 0);
  score.evidence = {{.source = "j1", .value = is_right ? 1.0 : 0.0, .text = "Why."},
                    {.source = "j2", .value = 1, .text = "Not so.", .against = is_right ? 0u : 1u}};
  record.scores = {score};
  return record;
}

// How a run is made and what becomes of it.
struct RunShape {
  int cases = 8;
  CellIndex answered = 64;    // cells, from the first one on
  CellIndex failed = 0;       // of those, the last ones
  std::int64_t later_ms = 0;  // than other runs
  RunSpec spec = {};
  std::optional<RunEnding> ending = {};
};

void StoreRun(const std::string& path, const std::string& id, bool is_finished, const RunShape& shape = {}) {
  const Suite suite = TwoModels(shape.cases);
  const CellGrid grid = CellGrid::Of(suite).value();
  const std::unique_ptr<Store> store = OpenStore({.path = path}).value();
  const PackedSuite packed = PackSuite(suite);
  REQUIRE(store->SaveSuite(packed).has_value());
  RunRecord record = MakeRun(id);
  record.dialect = suite.dialect;
  record.title = suite.title;
  record.suite = packed.digest;
  record.cells = grid.count();
  record.context.started_ms += shape.later_ms;
  record.spec = EncodeRunSpec(shape.spec);
  record.ending = shape.ending;
  REQUIRE(store->BeginRun(record).has_value());
  std::vector<CellResult> cells;
  const auto columns_of = ColumnsIn(suite);
  const CellIndex answered = std::min(grid.count(), shape.answered);
  for (CellIndex i = 0; i < answered; ++i) {
    AttemptRecord attempt = JudgedAttemptAt(grid.At(i));
    if (i + shape.failed >= answered) {
      attempt = AttemptRecord();
      attempt.transcript.error = "no answer in 30 s";
    }
    cells.push_back({.cell = i,
                     .scores = EncodeScores(attempt),
                     .columns = columns_of(grid.At(i), attempt),
                     .transcript = EncodeTranscript(attempt.transcript)});
  }
  TestSitting(*store, id).Grade(cells);
  if (!is_finished) return;
  Report report = Fold(*store, record).value();
  record.state = RunState::kFinished;
  record.finished_ms = record.context.started_ms + 1'000;
  record.summary = EncodeSummary(report);
  record.tables = EncodeTables(report);
  record.cost = RunCost{.nano_usd = 1'500'000'000, .unpriced = 2};
  REQUIRE(store->UpdateRun(record).has_value());
}

// A server's mind without its sockets.
struct World {
  explicit World(bool is_finished = true) {
    const std::string path = folder.Path("store.db");
    StoreRun(path, "r0", true);
    StoreRun(path, "r1", is_finished, {.answered = is_finished ? 64u : 32u});
    std::vector<ViewedStore> stores;
    stores.push_back({.path = path, .store = OpenStore({.path = path, .read_only = true}).value()});
    library = std::make_unique<Library>(std::move(stores), ViewPowers(), clock);
    site = std::make_unique<Site>(*library, kPort);
    authorization = "Bearer " + Trade(site->token()).body;
    api = site->folder() + "api/1/";
  }

  ServedReply Send(std::string method, std::string target, std::string body = "",
                   std::vector<HttpHeader> more = {}) {
    ServedRequest request{.method = std::move(method),
                          .target = std::move(target),
                          .headers = {{"host", "127.0.0.1:8123"}},
                          .body = std::move(body)};
    if (request.method == "POST") request.headers.push_back({"origin", "http://127.0.0.1:8123"});
    request.headers.push_back({"authorization", authorization});
    for (HttpHeader& header : more) {
      std::erase_if(request.headers, [&](const HttpHeader& old) { return old.name == header.name; });
      if (!header.value.empty()) request.headers.push_back(std::move(header));
    }
    return site->Answer(request);
  }
  ServedReply Trade(std::string token, std::vector<HttpHeader> more = {}) {
    return Send("POST", site->folder() + "token", std::move(token), std::move(more));
  }
  ServedReply Ask(const std::string& path) { return Send("GET", api + path); }
  Value Json(const std::string& path) {
    const ServedReply reply = Ask(path);
    CAPTURE(reply.body);
    REQUIRE(reply.status == 200);
    return ParseJson(reply.body).value();
  }

  TempFolder folder;
  SystemClock clock;
  std::unique_ptr<Library> library;
  std::unique_ptr<Site> site;
  std::string authorization;  // of the pages
  std::string api;
};

// "a.0.b": members and places in lists.
const Value& At(const Value& value, std::string_view path) {
  const Value* at = &value;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    CAPTURE(name);
    if (at->is_list()) {
      const std::size_t index = std::stoul(std::string(name));
      REQUIRE(index < at->AsList().size());
      at = &at->AsList()[index];
    } else {
      at = at->Find(name);
      REQUIRE(at != nullptr);
    }
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return *at;
}
std::string TextAt(const Value& value, std::string_view path) {
  return WriteJson(At(value, path), JsonStyle::kJavaScript);
}

int ByteOf(const std::string& bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

std::string HeaderOf(const ServedReply& reply, std::string_view name) {
  for (const HttpHeader& header : reply.headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

}  // namespace

TEST_CASE("the list of runs tells what follows from each, and how a suite went") {
  World world;
  const Value runs = world.Json("runs");
  CHECK(TextAt(runs, "count") == "2");
  CHECK(TextAt(runs, "runs.0.state") == "\"finished\"");
  CHECK(TextAt(runs, "runs.0.cost_usd") == "1.5");
  CHECK(TextAt(runs, "runs.0.counts.errors") == "1");
  CHECK(TextAt(runs, "runs.0.leader.name") == "\"echo:a\"");
  CHECK(At(runs, "runs.0.sentence").AsString().starts_with("echo:a leads echo:b by"));
  CHECK(At(runs, "suites.0.runs").AsList().size() == 2);
  CHECK(TextAt(runs, "suites.0.step.verdict") == "\"tie\"");
  CHECK(TextAt(runs, "next") == "null");
  const Value first = world.Json("runs?limit=1");
  CHECK(At(first, "runs").AsList().size() == 1);
  const std::string next = At(first, "next").AsString();
  CHECK(At(world.Json("runs?limit=1&after=" + next), "runs").AsList().size() == 1);
  CHECK(world.Ask("runs?after=none").status == 404);
  CHECK(world.Ask("runs?limit=x").status == 400);
}

TEST_CASE("a run tells its verdict on two levels, ranks, effects, and whether it can be trusted") {
  World world;
  const Value run = world.Json("run/r1");
  CHECK(TextAt(run, "verdict.0.about") == "\"models\"");
  CHECK(At(run, "statistics.models").AsList().size() == 2);
  CHECK(TextAt(run, "statistics.models.1.rank") == "2");
  CHECK(TextAt(run, "statistics.models.1.to_leader.is_worse") == "true");
  CHECK(TextAt(run, "statistics.ranking.1.to_leader.is_worse") == "false");
  CHECK(TextAt(run, "statistics.pairs") == "6");
  CHECK(TextAt(run, "factors.0.short") == R"(["0","0.8"])");
  CHECK(TextAt(run, "variants.2.key") == "\"a~0.8\"");
  CHECK(At(run, "statistics.factors.0.by_model").AsList().size() == 2);
  CHECK(TextAt(run, "errors.0.message") == "\"no answer in 30 s\"");
  CHECK(TextAt(run, "hardest.0.mean") == "0.5");
  CHECK(TextAt(run, "titles") == fmt::format(R"({{"{}":"Question 3"}})", kMadeId));
  CHECK(TextAt(run, "tags.0.cases") == "4");
  CHECK(TextAt(run, "trust.0.ok") == "false");
  CHECK(TextAt(run, "trust.1.text") == "\"1 error\"");
  const std::string trust = TextAt(run, "trust");
  for (const char* words : {"graded in part", "2 answers now pass and now fail", "can show",
                            "were made by this user", "as the run of 14 Nov"})
    CHECK_MESSAGE(trust.find(words) != std::string::npos, words);
}

TEST_CASE("cells are a byte each, and honour ranges and tags") {
  World world;
  const std::string cells = world.Ask("run/r1/cells.bin").body;
  REQUIRE(cells.size() == 32);
  CHECK(ByteOf(cells, 0) == 200);
  CHECK(ByteOf(cells, 1) == 0);
  CHECK(ByteOf(cells, 2 * 4 + 1) == 100);
  CHECK(ByteOf(cells, 3 * 4) == 200);  // the other attempt is there
  const std::string bits = world.Ask("run/r1/cells.bin?layer=bits").body;
  CHECK(ByteOf(bits, 2 * 4 + 1) == kFlakyBit);
  CHECK(ByteOf(world.Ask("run/r1/cells.bin?layer=spread").body, 3 * 4) == 255);
  CHECK(world.Ask("run/r1/cells.bin?layer=ms").body.size() == 32);
  CHECK(world.Ask("run/r1/cells.bin?layer=other").status == 400);
  const ServedReply part = world.Send("GET", world.api + "run/r1/cells.bin", "", {{"range", "bytes=30-99"}});
  CHECK(part.status == 206);
  CHECK(part.body.size() == 2);
  CHECK(HeaderOf(part, "Content-Range") == "bytes 30-31/32");
  CHECK(world.Send("GET", world.api + "run/r1/cells.bin", "", {{"range", "bytes=32-"}}).status == 416);
  for (const char* odd :
       {"bytes= 0-1", "bytes=0 -1", "bytes=+0-1", "bytes=x-1", "bytes=0-x", "bytes=0-0,2-2"}) {
    CAPTURE(odd);
    const ServedReply whole = world.Send("GET", world.api + "run/r1/cells.bin", "", {{"range", odd}});
    CHECK(whole.status == 200);
    CHECK(whole.body.size() == 32);
  }
  const std::string tag = HeaderOf(world.Ask("run/r1"), "ETag");
  CHECK(world.Send("GET", world.api + "run/r1", "", {{"if-none-match", tag}}).status == 304);
}

TEST_CASE("cells that a run lacks are pending") {
  World world(false);
  const std::string cells = world.Ask("run/r1/cells.bin").body;
  CHECK(ByteOf(cells, 0) == 200);
  CHECK(ByteOf(cells, 31) == static_cast<int>(CellByte::kPending));
  const Value run = world.Json("run/r1");
  CHECK(TextAt(run, "done") == "32");
  CHECK(At(run, "notes.0.text").AsString().starts_with("The same command continues it"));
}

TEST_CASE("rows are the cases, and find looks at their words") {
  World world;
  const Value rows = world.Json("run/r1/rows?from=1&to=3");
  CHECK(At(rows, "rows").AsList().size() == 2);
  CHECK(TextAt(rows, "rows.0.title") == "\"Question 1\"");
  CHECK(world.Json("run/r1/rows?from=900").Find("rows")->AsList().empty());
  const auto found = [&world](const std::string& words) {
    const std::string bytes = world.Ask("run/r1/find?q=" + words).body;
    std::string rows_found;
    for (std::size_t i = 0; i < bytes.size(); i += 4) rows_found += std::to_string(ByteOf(bytes, i)) + " ";
    return rows_found;
  };
  CHECK(found("tag:odd") == "1 3 5 7 ");
  CHECK(found("QUESTION%207") == "7 ");
  CHECK(found("check:judge%20tag:even%20case-4") == "4 ");
  CHECK(found("answer:answer%20case-5") == "5 ");
  CHECK(found("check:other").empty());
}

TEST_CASE("a case tells every attempt, and what is long by its ends") {
  World world;
  const Value page = world.Json("run/r1/case/with%2Fslash%20%26%20%3Cb%3E?v=b~0.8&v=echo%3Aa%5Btemp%3A0%5D");
  REQUIRE(At(page, "cells").AsList().size() == 2);
  CHECK(TextAt(page, "case.next") == "\"case-1\"");
  CHECK(TextAt(page, "cells.0.attempts.0.turns.0.markdown") == R"([["p",["strong","answer"]," 0"]])");
  CHECK(TextAt(page, "cells.0.attempts.1.same_as") == "1");
  CHECK(TextAt(page, "cells.0.attempts.1.turns") == "null");
  CHECK(TextAt(page, "cells.1.attempts.0.points.0.flags") == R"(["votes_apart","against"])");
  CHECK(At(page, "sentence").AsString().starts_with("1 of 2 passes"));
  const Value failed = world.Json("run/r1/case/" + kMadeId);
  CHECK(TextAt(failed, "cells.0.attempts.0.error_class") == "\"timeout\"");
  CHECK(TextAt(failed, "cells.0.attempts.0.turns") == "null");
  const Value page_of_long = world.Json("run/r1/case/case-1");
  const Value& text = At(page_of_long, "cells.0.attempts.0.turns.0.text");
  CHECK(TextAt(text, "bytes") == "200000");
  const std::string rest = "text/" + At(text, "sha256").AsString() + "?run=r1&case=case-1&from=10&to=15";
  CHECK(world.Ask(rest).body == "xxxxx");
  CHECK(world.Ask("text/" + std::string(64, '0') + "?run=r1&case=case-1").status == 404);
  CHECK(world.Ask("text/../../etc/passwd?run=r1").status == 404);
  CHECK(world.Ask("run/r1/case/none").status == 404);
  CHECK(world.Ask("run/r1/case/case-1?v=none").status == 404);
}

TEST_CASE("judges, cost, comparisons and the board are told") {
  World world;
  const Value judges = world.Json("run/r1/judges");
  CHECK(TextAt(judges, "matrix.0.a") == "\"j1\"");
  CHECK(TextAt(judges, "against.0.reason") == "\"Not so.\"");
  CHECK(At(judges, "judges").AsList().size() == 2);
  const Value cost = world.Json("run/r1/cost");
  CHECK(TextAt(cost, "paid_usd") == "1.5");
  CHECK(At(cost, "variants").AsList().size() == 4);
  const Value pair = world.Json("compare?a=r1&va=a~0&vb=b~0");
  CHECK(TextAt(pair, "comparisons.0.verdict") == "\"leads\"");
  CHECK(At(pair, "pairs").AsList().size() == 8);
  CHECK(TextAt(pair, "pairs.1.flip") == "\"won\"");
  const Value runs = world.Json("compare?a=r1&b=r0");
  CHECK(TextAt(runs, "b.run") == "\"r0\"");
  CHECK(TextAt(runs, "gates.0.state") == "\"none\"");
  CHECK(world.Ask("compare?b=r1").status == 400);
  const Value board = world.Json("board/Small");
  CHECK(At(board, "ranking").AsList().size() == 4);
  CHECK(At(board, "ranking.0.history").AsList().size() == 2);
  CHECK(TextAt(board, "cases") == "8");
  CHECK(world.Ask("board/none").status == 404);
  CHECK(world.Ask("run/r1/doc/none").status == 404);
}

TEST_CASE("a run that was cut, or has fewer scores, displaces no whole one on the board") {
  // The latest run of each variant stood there, and its cases were the board's.
  RunSpec limited;
  limited.limit = 2;
  RunSpec filtered;
  filtered.filter = "case-*";
  const struct {
    RunShape shape;
    bool is_finished;
    std::string_view why;
  } kRows[] = {
      {{.cases = 2, .spec = limited}, true, "2 of 8 cases (--limit 2)"},
      {{.cases = 3, .spec = filtered}, true, "3 of 8 cases (--filter case-*)"},
      {{.answered = 24, .ending = RunEnding::kBudget}, false, "3 of 8 cases (stopped: budget)"},
      {{.answered = 32, .ending = RunEnding::kOutOfTime}, false, "4 of 8 cases (stopped: max-time)"},
      {{.failed = 16}, true, "6 of 8 cases (the others have no score)"},
      {{.failed = 60}, true, "1 of 8 cases (the others have no score)"},
  };
  for (const auto& row : kRows) {
    CAPTURE(row.why);
    World world;
    RunShape shape = row.shape;
    shape.later_ms = 60'000;
    StoreRun(world.folder.Path("store.db"), "r2", row.is_finished, shape);
    const Value board = world.Json("board/Small");
    CHECK(TextAt(board, "cases") == "8");
    REQUIRE(At(board, "ranking").AsList().size() == 4);
    for (const Value& place : At(board, "ranking").AsList()) {
      CHECK(TextAt(place, "run") != "\"r2\"");
      CHECK(TextAt(place, "cases") == "8");
    }
    REQUIRE(At(board, "below").AsList().size() == 4);
    CHECK(TextAt(board, "below.0.run") == "\"r2\"");
    CHECK(At(board, "below.0.why").AsString() == row.why);
  }
}

TEST_CASE("a run of every case is whole, whatever chose its cases") {
  World world;
  RunSpec limited;
  limited.limit = 8;
  StoreRun(world.folder.Path("store.db"), "r2", true, {.later_ms = 60'000, .spec = limited});
  const Value board = world.Json("board/Small");
  CHECK(TextAt(board, "ranking.0.run") == "\"r2\"");
  CHECK(At(board, "below").AsList().empty());
}

TEST_CASE("the means of a comparison are over the cases that both have") {
  // Beside "their means are equal" stood the means of other cases.
  World world;
  StoreRun(world.folder.Path("store.db"), "r2", true, {.cases = 3});
  const Value page = world.Json("compare?a=r2&b=r1&va=b~0");
  CHECK(TextAt(page, "a.mean") == TextAt(page, "b.mean"));
  CHECK(TextAt(page, "b.cases") == "3");
  CHECK(TextAt(page, "comparisons.0.mean_b") == TextAt(page, "b.mean"));
  CHECK(TextAt(page, "b.whole_cases") == "8");
  CHECK(TextAt(page, "b.whole_mean") == "0.0625");
}

TEST_CASE("events tell the cells of a run that came since a mark, then its end") {
  World world;
  const ServedReply reply = world.Ask("run/r1/events?n=0");
  CHECK(HeaderOf(reply, "Content-Type") == "text/event-stream");
  CHECK(world.Send("GET", world.api + "run/r1/events?n=0", "", {{"last-event-id", "x"}}).status == 400);
  const ServedReply later =
      world.Send("GET", world.api + "run/r1/events?n=0", "", {{"last-event-id", "999"}});
  REQUIRE(later.next);
  CHECK(later.next()->find("\"cells\":[]") != std::string::npos);
  REQUIRE(reply.next);
  const std::optional<std::string> line = reply.next();
  REQUIRE(line);
  CHECK(line->find("[0,0,2,200,") != std::string::npos);
  CHECK(line->find("\"done\":64") != std::string::npos);
  CHECK(line->ends_with("event: end\ndata: {}\n\n"));
  CHECK(!reply.next());
}

TEST_CASE("the list says whether anything got worse, and where nothing can be compared") {
  World once(false);
  CHECK(TextAt(once.Json("runs"), "sentence") == "\"No suite was run twice yet: nothing to compare.\"");
  World twice;
  CHECK(TextAt(twice.Json("runs"), "sentence") == "\"No suite got worse since its run before.\"");
}

TEST_CASE("a run goes on while somebody sits on it, whatever number the process has") {
  // The number in the lock was looked for among this machine's processes, and every unfinished run was told
  // to go on.
  World world(false);
  const auto is_live = [&world](const std::string& run) {
    return TextAt(world.Json("run/" + run), "is_live") == "true";
  };
  CHECK(!is_live("r1"));
  {
    const std::unique_ptr<Store> writer = OpenStore({.path = world.folder.Path("store.db")}).value();
    CHECK(is_live("r1"));
    CHECK(TextAt(world.Json("runs"), "sentence").starts_with("\"A run is in progress."));
    REQUIRE(writer->BeginRun(MakeRun("r2")).has_value());
    const TestSitting later(*writer, "r2");
    CHECK(!is_live("r1"));
  }
  CHECK(!is_live("r1"));
}

TEST_CASE("a number that could overflow where a length is added is refused") {
  World world;
  for (const std::string path :
       {"run/r1/doc/d?from=", "run/r1/doc/d?to=", "run/r1/rows?from=", "run/r1/events?n=", "runs?limit="}) {
    CAPTURE(path);
    for (const char* number : {"9007199254740992", "18446744073709551615", "18446744073709551616", "-1"})
      CHECK(world.Ask(path + number).status == 400);
    CHECK(world.Ask(path + "9007199254740991").status != 400);
  }
}

TEST_CASE("nobody else is answered") {
  World world;
  const auto status = [&world](std::vector<HttpHeader> headers, const std::string& path = "runs") {
    return world.Send("GET", world.api + path, "", std::move(headers)).status;
  };
  CHECK(status({}) == 200);
  CHECK(status({{"host", "evil.example:8123"}}) == 403);
  CHECK(status({{"host", "127.0.0.1:9"}}) == 403);
  CHECK(status({{"host", ""}}) == 403);
  CHECK(status({{"origin", "http://evil.example"}}) == 403);
  CHECK(status({{"origin", "http://127.0.0.1:8124"}}) == 403);
  CHECK(status({{"origin", "null"}}) == 403);
  CHECK(status({{"origin", "http://127.0.0.1:8123"}}) == 200);
  CHECK(status({{"sec-fetch-site", "cross-site"}}) == 403);
  CHECK(status({{"sec-fetch-site", "same-site"}}) == 403);
  CHECK(status({{"sec-fetch-site", "same-origin"}, {"sec-fetch-site", "cross-site"}}) == 403);
  CHECK(status({}, "run/r") == 404);
  CHECK(status({}, "run/%00") == 404);
  CHECK(status({}, "run/%ff") == 404);
  CHECK(status({}, "run/latest") == 404);
  CHECK(world.Send("GET", "/../CMakeLists.txt").status == 404);
  CHECK(world.Send("GET", world.site->folder() + "../CMakeLists.txt").status == 404);
  CHECK(world.Send("GET", "/api/2/runs").status == 404);
  CHECK(world.Send("PUT", world.api + "runs").status == 405);
  CHECK(world.Send("POST", world.api + "runs").status == 405);
}

TEST_CASE("the token is a header of the request, and nothing else opens the API") {
  // A cookie of 127.0.0.1 goes to the servers of all its ports, whoever runs them.
  World world;
  const std::string printed = world.site->token();
  const std::string kept = world.authorization.substr(7);
  CHECK(kept != printed);
  for (const auto& [path, token] :
       {std::pair(world.api + "runs", kept), std::pair(std::string("/api/1/runs"), printed)}) {
    CAPTURE(path);
    const auto status = [&world, &path = path](std::vector<HttpHeader> headers,
                                               const std::string& query = "") {
      return world.Send("GET", path + query, "", std::move(headers)).status;
    };
    CHECK(status({{"authorization", "bearer " + token}}) == 200);
    const std::string others[] = {"",
                                  "Bearer",
                                  "Bearer ",
                                  token,
                                  "Basic " + token,
                                  "Bearer " + std::string(64, '0'),
                                  "Bearer " + token + "0",
                                  "Bearer " + token.substr(1),
                                  "Bearer  " + token};
    for (const std::string& other : others) {
      CAPTURE(other);
      CHECK(status({{"authorization", other}}) == 403);
      for (const char* name : {"assay-view-8123", "assay-view", "token"})
        CHECK(status({{"authorization", other}, {"cookie", std::string(name) + "=" + token}}) == 403);
    }
    CHECK(status({{"authorization", ""}}, "?token=" + token) == 403);
  }
  const HttpHeader none{"authorization", ""};
  CHECK(world.Send("GET", world.site->folder(), "", {none}).status == 200);
  CHECK(world.Send("GET", world.site->folder() + "main.js", "", {none}).status == 200);
  const ServedReply traded = world.Trade(printed, {none});
  CHECK(traded.status == 200);
  CHECK(traded.body == kept);
  CHECK(HeaderOf(traded, "Set-Cookie").empty());
  CHECK(HeaderOf(world.Ask("run/r1"), "Cache-Control") ==
        "no-store");  // who has the port later reads no cache
}

TEST_CASE(
    "the token that browsers keep opens nothing outside the folder, and the printed one nothing in it") {
  // A page that a browser has kept of somebody else's server has the origin of the pages.
  World world;
  const std::string folder = world.site->folder();
  const std::string kept = world.authorization;
  const std::string printed = "Bearer " + world.site->token();
  const auto status = [&world](const std::string& path, const std::string& authorization,
                               const HttpHeader& more = {"accept", "*/*"}) {
    return world.Send("GET", path, "", {{"authorization", authorization}, more}).status;
  };
  CHECK(status("/api/1/runs", printed) == 200);
  CHECK(status("/api/1/run/r1/cells.bin", printed) == 200);
  for (const char* name : {"sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-ch-ua"})
    CHECK(status("/api/1/runs", printed, {name, "same-origin"}) == 403);
  CHECK(status("/api/1/runs", printed, {"origin", "http://127.0.0.1:8123"}) == 403);
  CHECK(status(folder + "api/1/runs", kept) == 200);
  CHECK(status(folder + "api/1/runs", printed) == 403);
  for (const std::string& before :
       {std::string(), std::string("/"), std::string("/0123456789abcdef"), folder, folder + "x",
        folder + "../" + folder.substr(1, 16), "/." + folder.substr(0, 17), folder.substr(0, 16)}) {
    CAPTURE(before);
    CHECK(status(before + "/api/1/runs", kept) == 403);
    if (!before.empty()) CHECK(status(before + "/api/1/runs", printed) == 403);
  }
  for (const char* path : {"/token", "/0123456789abcdef/token"})
    CHECK(world.Send("POST", path, world.site->token()).status == 405);
}

TEST_CASE("a token for once is traded once") {
  World world;
  CHECK(world.Trade("guess").status == 403);
  CHECK(world.Trade("").status == 403);
  CHECK(world.Trade(world.site->token(), {{"origin", ""}}).status == 403);
  CHECK(world.Trade(world.site->token(), {{"origin", "http://127.0.0.1:1"}}).status == 403);
  CHECK(world.Trade(world.authorization.substr(7)).status == 403);
  int taken = 0;
  const std::string once = world.site->AddTokenForOnce([&taken] { ++taken; });
  for (const std::string& path : {world.api + "runs", std::string("/api/1/runs")})
    CHECK(world.Send("GET", path, "", {{"authorization", "Bearer " + once}}).status == 403);
  CHECK(world.Trade(world.site->token()).status == 200);
  CHECK(taken == 0);
  CHECK("Bearer " + world.Trade(once).body == world.authorization);
  CHECK(taken == 1);
  CHECK(world.Trade(once).status == 403);
  CHECK(world.Trade("").status == 403);
}

TEST_CASE("links of other pages lead to the pages here, and to nothing else") {
  World world;
  const std::string folder = world.site->folder();
  const auto status = [&world](std::string target, std::string mode, std::string dest) {
    return world
        .Send("GET", std::move(target), "",
              {{"sec-fetch-site", "cross-site"}, {"sec-fetch-mode", mode}, {"sec-fetch-dest", dest}})
        .status;
  };
  CHECK(status("/", "navigate", "document") == 200);
  CHECK(status(folder, "navigate", "document") == 200);
  CHECK(status(folder, "navigate", "iframe") == 403);
  CHECK(status(folder + "main.js", "no-cors", "script") == 403);
  CHECK(status(world.api + "runs", "navigate", "document") == 403);
  CHECK(status(world.api + "runs", "cors", "empty") == 403);
  CHECK(status("/api/1/runs", "navigate", "document") == 403);
}

TEST_CASE("localhost, which may lead to another server on ::1, leads to the one origin of the pages") {
  World world;
  const HttpHeader localhost{"host", "localhost:8123"};
  const ServedReply reply = world.Send("GET", "//evil.example/?a", "", {localhost});
  CHECK(reply.status == 302);
  CHECK(HeaderOf(reply, "Location") == "http://127.0.0.1:8123//evil.example/?a");
  CHECK(world.Send("GET", world.api + "runs", "", {localhost}).status == 403);
  CHECK(world.Send("GET", "/api/1/runs", "", {localhost}).status == 403);
  CHECK(world.Trade(world.site->token(), {localhost, {"origin", "http://localhost:8123"}}).status == 403);
}

TEST_CASE("pages lie in a folder that is new for each server; no reply outside it contains its name") {
  World world;
  const std::string folder = world.site->folder();
  CHECK(folder.size() == 18);
  CHECK(folder != World().site->folder());
  CHECK(world.Send("GET", folder).body == world.Send("GET", folder + "index.html").body);
  CHECK(world.Send("GET", folder + "main.js").status == 200);
  CHECK(world.Send("GET", folder + "none").status == 404);
  const auto has_folder = [name = folder.substr(1, 16)](const ServedReply& reply) {
    std::string said = reply.body;
    for (const HttpHeader& header : reply.headers) said += header.name + header.value;
    return said.find(name) != std::string::npos;
  };
  for (const char* path :
       {"/", "//", "/?", "/index.html", "/main.js", "/none", "/token", "/favicon.ico", "/api/1/runs",
        "/0123456789abcdef", "/0123456789abcdef/", "/0123456789abcdef/main.js",
        "/0123456789abcdef/api/1/runs", "/0123456789abcdeg/", "/0123456789abcde/"}) {
    CAPTURE(path);
    for (const char* method : {"GET", "HEAD", "POST", "OPTIONS"}) {
      CHECK(!has_folder(world.Send(method, path)));
      CHECK(!has_folder(world.Send(method, path, "", {{"host", "localhost:8123"}})));
    }
  }
  for (const std::string& path : {folder.substr(0, 17), "/0123456789abcdef/" + folder.substr(1),
                                  std::string("/main.js"), std::string("/0123456789abcdef/")}) {
    CAPTURE(path);
    const ServedReply outside = world.Send("GET", path);
    CHECK(outside.status == 404);
    CHECK(outside.body == world.Send("GET", "/").body);
  }
  CHECK(world.Send("GET", "/").body.find("Open the address that <code>assay view</code> printed.") !=
        std::string::npos);
}

TEST_CASE("every reply has the policy that keeps texts from being more than texts") {
  World world;
  for (const std::string& target :
       {std::string("/"), world.site->folder(), world.site->folder() + "main.js", world.api + "runs",
        world.api + "none", std::string("/api/1/runs"), std::string("/none"), std::string("/favicon.ico")}) {
    CAPTURE(target);
    const ServedReply reply = world.Send("GET", target);
    const std::string policy = HeaderOf(reply, "Content-Security-Policy");
    CHECK(policy.starts_with("default-src 'none'; script-src 'self'"));
    CHECK(policy.find("require-trusted-types-for 'script'") != std::string::npos);
    CHECK(HeaderOf(reply, "X-Content-Type-Options") == "nosniff");
    CHECK(HeaderOf(reply, "Referrer-Policy") == "no-referrer");
    CHECK(HeaderOf(reply, "Cross-Origin-Resource-Policy") == "same-origin");
  }
}

}  // namespace assay
