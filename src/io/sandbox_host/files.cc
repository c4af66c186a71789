// Small work with files and descriptors.
#include "io/sandbox_host/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

namespace assay {

namespace {

bool IsDots(const char* name) { return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0)); }

// Empties the folder that is open as `folder`, without going deeper than two levels at a time: folders inside
// folders are first moved up beside them, so that no depth is too deep.
void EmptyFolder(int folder, int top, unsigned& counter) {
  DIR* entries = fdopendir(dup(folder));
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    if (IsDots(entry->d_name)) continue;
    if (unlinkat(folder, entry->d_name, 0) == 0) continue;
    const std::string moved = "moved-" + std::to_string(++counter);
    if (folder == top || renameat(folder, entry->d_name, top, moved.c_str()) != 0) continue;
  }
  closedir(entries);
}

}  // namespace

std::string ReadWhole(int file) {
  std::string bytes;
  char buffer[65536];
  off_t offset = 0;
  for (;;) {
    const ssize_t count = pread(file, buffer, sizeof buffer, offset);
    if (count <= 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(count));
    offset += count;
  }
}

std::string ReadWhole(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string bytes;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(file, buffer, sizeof buffer)) > 0;)
    bytes.append(buffer, static_cast<std::size_t>(count));
  close(file);
  return bytes;
}

bool WriteWhole(const std::string& path, std::string_view bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  const int error = errno;
  close(file);
  errno = error;
  return done;
}

int MakeFolders(const std::string& path, bool with_last) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const bool is_last = end == std::string::npos;
    if (is_last && !with_last) return 0;
    if (mkdir(path.substr(0, end).c_str(), 0755) != 0 && errno != EEXIST) return -1;
    if (is_last) return 0;
  }
}

StepError CreateFile(const std::string& path, std::string_view bytes) {
  TRY_STEP("create the folder of a file", MakeFolders(path, false));
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  TRY_STEP("create a file", file);
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0) {
      const StepError error = Step("write a file", count);
      close(file);
      return error;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  close(file);
  return {};
}

void RemoveTree(const std::string& path) {
  const int top = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (top < 0) return;
  unsigned counter = 0;
  // Each round takes one level away from every folder at the top.
  for (bool has_folders = true; has_folders;) {
    has_folders = false;
    EmptyFolder(top, top, counter);
    DIR* entries = fdopendir(dup(top));
    if (entries == nullptr) break;
    rewinddir(entries);
    while (const dirent* entry = readdir(entries)) {
      if (IsDots(entry->d_name)) continue;
      fchmodat(top, entry->d_name, 0700, 0);
      const int folder = openat(top, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
      if (folder < 0) continue;
      EmptyFolder(folder, top, counter);
      close(folder);
      if (unlinkat(top, entry->d_name, AT_REMOVEDIR) == 0) has_folders = true;
    }
    closedir(entries);
  }
  close(top);
  rmdir(path.c_str());
}

std::uint64_t TreeBytes(const std::string& path, std::size_t most_files) {
  std::uint64_t bytes = 0;
  std::size_t files = 0;
  std::vector<std::string> folders = {path};
  while (!folders.empty() && files < most_files) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    DIR* entries = opendir(folder.c_str());
    if (entries == nullptr) continue;
    while (const dirent* entry = readdir(entries)) {
      struct stat found {};
      if (IsDots(entry->d_name)) continue;
      if (fstatat(dirfd(entries), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0) continue;
      bytes += static_cast<std::uint64_t>(found.st_blocks) * 512;
      if (S_ISDIR(found.st_mode)) folders.push_back(folder + "/" + entry->d_name);
      if (++files >= most_files) break;
    }
    closedir(entries);
  }
  return bytes;
}

}  // namespace assay
