// Tests of files that hold a key: who else may read them, and what they hold.
#include "engine/network/key_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace assay {
namespace {

class KeyFiles {
 public:
  KeyFiles() {
    char name[] = "/tmp/assay-keys-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~KeyFiles() { std::filesystem::remove_all(folder_); }

  std::string Make(std::string_view text, mode_t mode) {
    std::string path = (folder_ / "key").string();
    std::filesystem::remove(path);
    std::ofstream(path) << text;
    REQUIRE(chmod(path.c_str(), mode) == 0);
    return path;
  }
  std::string folder() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
};

TEST_CASE("a key file is read only where nobody else can read it") {
  KeyFiles files;
  const bool is_root = geteuid() == 0;  // a file of root's is as one that was mounted
  struct Row {
    mode_t mode;
    bool is_taken;
  };
  const Row rows[] = {{0600, true},  {0400, true},  {0604, false}, {0601, false},
                      {0644, false}, {0602, false}, {0660, false}, {0440, is_root}};
  for (const Row& row : rows) {
    CAPTURE(row.mode);
    const Result<Secret> key = ReadKeyFile(files.Make("sk-1234\n", row.mode));
    CHECK(key.has_value() == row.is_taken);
    if (!key) {
      CHECK(key.error().code == ErrorCode::kRefused);
      CHECK(key.error().message.find("sk-1234") == std::string::npos);
    }
  }
}

TEST_CASE("a key file holds one key and nothing else") {
  KeyFiles files;
  const Result<Secret> key = ReadKeyFile(files.Make("sk-1234 \r\n\n", 0600));
  REQUIRE(key.has_value());
  CHECK(key->Reveal() == "sk-1234");
  const std::string wrong[] = {"", "\n", "sk-1\nsk-2", "two words", "sk-\xc3\xa4", std::string(20'000, 'k')};
  for (const std::string& text : wrong) {
    CAPTURE(text);
    const Result<Secret> none = ReadKeyFile(files.Make(text, 0600));
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().code == ErrorCode::kInvalidInput);
  }
  CHECK(ReadKeyFile(files.folder() + "/none").error().code == ErrorCode::kNotFound);
  CHECK(ReadKeyFile(files.folder()).error().code == ErrorCode::kRefused);
  REQUIRE(mkfifo((files.folder() + "/pipe").c_str(), 0600) == 0);
  CHECK(ReadKeyFile(files.folder() + "/pipe").error().code == ErrorCode::kRefused);
}

TEST_CASE("paths count from the folder of the settings, or from home") {
  CHECK(PlacedPath("", "keys/a") == "keys/a");
  CHECK(PlacedPath("/etc/x", "keys/../a") == "/etc/x/a");
  CHECK(PlacedPath("/etc/x", "/b") == "/b");
  CHECK(PlacedPath("/etc/x", "~/b").ends_with("/b"));
  CHECK(PlacedPath("/etc/x", "~/b").find('~') == std::string::npos);
}

}  // namespace
}  // namespace assay
