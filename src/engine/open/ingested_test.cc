// Tests of building the corpus from a suite's files: which documents, in which order, with which titles, and
// what is said about missing ones.
#include "engine/open/ingested.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Time stands still.
class StillClock final : public Clock {
 public:
  TimePoint Now() const override { return {}; }
  std::int64_t WallMs() const override { return 0; }
  void Wait(Inbox&, TimePoint) override {}
};

// Files of one test, in a folder of their own.
class ScratchFolder {
 public:
  explicit ScratchFolder(std::string_view name)
      : path_(fs::temp_directory_path() / (std::string("assay-ingested-") + std::string(name))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~ScratchFolder() { fs::remove_all(path_); }
  CaseDocument Write(const std::string& id, const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return {.id = id,
            .title = "what the dataset calls it",
            .url = {},
            .path = (path_ / name).string(),
            .sha256 = Hex(Sha256Of(bytes))};
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

void AddProfile(std::string provider, Profile profile, Suite& suite) {
  Variant& variant = suite.variants.emplace_back();
  variant.id = "v" + std::to_string(suite.variants.size());
  variant.provider = std::move(provider);
  variant.model = "m";
  variant.profile = std::move(profile);
}

void AddCase(std::vector<CaseDocument> documents, Suite& suite) {
  Case& the_case = suite.cases.emplace_back();
  the_case.id = "c" + std::to_string(suite.cases.size());
  the_case.generator = "turn";
  the_case.turns = {{.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}};
  the_case.documents = std::move(documents);
}

Opening OpenAt(const ScratchFolder& folder, Suite suite) {
  suite.dialect = "research";
  Diagnostics diagnostics;
  Planned planned;
  RunSpec spec;
  spec.file = folder.path() + "/matrix.toml";
  planned.dialect = FindDialect("research");
  planned.plan = Plan::Build(std::move(suite), {}, diagnostics);
  REQUIRE(planned.plan != nullptr);
  DiskFileReader files;
  return OpenDocuments(planned, spec, {}, files, StillClock());
}

const Profile kAgent = {.id = "agent", .source_provider = "local_snapshot"};

TEST_CASE("documents of the cases that our agent is asked become the corpus, in order of first mention") {
  const ScratchFolder folder("order");
  const CaseDocument notes = folder.Write("notes", "irrigation.txt", "Valves close at 4 degrees.");
  const CaseDocument page = folder.Write("page", "safety.html", "<p>Gloves are red.</p>");
  const CaseDocument none = folder.Write("none", "none.md", " \n");
  CaseDocument changed = folder.Write("changed", "changed.txt", "of yesterday");
  changed.sha256.front() = changed.sha256.front() == 'a' ? 'b' : 'a';
  CaseDocument gone = folder.Write("gone", "gone.txt", "x");
  fs::remove(gone.path);
  CaseDocument outside = gone;
  outside.id = "outside";
  outside.path = "/etc/hostname";
  Suite suite;
  AddProfile("openai", kAgent, suite);
  AddCase({page, none}, suite);
  AddCase({notes, page, changed, gone, outside}, suite);
  Opening opening = OpenAt(folder, suite);
  CHECK(opening.plan == nullptr);  // nobody is asked
  REQUIRE(opening.documents.size() == 6);
  std::vector<std::string> warnings;
  const auto corpus = BuildCorpus({}, std::move(opening.documents), StillClock(), warnings);
  REQUIRE(corpus.has_value());
  REQUIRE((*corpus)->documents().size() == 2);
  CHECK((*corpus)->documents()[0].id == "page");
  CHECK((*corpus)->documents()[0].title == "safety.html");
  CHECK((*corpus)->documents()[1].title == "irrigation.txt");
  CHECK((*corpus)->vectors().size() == 2);
  CHECK((*corpus)->IngestionOf(1).characters == 26);
  const auto problem_has = [&](std::string_view id, std::string_view part) {
    const std::string* problem = (*corpus)->ProblemOf(id);
    return problem != nullptr && problem->find(part) != std::string::npos;
  };
  CHECK(problem_has("none", "without any"));
  CHECK(problem_has("changed", "SHA-256"));
  CHECK((*corpus)->ProblemOf("gone") != nullptr);
  CHECK(problem_has("outside", "--allow-path"));
  CHECK(warnings.size() == 4);
}

TEST_CASE("nobody reads documents for programs, bare prompts and other sources") {
  const ScratchFolder folder("nobody");
  const CaseDocument notes = folder.Write("notes", "a.txt", "x");
  Suite suite;
  AddProfile("exec", kAgent, suite);
  AddProfile("openai",
             {.id = "lean", .source_provider = "local_snapshot", .research_mode = false, .lean = true},
             suite);
  AddProfile("openai", {.id = "web", .source_provider = "live_web"}, suite);
  suite.variants.emplace_back(suite.variants.front()).provider = "openai";
  suite.variants.back().id = "problem";
  suite.variants.back().problem = "nobody knows the alias";
  AddCase({notes}, suite);
  CHECK(OpenAt(folder, suite).documents.empty());
  AddProfile("openai", kAgent, suite);
  suite.cases.front().variants.edit() = {0, 1};  // and ours is not asked this case
  CHECK(OpenAt(folder, suite).documents.empty());
  suite.cases.front().variants = {};
  CHECK(OpenAt(folder, suite).documents.size() == 1);
}

TEST_CASE("PDFs, and with an endpoint all documents, are asked for in a suite of their own") {
  const ScratchFolder folder("asking");
  Suite suite;
  AddProfile("openai", kAgent, suite);
  AddCase({folder.Write("a", "a.txt", "One."), folder.Write("b", "b.bin", "%PDF-1.4"),
           folder.Write("c", "c.bin", std::string("\0\1", 2))},
          suite);
  Opening opening = OpenAt(folder, suite);
  REQUIRE(opening.plan != nullptr);
  const Suite& programs = opening.plan->suite();
  REQUIRE(programs.cases.size() == 1);
  CHECK(programs.cases.front().id == "b");
  CHECK(programs.cases.front().generator == "ingest");
  REQUIRE(opening.plan->pools().size() == 1);
  CHECK(opening.plan->pools().front().name == "program");

  suite.corpus.embedder = "openai:e";
  Embedder& endpoint = suite.corpus.endpoint.emplace();
  endpoint.provider = "openai";
  endpoint.model = "e";
  opening = OpenAt(folder, suite);
  REQUIRE(opening.plan != nullptr);
  CHECK(opening.plan->suite().cases.size() == 2);
  CHECK(opening.plan->CellCount() == 2);
  const auto pools = opening.plan->pools();
  CHECK(
      std::any_of(pools.begin(), pools.end(), [](const Pool& pool) { return pool.name == "embed:openai"; }));
}

TEST_CASE("a look ahead has the corpus if all that the documents need is known, and leaves them else") {
  const ScratchFolder folder("ahead");
  Suite suite;
  AddProfile("openai", kAgent, suite);
  AddCase({folder.Write("a", "a.txt", "One.")}, suite);
  const auto whole = LookAhead({}, OpenAt(folder, suite), {}, StillClock());
  REQUIRE(whole.has_value());
  REQUIRE(whole->corpus != nullptr);
  CHECK(whole->corpus->documents().size() == 1);
  CHECK(whole->opening.documents.empty());  // they are in it
  CHECK(whole->answered_by.empty());

  AddCase({folder.Write("b", "b.bin", "%PDF-1.4")}, suite);
  Opening opening = OpenAt(folder, suite);
  opening.missing.clear();  // as where there is a program for it
  std::vector<std::vector<Exchange>> asked(1);
  const auto open = LookAhead({}, opening, asked, StillClock());
  REQUIRE(open.has_value());
  CHECK(open->corpus == nullptr);
  CHECK(open->opening.documents.size() == 2);

  Exchange& answer = asked.front().emplace_back();
  answer.id = 7;
  answer.error = Error{ErrorCode::kTimeout, "late"};
  const auto answered = LookAhead({}, opening, asked, StillClock());
  REQUIRE(answered.has_value());
  REQUIRE(answered->corpus != nullptr);
  CHECK(answered->corpus->ProblemOf("b") != nullptr);
  CHECK(answered->opening.documents.size() == 2);  // for a run that gets another answer
  CHECK(answered->answered_by == std::vector<std::vector<ExchangeId>>{{7}});
}

TEST_CASE("vectors of another size are no document's") {
  CorpusSettings settings{.embedder = "openai:e", .endpoint = Embedder{}};
  const auto opened = [](std::string id, std::vector<Vector> vectors) {
    Intake intake;
    intake.content.text = "One.";
    intake.vectors = std::move(vectors);
    return OpenedDocument{.document = {.id = id, .title = {}, .url = {}, .path = id + ".txt", .sha256 = {}},
                          .intake = std::move(intake)};
  };
  std::vector<std::string> warnings;
  std::vector<OpenedDocument> documents;
  documents.push_back(opened("a", {{1, 0}}));
  documents.push_back(opened("b", {{1, 0, 0}}));
  const auto corpus = BuildCorpus(settings, std::move(documents), StillClock(), warnings);
  REQUIRE(corpus.has_value());
  CHECK((*corpus)->documents().size() == 1);
  CHECK((*corpus)->vectors().dimensions() == 2);
  REQUIRE((*corpus)->ProblemOf("b") != nullptr);
  CHECK((*corpus)->ProblemOf("b")->find("3 numbers") != std::string::npos);
}

}  // namespace
}  // namespace assay
