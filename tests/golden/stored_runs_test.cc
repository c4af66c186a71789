// Tests that runs which an older assay stored stay the same when the code changes: each store of
// tests/data/stores is read with generators that this test hands in, which ask otherwise, and gives the same
// cells and files.
#include <doctest/doctest.h>
#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/files/file_reader.h"
#include "dialects/dialect.h"
#include "engine/write/closing.h"
#include "plan/answers/retelling.h"
#include "report/export.h"
#include "report/fold/fold.h"
#include "report/fold/stored_summary.h"
#include "spec/exchange/tool_calls.h"
#include "spec/suite/suite.h"
#include "store/sqlite/sqlite.h"
#include "tests/support/page_data.h"
#include "tests/support/sample_report.h"
#include "text/json/json.h"
#include "text/packed/zip.h"

namespace assay {
namespace {

// ---- turns of later versions of the agent ----

std::uint32_t ManyRequests(const Case&, const Variant&) { return 10'000; }

Action NextOfTable(const StepContext& context, std::span<const Exchange> so_far) {
  return GeneratorOf(context.TheCase(), context.TheVariant(), {})->next(context, so_far);
}

std::string WordsOfTable(const Variant& variant, const ModelReply& reply) {
  const GeneratorRow& row = *FindGenerator("turn", variant, {});
  return row.words_of == nullptr ? TextWithCalls(reply) : row.words_of(variant, reply);
}

// Asks in other words: whoever replays it is told of another query.
Action NextInOtherWords(const StepContext& context, std::span<const Exchange> so_far) {
  Suite suite = context.suite;
  Profile& profile = *suite.variants[context.variant_index].profile;
  profile.query_prefix = "Please!";
  return NextOfTable({.suite = suite,
                      .case_index = context.case_index,
                      .variant_index = context.variant_index,
                      .attempt = context.attempt,
                      .inputs = context.inputs,
                      .run = context.run,
                      .worker = context.worker},
                     so_far);
}

// Asks once more before it begins: every reply that is stored answers another request.
Action NextAfterOneMore(const StepContext& context, std::span<const Exchange> so_far) {
  if (so_far.empty()) return Need{{{.request = ModelRequest{context.TheVariant()}, .tag = {}}}};
  return NextOfTable(context, so_far.subspan(1));
}

// Is content with what it has after one request, and answers in its own words.
Action NextAtOnce(const StepContext&, std::span<const Exchange>) {
  Transcript said;
  said.answer = "It is as I say.";
  said.generated_texts = {said.answer};
  return Done{std::move(said)};
}

Action NextNeverCalled(const StepContext&, std::span<const Exchange>) {
  FAIL("nobody replays what another version made");
  return Need{};
}

constexpr GeneratorRow Turn(Action (*next)(const StepContext&, std::span<const Exchange>),
                            std::uint32_t version = 1) {
  return {.name = "turn",
          .version = version,
          .max_requests = ManyRequests,
          .max_rounds = 10'000,
          .next = next,
          .words_of = WordsOfTable};
}

struct LaterTurn {
  const char* name;
  GeneratorRow row;
};
constexpr LaterTurn kLaterTurns[] = {
    {"the same version in other words", Turn(NextInOtherWords)},
    {"the same version, one request more", Turn(NextAfterOneMore)},
    {"the same version, content with less", Turn(NextAtOnce)},
    {"another version", Turn(NextNeverCalled, 2)},
};

// ---- stores ----

// A store of tests/data/stores, unpacked; with or without the words of its attempts, which a generator need
// not store.
class OldStore {
 public:
  OldStore(const std::filesystem::path& packed, bool has_words) {
    std::string name = (std::filesystem::temp_directory_path() / "assay-stores-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    const std::string path = folder_ + "/store.db";
    const std::string bytes = DiskFileReader().Read(packed.string()).value();
    const ZipArchive archive = ZipArchive::Open(bytes, 1).value();
    std::ofstream(path, std::ios::binary) << archive.Read(archive.entries().front(), 64u << 20).value();
    if (!has_words) {
      auto database = SqliteDatabase::Open(path, SQLITE_OPEN_READWRITE);
      REQUIRE(database.has_value());
      REQUIRE(database->Execute("UPDATE score SET transcript = NULL").has_value());
    }
    auto opened = OpenStore({.path = path, .read_only = true});
    REQUIRE(opened.has_value());
    store = std::move(*opened);
  }
  ~OldStore() { std::filesystem::remove_all(folder_); }
  OldStore(const OldStore&) = delete;
  OldStore& operator=(const OldStore&) = delete;

  std::unique_ptr<Store> store;

 private:
  std::string folder_;
};

// What a run comes to: every file that is made of it, the scores that it is compared by, and its summary.
struct Shown {
  std::map<std::string, std::string> files;
  std::string scores;
  std::string summary;
  std::string closing;  // what a model said of the whole run
  bool is_part_told = false;
};

Shown ShownWith(Store& store, const RunRecord& run, std::span<const GeneratorRow> rows) {
  Result<Report> report = Fold(store, run, nullptr, RetellingOf(run.generators, rows));
  REQUIRE(report.has_value());
  const DialectRow* dialect = FindDialect(run.dialect);
  REQUIRE(dialect != nullptr);
  REQUIRE(AddDialectParts(store, run, ModelBook(), *report).has_value());
  testing::MemorySink sink;
  for (const ExportRow& row : ExportTable()) {
    const ExportAsk ask{.variant = row.of_one_variant ? std::optional<VariantIndex>(0) : std::nullopt};
    REQUIRE(Export(row, *report, ask, fmt::format("export/{}", row.name), sink).has_value());
  }
  REQUIRE(dialect->writer.write(*report, sink).has_value());
  Shown shown{.files = std::move(sink.files),
              .scores = {},
              .summary = EncodeSummary(*report),
              .closing = report->closing ? report->closing->text : std::string(),
              .is_part_told = *report->part_told};
  for (VariantIndex v = 0; v < report->suite->variants.size(); ++v) {
    for (CaseIndex c = 0; c < report->suite->cases.size(); ++c) {
      REQUIRE(report
                  ->for_each_cell(CellRange::OfPair(c, v), CellParts::kOutcome,
                                  [&shown](const Cell& cell) {
                                    shown.scores +=
                                        fmt::format("{} {};", static_cast<int>(cell.state), cell.score);
                                    return Ok();
                                  })
                  .has_value());
    }
  }
  return shown;
}

constexpr std::string_view kPartTold =
    "Another version of assay made some of the answers and stored no words of them";

// What tools gave is not stored by these versions: only the turn itself, replayed, tells it, and where it
// does not, the page says so.
void TakeOutResults(Value& value) {
  if (value.is_list()) {
    std::erase_if(value.AsList(), [](const Value& each) {
      const Value* text = each.is_map() ? each.Find("text") : nullptr;
      return text != nullptr && text->is_string() && text->AsString() == kPartTold;
    });
    for (Value& each : value.AsList()) TakeOutResults(each);
  }
  if (!value.is_map()) return;
  if (value.Find("tool") != nullptr) value.AsMap().Erase("result");
  for (Member& member : value.AsMap()) TakeOutResults(member.value);
}

// Whether two pages hold the same, but for what tools gave.
bool SamePages(const std::string& a, const std::string& b) {
  std::map<std::string, std::string> bodies = testing::PageBodies(a);
  const std::map<std::string, std::string> others = testing::PageBodies(b);
  if (bodies.size() != others.size()) return false;
  return std::all_of(bodies.begin(), bodies.end(), [&others](const auto& body) {
    const auto other = others.find(body.first);
    if (other == others.end()) return false;
    if (body.second == other->second) return true;
    Result<Value> mine = ParseJson(body.second);
    Result<Value> theirs = ParseJson(other->second);
    if (!mine || !theirs) return false;  // the bytes of cells
    TakeOutResults(*mine);
    TakeOutResults(*theirs);
    return SameValue(*mine, *theirs);
  });
}

Value OrNull(const Value* value) { return value == nullptr ? Value(Null{}) : *value; }

// The lines of an export of whole cells, as cells.json has them.
List CellsOf(const std::string& jsonl) {
  List cells;
  for (std::size_t at = 0; at < jsonl.size(); at = jsonl.find('\n', at) + 1) {
    const Value line = ParseJson(jsonl.substr(at, jsonl.find('\n', at) - at)).value();
    List points;
    for (const Value& point : line.Find("points")->AsList()) {
      const Value* votes = point.Find("votes");
      const std::size_t count = votes == nullptr ? 0 : votes->AsList().size();
      points.emplace_back(
          List{OrNull(point.Find("text")), OrNull(point.Find("score")), Value(static_cast<double>(count))});
    }
    List cell;
    for (const char* name : {"case", "variant", "attempt", "state", "score", "answer"})
      cell.push_back(OrNull(line.Find(name)));
    cell.emplace_back(std::move(points));
    cells.emplace_back(std::move(cell));
  }
  return cells;
}

void CheckRun(Store& store, const RunRecord& run, bool has_words, const Value& want) {
  const Shown today = ShownWith(store, run, {});
  const bool is_part_told = run.dialect == "research" && !has_words;
  CHECK(!today.is_part_told);
  CHECK(SameValue(Value(CellsOf(today.files.at("export/jsonl"))), want));
  CHECK(today.closing.empty() == (run.source.find("--require-executive-summary") == std::string::npos));
  for (const LaterTurn& later : kLaterTurns) {
    CAPTURE(std::string(later.name));
    const Shown shown = ShownWith(store, run, std::span(&later.row, 1));
    CHECK(SameValue(Value(CellsOf(shown.files.at("export/jsonl"))), want));
    CHECK(shown.scores == today.scores);
    CHECK(shown.summary == today.summary);
    CHECK(shown.closing == today.closing);
    for (const auto& [name, text] : today.files) {
      CAPTURE(name);
      const std::string& later_text = shown.files.at(name);
      const bool has_results = name == "export/html" && run.dialect == "research";
      const bool is_same = later_text == text || (has_results && SamePages(text, later_text));
      CHECK(is_same);
    }
    CHECK(shown.is_part_told == is_part_told);
    const bool says_so =
        testing::PageText(shown.files.at("export/html")).find(kPartTold) != std::string::npos;
    CHECK(says_so == is_part_told);
  }
}

}  // namespace

TEST_CASE("stored runs are what they were, whatever later generators ask") {
  const std::filesystem::path folder = "tests/data/stores";
  const Value wanted = ParseJson(DiskFileReader().Read((folder / "cells.json").string()).value()).value();
  std::size_t runs = 0;
  for (const Member& store : wanted.AsMap()) {
    CAPTURE(store.key);
    for (const bool has_words : {true, false}) {
      CAPTURE(has_words);
      const OldStore old(folder / (store.key + ".db.zip"), has_words);
      const std::vector<RunRecord> records = old.store->Runs().value();
      CHECK(records.size() == store.value.AsMap().size());
      for (const RunRecord& run : records) {
        CAPTURE(run.context.run_id);
        const Value* want = store.value.Find(run.context.run_id);
        REQUIRE(want != nullptr);
        CheckRun(*old.store, run, has_words, *want);
        ++runs;
      }
    }
  }
  CHECK(runs >= 10);
}

}  // namespace assay
