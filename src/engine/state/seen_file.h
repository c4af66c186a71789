// SeenFile: a file as the disk knows it, to tell later whether it is still the same one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace assay {

// A file itself, whatever its name: a number of the disk is given again to another file, its birth is not.
struct FileIdentity {
  std::string device;
  std::string inode;
  std::string born;
  bool operator==(const FileIdentity&) const = default;
};

struct SeenFile {
  FileIdentity identity;
  std::uint64_t bytes = 0;
  std::int64_t changed_ns = 0;  // since 1970, by the disk's own word, which nobody can set
};

// Nothing where there is no such file.
std::optional<SeenFile> SeeFile(const std::string& path);

}  // namespace assay
