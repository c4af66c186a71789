// Tests of who made a store, by what the state folder remembers of the file and by what lies beside it.
#include "engine/state/known_stores.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <random>

#include "base/files/file_reader.h"
#include "base/hash.h"
#include "engine/run/gate_rules.h"
#include "engine/state/live_note.h"

namespace assay {

namespace {

namespace fs = std::filesystem;

// A folder, and a state folder in it.
class OwnWorld {
 public:
  OwnWorld() {
    std::string name = (fs::temp_directory_path() / "assay-known-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
    setenv("XDG_STATE_HOME", (path_ / "state").c_str(), 1);
  }
  ~OwnWorld() {
    unsetenv("XDG_STATE_HOME");
    fs::remove_all(path_);
  }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

Exchange OneReply() {
  Exchange exchange;
  exchange.request = "{}";
  ModelReply& reply = exchange.reply.emplace<ModelReply>();
  reply.text = "yes";
  return exchange;
}

void AddReply(Store& store) {
  RunRecord run;
  run.context.run_id = "r" + std::to_string(store.Ends().value().run);
  REQUIRE(store.BeginRun(run));
  const auto sitting = store.BeginSitting(run.context.run_id, RunPart::kRun, 1, "t");
  REQUIRE(sitting);
  REQUIRE(store.Commit(*sitting, 1, {.exchanges = {OneReply()}}));
}

// What of the store at this path was made elsewhere, as a reader sees it.
StoreOrigin Seen(const std::string& path) {
  const auto store = OpenStore({.path = path, .read_only = true});
  REQUIRE(store);
  const auto origin = OriginOf(**store, path);
  REQUIRE(origin);
  return *origin;
}

// Why anything of the store at this path counts as made elsewhere, without a look into it.
std::string WhyForeign(const std::string& path) {
  const std::string any = fs::path(path).parent_path() / "any.db";
  const auto store = OpenStore({.path = any});
  REQUIRE(store);
  if ((*store)->Ends().value().run == 0) AddReply(**store);
  const auto origin = OriginOf(**store, path);
  REQUIRE(origin);
  return origin->why;
}

void MakeStore(const std::string& path) {
  const auto own = OwnStore::Open({.path = path});
  REQUIRE(own);
  CHECK(!(*own)->origin().IsForeign());
  AddReply((*own)->store());
  CHECK(!Seen(path).IsForeign());
}

}  // namespace

TEST_CASE("a store that was made here is its user's, and its copies are not") {
  const OwnWorld world;
  MakeStore(world / "own/store.db");
  CHECK(!Seen(world / "own/store.db").IsForeign());
  fs::copy(world / "own", world / "copy");
  CHECK(Seen(world / "copy/store.db").exchanges.last() == 1);
  fs::rename(world / "own", world / "moved");
  CHECK(Seen(world / "moved/store.db").exchanges.last() == 1);
}

TEST_CASE("what is added to a foreign store is one's own, and adopting takes over the rest") {
  const OwnWorld world;
  MakeStore(world / "own/store.db");
  fs::copy(world / "own", world / "copy");
  for (int i = 0; i < 2; ++i) {
    const auto own = OwnStore::Open({.path = world / "copy/store.db"});
    REQUIRE(own);
    CHECK((*own)->origin().exchanges.last() == 1);
    AddReply((*own)->store());
  }
  CHECK(Seen(world / "copy/store.db").exchanges.last() == 1);
  REQUIRE(OwnStore::Adopt({.path = world / "copy/store.db"}));
  CHECK(!Seen(world / "copy/store.db").IsForeign());
}

TEST_CASE("a file that is put in the place of a store is another one") {
  const OwnWorld world;
  MakeStore(world / "own/store.db");
  fs::copy(world / "own/store.db", world / "other.db");
  fs::remove(world / "own/store.db");
  fs::copy(world / "other.db", world / "own/store.db");
  CHECK(Seen(world / "own/store.db").IsForeign());
}

TEST_CASE("a store that is copied over one's own, in place, is another one") {
  const OwnWorld world;
  MakeStore(world / "own/store.db");
  MakeStore(world / "other/store.db");
  std::ifstream other(world / "other/store.db", std::ios::binary);
  std::ofstream(world / "own/store.db", std::ios::binary) << other.rdbuf();
  CHECK(Seen(world / "own/store.db").why == "it has changed since assay closed it");
}

namespace {

void CopyInPlace(const std::string& from, const std::string& to) {
  std::ifstream other(from, std::ios::binary);
  std::ofstream(to, std::ios::binary) << other.rdbuf();
}

// A store that is as a kill leaves it, until somebody closes it.
std::unique_ptr<OwnStore> KilledStore(const std::string& path) {
  auto own = OwnStore::Open({.path = path});
  REQUIRE(own);
  AddReply((*own)->store());
  return *std::move(own);
}

}  // namespace

TEST_CASE("a store that is copied over one of a killed run, in place, is another one") {
  const OwnWorld world;
  MakeStore(world / "other/store.db");
  for (const bool was_there : {false, true}) {
    const std::string path = world / (was_there ? "old/store.db" : "new/store.db");
    if (was_there) MakeStore(path);
    const auto killed = KilledStore(path);
    CHECK(!Seen(path).IsForeign());
    CopyInPlace(world / "other/store.db", path);
    CHECK(WhyForeign(path) == "its file or its -wal has changed since assay wrote it");
  }
}

TEST_CASE("a -wal that is copied over that of a killed run, in place, is another one") {
  const OwnWorld world;
  const auto theirs = KilledStore(world / "other/store.db");
  const auto killed = KilledStore(world / "own/store.db");
  CHECK(!Seen(world / "own/store.db").IsForeign());
  CopyInPlace(world / "other/store.db-wal", world / "own/store.db-wal");
  CHECK(WhyForeign(world / "own/store.db").find("-wal") != std::string::npos);
}

TEST_CASE("a -wal that somebody has made longer is another one") {
  const OwnWorld world;
  const std::string path = world / "own/store.db";
  const auto killed = KilledStore(path);
  CHECK(WhyForeign(path).empty());
  std::ofstream(path + "-wal", std::ios::binary | std::ios::app) << "more";
  CHECK(WhyForeign(path).find("-wal") != std::string::npos);
}

TEST_CASE("a store of a killed run stays its user's, however often its -wal was written into the file") {
  const OwnWorld world;
  const std::string path = world / "own/store.db";
  const auto killed = KilledStore(path);
  Store& store = killed->store();
  RunRecord run;
  run.context.run_id = "r";
  REQUIRE(store.BeginRun(run));
  const auto sitting = store.BeginSitting("r", RunPart::kRun, 1, "t");
  REQUIRE(sitting);
  const std::uintmax_t before = fs::file_size(path);
  std::mt19937 letters(1);
  for (std::uint64_t i = 1; i <= 60; ++i) {
    Exchange exchange = OneReply();
    exchange.key = Sha256Of(std::to_string(i));
    std::string raw(400'000, '\0');  // that no packer makes much shorter
    for (char& each : raw) each = static_cast<char>('0' + letters() % 64);
    exchange.raw = raw;
    REQUIRE(store.Commit(*sitting, i, {.exchanges = {exchange}}));
    CHECK(WhyForeign(path).empty());
  }
  CHECK(fs::file_size(path) > before);
}

TEST_CASE("a kill before the first commit of a -wal is whole leaves the store its user's") {
  const OwnWorld world;
  const std::string path = world / "own/store.db";
  MakeStore(path);
  const auto theirs = KilledStore(world / "other/store.db");
  std::ifstream file(world / "other/store.db-wal", std::ios::binary);
  const std::string wal{std::istreambuf_iterator<char>(file), {}};
  const auto own = OwnStore::Open({.path = path});
  REQUIRE(own);
  const auto note = LiveNote::Begin(path);
  REQUIRE(note);
  (*note)->WillCommit();
  constexpr std::size_t kHeader = 32;
  constexpr std::size_t kFrame = 24 + 8'192;  // the first is of a commit of several
  for (const std::size_t bytes : {std::size_t{1}, kHeader, kHeader + 8, kHeader + kFrame}) {
    std::ofstream(path + "-wal", std::ios::binary) << wal.substr(0, bytes);
    CHECK(WhyForeign(path).empty());
  }
  std::ofstream(path + "-wal", std::ios::binary) << wal;
  CHECK(!WhyForeign(path).empty());
  fs::remove(path + "-wal");
  CHECK(WhyForeign(path).empty());
}

TEST_CASE("a digest does not hold if the end of a store is cut off and becomes its -wal") {
  const OwnWorld world;
  const std::string path = world / "store.db";
  MakeStore(path);
  const std::string whole = DigestOfStore(path);
  std::string bytes = DiskFileReader().Read(path).value();
  constexpr std::size_t kPageBytes = 4096;
  REQUIRE(bytes.size() > kPageBytes);
  std::ofstream(path + "-wal", std::ios::binary) << bytes.substr(bytes.size() - kPageBytes);
  fs::resize_file(path, bytes.size() - kPageBytes);
  CHECK(DigestOfStore(path) != whole);
  std::ofstream(path + "-wal", std::ios::binary | std::ios::trunc);
  CHECK(DigestOfStore(path) == Hex(Sha256Of(bytes.substr(0, bytes.size() - kPageBytes))));
}

namespace {

// Remembers what the files were like before and after the first change that is announced.
class Announced final : public FileWatch {
 public:
  explicit Announced(std::string path) : path_(std::move(path)), written_(fs::last_write_time(path_)) {}
  bool AreFilesOurs() const override { return true; }
  void WillCommit() override {}
  void HasCommitted(std::uint32_t) override {}
  void FileWillChange(Change) override {
    if (!is_untouched_) is_untouched_ = fs::last_write_time(path_) == written_ && WalBytes() > 0;
  }
  void FileHasChanged(WalLeft left) override {
    if (!is_moved_) is_moved_ = left.is_moved && left.frames == 0 && WalBytes() == 0;
  }
  bool IsRight() const { return is_untouched_.value_or(false) && is_moved_.value_or(false); }

 private:
  std::uintmax_t WalBytes() const { return fs::file_size(path_ + "-wal"); }

  std::string path_;
  fs::file_time_type written_;
  std::optional<bool> is_untouched_;
  std::optional<bool> is_moved_;
};

}  // namespace

TEST_CASE("what a kill left in a -wal moves into the file once that is announced") {
  const OwnWorld world;
  const std::string path = world / "left/store.db";
  {
    const auto own = KilledStore(world / "own/store.db");
    fs::create_directories(world / "left");
    for (const char* end : {"", "-wal"}) fs::copy((world / "own/store.db") + end, path + end);
  }
  Announced watch(path);
  const auto store = OpenStore({.path = path, .watch = [&watch] { return &watch; }});
  REQUIRE(store);
  CHECK(watch.IsRight());
}

TEST_CASE("open batches of a foreign store stay foreign, and those that come are one's own") {
  const OwnWorld world;
  {
    const auto own = OwnStore::Open({.path = world / "own/store.db"});
    REQUIRE(own);
    BatchRecord batch;
    batch.provider = "openai";
    REQUIRE((*own)->store().SaveBatch(batch));
  }
  CHECK(!Seen(world / "own/store.db").IsForeign());
  fs::copy(world / "own", world / "copy");
  const std::string path = world / "copy/store.db";
  for (std::int64_t number = 2; number <= 3; ++number) {
    const auto own = OwnStore::Open({.path = path});
    REQUIRE(own);
    CHECK((*own)->origin().IsForeign());
    CHECK((*own)->origin().batch == 1);
    BatchRecord batch;
    REQUIRE((*own)->store().SaveBatch(batch));
    CHECK(batch.number == number);
  }
  CHECK(Seen(path).batch == 1);
  // A seal names them, too.
  setenv("ASSAY_STORE_KEY", "a key of more than sixteen", 1);
  {
    const auto own = OwnStore::Open({.path = path});
    REQUIRE(own);
    AddReply((*own)->store());
  }
  fs::remove_all(world / "state");
  CHECK(Seen(path).batch == 1);
  CHECK(Seen(path).exchanges.empty());
  unsetenv("ASSAY_STORE_KEY");
  CHECK(Seen(path).batch == 3);
  REQUIRE(OwnStore::Adopt({.path = path}));
  CHECK(!Seen(path).IsForeign());
}

TEST_CASE("a row behind which SQLite would draw numbers makes a store damaged") {
  const OwnWorld world;
  const std::string path = world / "own/store.db";
  MakeStore(path);
  {
    const auto store = OpenStore({.path = path});
    REQUIRE(store);
    BatchRecord batch;
    batch.number = std::numeric_limits<std::int64_t>::max();
    REQUIRE((*store)->SaveBatch(batch));
  }
  CHECK(OwnStore::Open({.path = path}).error().code == ErrorCode::kCorrupt);
}

TEST_CASE("a stranger's highest numbers leave room for this user's rows, or his store is damaged") {
  const OwnWorld world;
  const std::string path = world / "theirs/store.db";
  fs::create_directories(world / "theirs");
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  for (const std::int64_t number : {kMost, kMost + 1}) {
    const auto store = OpenStore({.path = path});
    REQUIRE(store);
    BatchRecord batch;
    batch.number = number;
    REQUIRE((*store)->SaveBatch(batch));
  }
  CHECK(OwnStore::Open({.path = path}).error().code == ErrorCode::kCorrupt);
}

TEST_CASE("a -wal beside a store makes it foreign unless it was left by a run of one's own") {
  const OwnWorld world;
  {
    const std::string path = world / "own/store.db";
    MakeStore(path);
    std::ofstream(path + "-wal");
    CHECK(!Seen(path).IsForeign());
    std::ofstream(path + "-wal") << "anything";
    CHECK(OpenStore({.path = path, .read_only = true}).has_value());
    const auto own = OwnStore::Open({.path = path});
    REQUIRE(own);
    CHECK((*own)->origin().why.find("-wal") != std::string::npos);
  }
  // As after a kill: what is beside an open store is its own.
  const std::string path = world / "killed/store.db";
  const auto own = OwnStore::Open({.path = path});
  REQUIRE(own);
  AddReply((*own)->store());
  REQUIRE(fs::file_size(path + "-wal") > 0);
  CHECK(!Seen(path).IsForeign());
}

TEST_CASE("a store with a -journal beside it is neither read nor written") {
  const OwnWorld world;
  const std::string path = world / "own/store.db";
  MakeStore(path);
  std::ofstream(path + "-journal") << "anything";
  const auto reader = OpenForReading({.path = path});
  REQUIRE(!reader);
  CHECK(reader.error().message.find("a -journal lies beside it") != std::string::npos);
  CHECK(OwnStore::Open({.path = path}).error().code == ErrorCode::kRefused);
  CHECK(OwnStore::Adopt({.path = path}).error().code == ErrorCode::kRefused);
  CHECK(fs::file_size(path + "-journal") == 8);
  fs::remove(path + "-journal");
  CHECK(!Seen(path).IsForeign());
}

TEST_CASE("without a state folder whatever exists was made elsewhere, and the remedy is told") {
  const OwnWorld world;
  std::ofstream(world / "state") << "a file";
  {
    const auto own = OwnStore::Open({.path = world / "store.db"});
    REQUIRE(own);
    CHECK(!(*own)->origin().IsForeign());
    AddReply((*own)->store());
  }
  const StoreOrigin origin = Seen(world / "store.db");
  CHECK(origin.exchanges.last() == 1);
  CHECK(origin.why.find("XDG_STATE_HOME") != std::string::npos);
  CHECK(!OwnStore::Adopt({.path = world / "store.db"}));
}

TEST_CASE("recordings are adopted by their text") {
  const OwnWorld world;
  CHECK(!IsOwnRecording(Sha256Of("text")));
  REQUIRE(AdoptRecording(Sha256Of("text")));
  CHECK(IsOwnRecording(Sha256Of("text")));
  CHECK(!IsOwnRecording(Sha256Of("text\n")));
}

TEST_CASE("each gate is closed to what was made elsewhere") {
  GateOptions gates;
  Granted granted;
  const StoreOrigin foreign{.exchanges = RowRanges::UpTo(1)};
  OpenedRecordings recorded;
  recorded.unasked = UnaskedRecording{.path = "suite.replay.jsonl", .digest = "d", .replies = 1};
  CHECK(MayGateBy(foreign, gates, granted));
  CHECK(MayGateBy(recorded, gates, granted));
  gates.fail_under = 0.5;
  CHECK(MayGateBy(foreign, gates, granted).error().message.find("--fail-under: ") == 0);
  CHECK(MayGateBy(StoreOrigin{}, gates, granted));
  CHECK(MayGateBy(OpenedRecordings{}, gates, granted));
  gates.fail_under.reset();
  gates.fail_on_regression = "latest";
  const Status regression = MayGateBy(recorded, gates, granted);
  CHECK(regression.error().message.find("--fail-on-regression: ") == 0);
  gates.fail_on_regression.clear();
  gates.fail_on_flip = "latest";
  CHECK(MayGateBy(foreign, gates, granted).error().message.find("--fail-on-flip: ") == 0);
  CHECK(!MayGateBy("run", 1, gates, granted));
  CHECK(MayGateBy("run", 0, gates, granted));
  granted.trust_digests = {"d"};
  CHECK(MayGateBy(recorded, gates, granted));
  CHECK(!MayGateBy(foreign, gates, granted));
  // What the folder may do says nothing of what its store and its recordings answer.
  granted.trust_digests = {DigestOf(granted.settings.powers)};
  CHECK(!MayGateBy(foreign, gates, granted));
  CHECK(!MayGateBy(recorded, gates, granted));
  const OwnWorld world;
  granted.store = world / "store.db";
  MakeStore(granted.store);
  granted.trust_digests = {DigestOfStore(granted.store)};
  CHECK(MayGateBy(foreign, gates, granted));
  CHECK(MayGateBy("run", 1, gates, granted));
  std::ofstream(granted.store, std::ios::app) << "more";
  CHECK(!MayGateBy(foreign, gates, granted));
  // A server has no digest.
  granted.store = "postgresql://eve@db.example/runs";
  granted.trust_digests = {""};
  CHECK(MayGateBy(foreign, gates, granted).error().message.find("--trust=") == std::string::npos);
  granted.trust_digests.clear();
  granted.trust = true;
  CHECK(MayGateBy(foreign, gates, granted));
}

}  // namespace assay
