// WatchedFiles: remembers the files that something was made of, so that a change of one of them is seen
// without reading any again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "base/files/file_reader.h"

namespace assay {

// What tells one content of a file from another without reading it. A file that is not there has none of it.
struct FileState {
  bool exists = false;
  std::uint64_t inode = 0;
  std::int64_t size_bytes = 0;
  std::int64_t changed_ns = 0;  // its content, as whoever changed it says
  std::int64_t touched_ns = 0;  // its content, name, owner or permissions
  bool operator==(const FileState&) const = default;
};

FileState StateOfFile(const std::string& path);

// Reads from the disk and remembers what it was asked for, with its state right before.
class WatchedFiles final : public FileReader {
 public:
  Result<std::string> Read(std::string_view path) override;
  Result<std::shared_ptr<const FileBytes>> Open(std::string_view path, std::uint64_t bytes_max) override;
  Result<std::shared_ptr<const FileBytes>> Keep(const std::function<Status(const Taker&)>& fill,
                                                std::uint64_t bytes_max) override {
    return disk_.Keep(fill, bytes_max);
  }
  void SetSpoolFolder(std::string folder) { disk_.SetSpoolFolder(std::move(folder)); }
  bool Exists(std::string_view path) override;
  Result<std::vector<std::string>> List(std::string_view path) override;

  // A file that the run writes itself is none of its inputs.
  void Forget(std::string_view path);
  // What only an earlier reading asked for, as it is now: after an error much is not asked for again.
  void AddMissing(const WatchedFiles& earlier);
  std::size_t CountExisting() const;
  // The first file, by name, whose state is not the remembered one; nothing if there is none.
  std::optional<std::string> FindChanged() const;
  std::map<std::string, FileState> StatesNow() const;
  const std::map<std::string, FileState>& seen() const { return seen_; }

 private:
  void Remember(std::string_view path);
  std::map<std::string, FileState> seen_;
  DiskFileReader disk_;
};

// Waits until a file has changed and rests since (editors write in several steps). Nothing when a message
// came into `stop` first. It looks a few times a second, as that works on every file system, and with editors
// that replace a file by a new one.
std::optional<std::string> WaitForChange(const WatchedFiles& files, Clock& clock, Inbox& stop);

}  // namespace assay
