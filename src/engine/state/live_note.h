// LiveNote: when the files of a store last changed, noted in the state folder while a process writes to it.
// After a kill, a file that somebody put in their place, or wrote over them, does not fit the note
// (docs/formats/state.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/errors/result.h"
#include "engine/state/seen_file.h"
#include "engine/state/state_folder.h"
#include "store/records/file_watch.h"

namespace assay {

class LiveNote final : public FileWatch {
 public:
  // For Begin. Takes the descriptor of the note's file.
  LiveNote(std::string store, int file) : store_(std::move(store)), file_(file) {}
  // `store`: the real path of its file. kIo, kRefused, kNotFound: nothing can be noted.
  static Result<std::unique_ptr<LiveNote>> Begin(const std::string& store);
  ~LiveNote() override;
  LiveNote(const LiveNote&) = delete;
  LiveNote& operator=(const LiveNote&) = delete;

  bool AreFilesOurs() const override;
  // Whether the path still leads to the file that was opened.
  bool IsSameFile() const;
  void WillCommit() override;
  void HasCommitted(std::uint32_t wal_frames) override;
  void FileWillChange(Change change) override;
  void FileHasChanged(WalLeft left) override;

 private:
  void Write(char phase, std::int64_t allowed_ns);
  void NoteWal(std::uint32_t frames, bool may_begin_again);

  std::string store_;
  int file_;
  int changes_ = 0;               // within each other
  std::uint32_t wal_frames_ = 0;  // of the last commit or move; 0: none
  bool may_begin_again_ = false;  // the next commit may write the -wal from its start
  std::string wal_tail_;          // the header of that frame, in hex
  SeenFile main_;                 // as the last move left it: commits write to the -wal alone
  std::string files_;             // what was noted of both files last
  std::string wal_mark_;          // of the -wal as the last commit left it
};

// Whether the store's files are as the note of the process that wrote to it says. False: there is no note.
bool FitsLiveNote(const StateFolder& folder, const std::string& store);
// Of a store that was closed.
void RemoveLiveNote(const std::string& store);

}  // namespace assay
