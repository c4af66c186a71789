// Reads, writes and creates files, and deletes trees of any depth with few open descriptors.
#include "io/sandbox_host/files/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace assay {

namespace {

bool IsDots(const char* name) { return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0)); }

// Empties the folder that is open as `folder`, without going deeper than two levels at a time: folders inside
// folders are first moved up beside them, so that no depth is too deep. True: something is gone from it.
bool EmptyFolder(int folder, int top, unsigned& counter) {
  DIR* entries = fdopendir(dup(folder));
  if (entries == nullptr) return false;
  rewinddir(entries);
  bool is_less = false;
  while (const dirent* entry = readdir(entries)) {
    if (IsDots(entry->d_name)) continue;
    if (unlinkat(folder, entry->d_name, 0) == 0) {
      is_less = true;
      continue;
    }
    fchmodat(folder, entry->d_name, S_IRWXU, 0);  // a locked folder cannot be moved
    if (folder == top) continue;
    const std::string moved = "moved-" + std::to_string(++counter);
    is_less = renameat(folder, entry->d_name, top, moved.c_str()) == 0 || is_less;
  }
  closedir(entries);
  return is_less;
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
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) return;
  chmod(path.c_str(), S_IRWXU);
  const int top = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (top < 0) return;
  unsigned counter = 0;
  // Each round takes one level away from every folder at the top. A folder that changes while it is read need
  // not show all its entries, so only a round that changes nothing is the last.
  for (bool is_less = true; is_less;) {
    is_less = EmptyFolder(top, top, counter);
    DIR* entries = fdopendir(dup(top));
    if (entries == nullptr) break;
    rewinddir(entries);
    while (const dirent* entry = readdir(entries)) {
      if (IsDots(entry->d_name)) continue;
      const int folder = openat(top, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
      if (folder < 0) continue;
      is_less = EmptyFolder(folder, top, counter) || is_less;
      close(folder);
      is_less = unlinkat(top, entry->d_name, AT_REMOVEDIR) == 0 || is_less;
    }
    closedir(entries);
  }
  close(top);
  rmdir(path.c_str());
}

}  // namespace assay
