// FileWatch: somebody who wants to know when a store writes into its file. Commits of a store with a -wal go
// there first.
#pragma once

#include <cstdint>

namespace assay {

// What a move leaves in the -wal.
struct WalLeft {
  std::uint32_t frames = 0;
  bool is_moved = true;  // all of them are in the file: the next commit may begin the -wal again
};

class FileWatch {
 public:
  enum class Change {
    kMove,     // pages of the -wal are moved into the file: a matter of a moment
    kRewrite,  // the whole file may be written again
  };

  virtual ~FileWatch() = default;
  // Whether the file is the one that was opened, as the last move left it, and the -wal as the last commit
  // left it. If not, somebody else has put others there or has written into them: what they wrote must not
  // become this user's.
  virtual bool AreFilesOurs() const = 0;
  virtual void WillCommit() = 0;
  virtual void HasCommitted(std::uint32_t wal_frames) = 0;  // that the -wal now has
  virtual void FileWillChange(Change change) = 0;
  virtual void FileHasChanged(WalLeft left) = 0;
};

}  // namespace assay
