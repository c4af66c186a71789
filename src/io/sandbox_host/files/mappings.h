// Measures memory that processes map but no path names: shared memory and deleted files.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

// Shared memory without a name: each object counts once, as far as somebody has mapped it.
std::uint64_t SharedBytes(const std::vector<pid_t>& processes);

struct MappedFile {
  std::uint64_t number = 0;  // of its inode
  std::uint64_t bytes = 0;   // as far as somebody has mapped it
};

// Files below `root`, whose names are gone.
std::vector<MappedFile> DeletedFiles(const std::vector<pid_t>& processes, const std::string& root);

}  // namespace assay
