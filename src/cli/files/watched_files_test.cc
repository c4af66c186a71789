// Tests of noticing changes of real files, without waiting for a real clock.
#include "cli/files/watched_files.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

namespace assay {
namespace {

class Folder {
 public:
  Folder() { REQUIRE(mkdtemp(name_) != nullptr); }
  ~Folder() { std::filesystem::remove_all(name_); }
  std::string operator/(const std::string& file) const { return std::string(name_) + "/" + file; }

 private:
  char name_[32] = "/tmp/assay-watch-XXXXXX";
};

void Write(const std::string& path, std::string_view text) { std::ofstream(path) << text; }

// As editors do that never write into the file itself.
void Replace(const std::string& path, std::string_view text) {
  Write(path + ".new", text);
  std::filesystem::rename(path + ".new", path);
}

// Each wait runs the next of some events.
class ScriptedClock final : public Clock {
 public:
  explicit ScriptedClock(std::vector<std::function<void()>> events) : events_(std::move(events)) {}
  TimePoint Now() const override { return {}; }
  std::int64_t WallMs() const override { return 0; }
  void Wait(Inbox&, TimePoint) override {
    REQUIRE(next_ < events_.size());
    events_[next_++]();
  }
  std::size_t waits() const { return next_; }

 private:
  std::vector<std::function<void()>> events_;
  std::size_t next_ = 0;
};

}  // namespace

TEST_CASE("a file has changed if it is written, replaced, removed or made") {
  const Folder folder;
  const std::string path = folder / "a.yml";
  const std::string absent = folder / "b.yml";
  Write(path, "one");
  const std::function<void()> changes[] = {
      [&] { Write(path, "three"); },
      [&] { Replace(path, "one"); },
      [&] { std::filesystem::remove(path); },
      [&] { Write(absent, "two"); },
  };
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    CAPTURE(i);
    std::filesystem::remove(absent);
    Write(path, "one");
    WatchedFiles files;
    CHECK(files.Read(folder / "./a.yml").has_value());
    CHECK_FALSE(files.Exists(absent));
    CHECK(files.CountExisting() == 1);
    CHECK_FALSE(files.FindChanged());
    changes[i]();
    CHECK(files.FindChanged() == (i == 3 ? absent : path));
    files.Forget(i == 3 ? absent : path);
    CHECK_FALSE(files.FindChanged());
  }
}

TEST_CASE("what an earlier reading asked for is watched from now on") {
  const Folder folder;
  Write(folder / "a.yml", "one");
  Write(folder / "b.txt", "one");
  WatchedFiles earlier;
  CHECK(earlier.Read(folder / "b.txt").has_value());
  Write(folder / "b.txt", "changed");
  WatchedFiles files;
  CHECK(files.Read(folder / "a.yml").has_value());
  files.AddMissing(earlier);
  CHECK_FALSE(files.FindChanged());
  Write(folder / "b.txt", "changed again");
  CHECK(files.FindChanged() == folder / "b.txt");
}

TEST_CASE("a change counts once the files rest") {
  const Folder folder;
  const std::string path = folder / "a.yml";
  Write(path, "one");
  WatchedFiles files;
  CHECK(files.Read(path).has_value());
  BoundedQueue<bool> stop(1);
  ScriptedClock clock({[] {}, [&] { std::filesystem::remove(path); }, [&] { Write(path, "t"); },
                       [&] { Write(path, "two"); }, [] {}});
  CHECK(WaitForChange(files, clock, stop) == path);
  CHECK(clock.waits() == 5);
}

TEST_CASE("a message ends the wait") {
  WatchedFiles files;
  BoundedQueue<bool> stop(1);
  ScriptedClock clock({[] {}, [&] { stop.PushUnbounded(true); }});
  CHECK_FALSE(WaitForChange(files, clock, stop));
}

}  // namespace assay
