// Tests of the state folder: files are replaced whole, in a folder that only its user may enter.
#include "engine/state/state_folder.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>

namespace assay {

namespace {

namespace fs = std::filesystem;

class StateScratch {
 public:
  StateScratch() {
    std::string name = (fs::temp_directory_path() / "assay-state-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~StateScratch() { fs::remove_all(path_); }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("a state folder is made for nobody but its user") {
  const StateScratch scratch;
  const Result<StateFolder> folder = StateFolder::At(scratch / "new/state/assay");
  REQUIRE(folder);
  struct stat info {};
  REQUIRE(stat(folder->path().c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
  CHECK(StateFolder::At(scratch / "new/state/assay"));

  fs::permissions(folder->path(), fs::perms::group_read, fs::perm_options::add);
  CHECK(StateFolder::At(folder->path()));
  REQUIRE(stat(folder->path().c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
}

TEST_CASE("files of the state folder are read and replaced whole") {
  const StateScratch scratch;
  const Result<StateFolder> folder = StateFolder::At(scratch / "assay");
  REQUIRE(folder);
  CHECK(folder->Read("stores.json").value().empty());
  const auto append = [](std::string text) -> Result<std::string> { return text + "line\n"; };
  CHECK(folder->Update("stores.json", append));
  CHECK(folder->Update("stores.json", append));
  CHECK(folder->Read("stores.json").value() == "line\nline\n");
  const auto fail = [](const std::string&) -> Result<std::string> { return Error{ErrorCode::kIo, "no"}; };
  CHECK(!folder->Update("stores.json", fail));
  CHECK(folder->Read("stores.json").value() == "line\nline\n");
}

TEST_CASE("a state folder that others could write is refused with the remedy") {
  const StateScratch scratch;
  fs::create_directory(scratch / "open");
  fs::permissions(scratch / "open", fs::perms::all);
  fs::create_directory_symlink(scratch / "open", scratch / "link");
  const auto text = [&](std::string_view name) {
    const Result<StateFolder> folder = StateFolder::At(scratch / name);
    return folder ? std::string() : folder.error().message;
  };
  CHECK(text("open").find("can be written by other users; repair it, or name another folder with "
                          "XDG_STATE_HOME") != std::string::npos);
  CHECK(text("link").find("cannot be opened as a folder") != std::string::npos);
}

}  // namespace assay
