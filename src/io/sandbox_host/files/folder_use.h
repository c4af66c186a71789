// Measures how much disk a run's folder uses, where no file system limits it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct FolderUse {
  std::uint64_t bytes = 0;
  std::uint64_t names = 0;
  std::uint64_t largest_bytes = 0;  // of one file; no limit of a walk
};

// Of a tree, however long its paths are and whoever may read them; stops once it is more than `most`.
// Nothing: it changes too fast to be measured.
std::optional<FolderUse> UseOfFolder(const std::string& path, const FolderUse& most);

// Files that these processes hold open, or mapped out of the tree, and that have no name any more.
// Nothing: a process that lives does not let us see.
std::optional<std::uint64_t> NamelessBytes(const std::string& path, const std::vector<pid_t>& processes);

}  // namespace assay
