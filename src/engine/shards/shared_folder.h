// The folder of a run in which programs keep files: all shards have to see one and the same.
#pragma once

#include <string>

#include "base/errors/result.h"
#include "store/coordinator.h"

namespace assay {

// While it lives a file of the folder, `.shard-HOST-PROCESS`, says that this process sees it.
class SharedFolder {
 public:
  explicit SharedFolder(std::string path);
  ~SharedFolder();
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  // Before this process takes its seat: whoever comes later looks for it.
  Status Mark();
  // Behind that. kRefused: a shard that lives sees another folder.
  Status IsThatOf(const RunWork& work) const;
  // When all are done: what those left that were killed.
  void RemoveMarks() const;

 private:
  const std::string path_;
  const std::string own_;  // the mark of this process
};

}  // namespace assay
