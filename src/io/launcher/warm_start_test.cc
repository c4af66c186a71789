// Tests that a warm start is used only while everything that it was made of is unchanged.
#include "io/launcher/warm_start.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace assay {

namespace {

class Folder {
 public:
  Folder() { path_ = mkdtemp(name_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name) << text;
  }
  std::string Changed(const std::string& name) const {
    struct stat found {};
    stat((path_ + "/" + name).c_str(), &found);
    return std::to_string(found.st_mtim.tv_sec);
  }
  const std::string& path() const { return path_; }

 private:
  char name_[32] = "/tmp/assay-warm-XXXXXX";
  std::string path_;
};

}  // namespace

TEST_CASE("a warm start is as good as the list of what it was made of") {
  const Folder folder;
  folder.Write("a part", "four");
  const std::string part = fmt::format("{} {}/a part", folder.Changed("a part"), folder.path());
  struct Row {
    std::string line;
    WarmStart want;
  };
  const Row rows[] = {
      {"# by nobody", WarmStart::kReady},
      {"program sh /bin/sh", WarmStart::kReady},
      {"program sh /usr/bin/sh", WarmStart::kOutdated},
      {"program no-such-program ", WarmStart::kReady},  // it was missing, and still is
      {"file 4 " + part, WarmStart::kReady},
      {"file 5 " + part, WarmStart::kOutdated},
      {"file 4 1" + part, WarmStart::kOutdated},
      {"file 4 " + part + "s", WarmStart::kOutdated},
      {"file", WarmStart::kOutdated},
      {"a line of a later version", WarmStart::kOutdated},
  };
  CHECK(FindWarmStart(folder.path(), "/bin") == WarmStart::kNone);
  for (const Row& row : rows) {
    CAPTURE(row.line);
    folder.Write("made_of", "# first\n" + row.line + "\n");
    CHECK(FindWarmStart(folder.path(), "/no-such-folder::/bin") == row.want);
  }
}

}  // namespace assay
