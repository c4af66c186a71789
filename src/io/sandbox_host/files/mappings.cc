// Parses the lines of /proc/PID/maps: FROM-TO RIGHTS OFFSET MAJOR:MINOR INODE PATH, in hexadecimal but for
// the inode.
#include "io/sandbox_host/files/mappings.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "io/sandbox_host/files/files.h"

namespace assay {

namespace {

constexpr std::string_view kDeleted = " (deleted)";
constexpr std::string_view kNameless = "/dev/zero (deleted)";  // how shared memory without a name is shown

struct Mapping {
  MappedFile file;
  std::string_view path;
};

Mapping Read(std::string_view line) {
  Mapping mapping;
  const std::string text(line.substr(0, 100));
  char* rest = nullptr;
  const std::uint64_t from = std::strtoull(text.c_str(), &rest, 16);
  const std::uint64_t to = std::strtoull(rest + 1, &rest, 16);
  rest += std::string_view(" rw-s ").size();
  const std::uint64_t offset = std::strtoull(rest, &rest, 16);
  std::strtoul(rest, &rest, 16);
  std::strtoul(rest + 1, &rest, 16);
  mapping.file.number = std::strtoull(rest, &rest, 10);
  mapping.file.bytes = offset + (to - from);
  mapping.path = line.substr(std::min(line.find('/'), line.size()));
  return mapping;
}

// Of those that `wants` by their paths, which end with kDeleted.
template <class Wants>
std::vector<MappedFile> Deleted(const std::vector<pid_t>& processes, Wants wants) {
  std::vector<MappedFile> files;
  for (const pid_t process : processes) {
    const std::string text = ReadWhole("/proc/" + std::to_string(process) + "/maps");
    for (std::size_t end = text.find(kDeleted); end != std::string::npos; end = text.find(kDeleted, end)) {
      const std::size_t begin = text.rfind('\n', end) + 1;  // npos + 1 is 0
      end = std::min(text.find('\n', end), text.size());
      const Mapping mapping = Read(std::string_view(text).substr(begin, end - begin));
      if (!wants(mapping.path)) continue;
      const auto known = std::find_if(files.begin(), files.end(), [&](const MappedFile& each) {
        return each.number == mapping.file.number;
      });
      if (known == files.end()) {
        files.push_back(mapping.file);
      } else {
        known->bytes = std::max(known->bytes, mapping.file.bytes);
      }
    }
  }
  return files;
}

}  // namespace

std::uint64_t SharedBytes(const std::vector<pid_t>& processes) {
  std::uint64_t bytes = 0;
  for (const MappedFile& file : Deleted(processes, [](std::string_view path) { return path == kNameless; }))
    bytes += file.bytes;
  return bytes;
}

std::vector<MappedFile> DeletedFiles(const std::vector<pid_t>& processes, const std::string& root) {
  return Deleted(processes, [&root](std::string_view path) { return path.starts_with(root + "/"); });
}

}  // namespace assay
