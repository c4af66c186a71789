// FileWatch: somebody who wants to know when a store writes into its file. Commits of a store with a -wal go
// there first.
#pragma once

namespace assay {

class FileWatch {
 public:
  virtual ~FileWatch() = default;
  virtual void Committed() = 0;
  virtual void FileWillChange() = 0;
  virtual void FileHasChanged() = 0;
};

}  // namespace assay
