// Tests of reading and writing real files: what is refused, and that files appear whole or not at all.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/files/file_reader.h"
#include "base/files/scoped_files.h"
#include "base/files/sink.h"
#include "base/limits.h"

namespace assay {
namespace {

// A fresh folder, removed at the end.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string Path(std::string_view name) const { return path_ + "/" + std::string(name); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(file.good());
}

std::size_t CountEntries(const std::string& path) { return DiskFileReader().List(path).value().size(); }

TEST_CASE("reading whole files") {
  const TempFolder folder;
  DiskFileReader reader;
  for (const std::size_t length : {0u, 1u, 65'535u, 65'536u, 200'001u}) {
    std::string bytes(length, '\0');
    for (std::size_t i = 0; i < length; ++i) bytes[i] = static_cast<char>(i * 7);
    WriteFile(folder.Path("a"), bytes);
    const Result<std::string> got = reader.Read(folder.Path("a"));
    REQUIRE(got.has_value());
    CHECK(got.value() == bytes);
  }
  // The system names no size for these.
  CHECK(reader.Read("/proc/self/status").value().find("Name:") == 0);
}

TEST_CASE("what is not read") {
  const TempFolder folder;
  REQUIRE(::mkfifo(folder.Path("pipe").c_str(), 0600) == 0);
  WriteFile(folder.Path("big"), "");
  std::filesystem::resize_file(folder.Path("big"), limits::kInputFileBytesMax + 1);
  struct Row {
    std::string path;
    ErrorCode code;
    std::string_view says;
  };
  const Row rows[] = {
      {folder.Path("none"), ErrorCode::kNotFound, "check the path"},
      {folder.Path("big/x"), ErrorCode::kNotFound, "not a folder"},
      {folder.path(), ErrorCode::kRefused, "is a folder"},
      {folder.Path("pipe"), ErrorCode::kRefused, "pipe"},
      {"/dev/zero", ErrorCode::kRefused, "device"},
      {folder.Path("big"), ErrorCode::kLimit, "67108864"},
      {"", ErrorCode::kInvalidInput, "empty"},
      {std::string("a\0b", 3), ErrorCode::kInvalidInput, "NUL"},
  };
  DiskFileReader reader;
  for (const Row& row : rows) {
    CAPTURE(row.path);
    const Result<std::string> got = reader.Read(row.path);
    REQUIRE_FALSE(got.has_value());
    CHECK(got.error().code == row.code);
    CHECK(got.error().message.find(row.says) != std::string::npos);
  }
}

TEST_CASE("names in a folder") {
  const TempFolder folder;
  DiskFileReader reader;
  for (const std::string_view name : {"b", "a", "B", ".hidden"}) WriteFile(folder.Path(name), "x");
  CHECK(reader.List(folder.path()).value() == std::vector<std::string>{".hidden", "B", "a", "b"});
  CHECK(reader.List(folder.Path("none")).error().code == ErrorCode::kNotFound);
  CHECK(reader.List(folder.Path("a")).error().code == ErrorCode::kNotFound);
  CHECK(reader.Exists(folder.Path("a")));
  CHECK(reader.Exists(folder.path()));
  CHECK_FALSE(reader.Exists(folder.Path("none")));
  CHECK_FALSE(reader.Exists(""));
}

struct Way {
  Durability durability;
  Temporary temporary;
};
constexpr Way kWays[] = {{Durability::kSynced, Temporary::kUnnamed},
                         {Durability::kAtomic, Temporary::kUnnamed},
                         {Durability::kSynced, Temporary::kNamed},
                         {Durability::kAtomic, Temporary::kNamed}};

TEST_CASE("a file appears only when it is closed") {
  for (const Way& way : kWays) {
    const TempFolder folder;
    DiskFileReader reader;
    const auto sink = MakeDiskSink(folder.Path("out"), way.durability, way.temporary);
    REQUIRE(sink->Open("runs/a/b.json").has_value());
    REQUIRE(sink->Write("one ").has_value());
    CHECK_FALSE(reader.Exists(folder.Path("out/runs/a/b.json")));
    REQUIRE(sink->Write(std::string(100'000, 'x')).has_value());
    REQUIRE(sink->Close().has_value());
    CHECK(reader.Read(folder.Path("out/runs/a/b.json")).value() == "one " + std::string(100'000, 'x'));
    CHECK(CountEntries(folder.Path("out/runs/a")) == 1);
    REQUIRE(sink->Open("empty").has_value());
    REQUIRE(sink->Close().has_value());
    CHECK(reader.Read(folder.Path("out/empty")).value().empty());
  }
}

TEST_CASE("what a killed process left is swept, what another one writes is not") {
  const TempFolder folder;
  DiskFileReader reader;
  for (const char* name : {".assay-1-0.part", ".assay-999999-7.part", ".assay-notes", "b.part"}) {
    std::ofstream(folder.Path(name)) << "left";
  }
  const auto living = MakeDiskSink(folder.path(), Durability::kAtomic, Temporary::kNamed);
  REQUIRE(living->Open("one").has_value());
  REQUIRE(living->Write("1").has_value());
  CHECK(CountEntries(folder.path()) == 3);
  const auto other = MakeDiskSink(folder.path(), Durability::kAtomic, Temporary::kNamed);
  REQUIRE(other->Open("two").has_value());
  REQUIRE(other->Close().has_value());
  REQUIRE(living->Close().has_value());
  CHECK(reader.Read(folder.Path("one")).value() == "1");
  CHECK(CountEntries(folder.path()) == 4);
}

TEST_CASE("a file that was not closed leaves nothing behind") {
  for (const Way& way : kWays) {
    const TempFolder folder;
    {
      const auto sink = MakeDiskSink(folder.path(), way.durability, way.temporary);
      REQUIRE(sink->Open("a").has_value());
      REQUIRE(sink->Write(std::string(1'000'000, 'x')).has_value());
    }
    CHECK(CountEntries(folder.path()) == 0);
  }
}

// kill -9 used to leave `.assay-*.part` beside the results.
TEST_CASE("an open file has no name, so that a killed writer leaves nothing behind") {
  const TempFolder folder;
  const int probe = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (probe < 0) {
    MESSAGE("skipped: this file system knows no files without a name");
    return;
  }
  ::close(probe);
  const auto sink = MakeDiskSink(folder.path());
  REQUIRE(sink->Open("a").has_value());
  REQUIRE(sink->Write(std::string(1'000'000, 'x')).has_value());
  CHECK(CountEntries(folder.path()) == 0);
  REQUIRE(sink->Close().has_value());
  CHECK(CountEntries(folder.path()) == 1);
}

TEST_CASE("nothing is overwritten") {
  for (const Way& way : kWays) {
    const TempFolder folder;
    WriteFile(folder.Path("a"), "old");
    const auto sink = MakeDiskSink(folder.path(), way.durability, way.temporary);
    const Status opened = sink->Open("a");
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().code == ErrorCode::kRefused);
    CHECK(opened.error().message.find("exists already") != std::string::npos);
    // A file that came to be while ours was being written wins too, and ours goes.
    REQUIRE(sink->Open("b").has_value());
    WriteFile(folder.Path("b"), "theirs");
    CHECK(sink->Close().error().code == ErrorCode::kRefused);
    CHECK(DiskFileReader().Read(folder.Path("b")).value() == "theirs");
    CHECK(CountEntries(folder.path()) == 2);
  }
}

// Goes into a folder for as long as it lives.
class Within {
 public:
  explicit Within(const std::string& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~Within() { std::filesystem::current_path(before_); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  std::filesystem::path before_;
};

TEST_CASE("no folder below the current one is written through a link, whatever the root of the write") {
  const TempFolder top;
  std::filesystem::create_directories(top.Path("here/plain/deep"));
  std::filesystem::create_directories(top.Path("outside/below"));
  std::filesystem::create_directory_symlink(top.Path("here"), top.Path("way"));
  for (const char* name : {"here/link", "here/plain/link", "beside"})
    std::filesystem::create_directory_symlink(top.Path("outside"), top.Path(name));
  struct Row {
    std::string root;
    bool is_taken;
  };
  const Row rows[] = {{".", true},
                      {"plain/deep", true},
                      {"./plain//deep/", true},
                      {"new/er", true},
                      {"link", false},
                      {"link/below", false},
                      {"link/new/er", false},
                      {"plain/link/below", false},
                      {"plain/../link/below", false},
                      {"link/../plain", false},
                      {"nowhere/../link/below", false},
                      {"nowhere/../plain/deep", true},
                      {"../here/link/below", false},
                      {"plain/../../here/link/below", false},
                      {top.Path("here/link/below"), false},
                      {top.Path("way/link/below"), false},
                      {top.Path("way/plain/deep"), true},
                      {"../beside/below", true},  // what leads elsewhere is the user's own word
                      {top.Path("beside/below"), true}};
  const Within here(top.Path("here"));
  for (const Row& row : rows) {
    CAPTURE(row.root);
    const std::unique_ptr<Sink> sink = MakeDiskSink(row.root);
    const Status opened = sink->Open("file");
    CHECK(opened.has_value() == row.is_taken);
    if (!opened) CHECK(opened.error().code == ErrorCode::kRefused);
  }
  CHECK(CountEntries(top.Path("outside")) == 1);
  CHECK(CountEntries(top.Path("outside/below")) == 0);
}

TEST_CASE("names that are not accepted") {
  const TempFolder folder;
  WriteFile(folder.Path("file"), "x");
  const auto sink = MakeDiskSink(folder.path());
  for (const std::string_view path :
       {std::string_view(""), std::string_view("/etc/x"), std::string_view("../x"),
        std::string_view("a/../../x"), std::string_view("a//b"), std::string_view("a/"),
        std::string_view("./a"), std::string_view("a\0b", 3)}) {
    CHECK(sink->Open(path).error().code == ErrorCode::kInvalidInput);
  }
  CHECK(sink->Open("file/x").error().code == ErrorCode::kRefused);
  CHECK(sink->Open(std::string(300, 'n')).error().code == ErrorCode::kInvalidInput);
  CHECK(CountEntries(folder.path()) == 1);
}

TEST_CASE("an unwritable place and a full disk are reported, and nothing half-written stays") {
  CHECK_FALSE(MakeDiskSink("/proc/assay")->Open("a").has_value());
  const TempFolder folder;
  const auto sink = MakeDiskSink(folder.path());
  REQUIRE(sink->Open("a").has_value());
  // A limit on the size of files fails writes as a full disk does, without filling one.
  struct rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 4096;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Status written = sink->Write(std::string(1'000'000, 'x'));
  const Status closed = sink->Close();
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().code == ErrorCode::kIo);
  REQUIRE_FALSE(closed.has_value());
  CHECK(closed.error().message == written.error().message);
  CHECK(CountEntries(folder.path()) == 0);
  // The sink goes on with the next file.
  REQUIRE(sink->Open("b").has_value());
  CHECK(sink->Close().has_value());
}

TEST_CASE("a suite reads below its own folder, whatever links and dots say") {
  const TempFolder folder;
  std::filesystem::create_directories(folder.Path("suite/cases"));
  std::ofstream(folder.Path("suite/cases/a.txt")) << "a";
  std::ofstream(folder.Path("secret.txt")) << "key";
  std::ofstream(folder.Path("suite-2.txt")) << "its name starts like the folder's";
  std::filesystem::create_symlink("../secret.txt", folder.Path("suite/link.txt"));
  DiskFileReader disk;
  ScopedFileReader files(disk, {folder.Path("suite")});
  CHECK(*files.Read(folder.Path("suite/cases/a.txt")) == "a");
  CHECK(*files.Read(folder.Path("suite/cases/../cases/a.txt")) == "a");
  CHECK(files.Read(folder.Path("suite/gone.txt")).error().code == ErrorCode::kNotFound);
  for (const std::string& path :
       {folder.Path("secret.txt"), folder.Path("suite/../secret.txt"), folder.Path("suite/link.txt"),
        folder.Path("suite-2.txt"), std::string("/etc/passwd"), folder.Path("gone.txt")}) {
    CAPTURE(path);
    CHECK(files.Read(path).error().code == ErrorCode::kRefused);
    CHECK(!files.Exists(path));
  }
  CHECK(files.List(folder.path()).error().code == ErrorCode::kRefused);
  // What would allow it is a folder: a file's own, or the one that is listed.
  const std::string allowed = "--allow-path " + std::filesystem::canonical(folder.path()).string() + ",";
  CHECK(files.Read(folder.Path("secret.txt")).error().message.find(allowed) != std::string::npos);
  CHECK(files.List(folder.path()).error().message.find(allowed) != std::string::npos);
  ScopedFileReader more(disk, {folder.Path("suite"), folder.path()});
  CHECK(*more.Read(folder.Path("secret.txt")) == "key");
  ScopedFileReader none(disk, {folder.Path("no-such-folder")});
  CHECK(none.Read(folder.Path("suite/cases/a.txt")).error().code == ErrorCode::kRefused);
}

}  // namespace
}  // namespace assay
