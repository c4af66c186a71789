// Measures a folder tree with one open folder at a time: down by name, up by "..", which must lead to the
// folder that it came from.
#include "io/sandbox_host/files/folder_use.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "io/sandbox_host/files/files.h"
#include "io/sandbox_host/files/mappings.h"
#include "io/sandbox_host/processes/processes.h"

namespace assay {

namespace {

constexpr int kTries = 16;
constexpr std::uint64_t kBlockBytes = 512;
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;

using FileId = std::pair<dev_t, ino_t>;

FileId IdOf(const struct stat& found) { return {found.st_dev, found.st_ino}; }

FileId IdOf(int file) {
  struct stat found {};
  return fstat(file, &found) == 0 ? IdOf(found) : FileId{};
}

// A folder that its owner has locked is opened for a moment; the owner is whom we act as.
int OpenFolder(int parent, const std::string& name, mode_t mode) {
  const int file = openat(parent, name.c_str(), kFolderFlags);
  if (file >= 0 || errno != EACCES) return file;
  if (fchmodat(parent, name.c_str(), mode | S_IRWXU, 0) != 0) return -1;
  const int unlocked = openat(parent, name.c_str(), kFolderFlags);
  fchmodat(parent, name.c_str(), mode & 07777, 0);
  return unlocked;
}

class Walk {
 public:
  Walk(int top, const FolderUse& most) : most_(most), current_(top) { Enter(); }
  ~Walk() {
    if (current_ >= 0) close(current_);
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  // False: something moved meanwhile.
  bool Run() {
    while (!levels_.empty() && use_.bytes <= most_.bytes && use_.names <= most_.names) {
      if (!(levels_.back().folders.empty() ? Leave() : Descend())) return false;
    }
    return true;
  }
  const FolderUse& use() const { return use_; }

 private:
  struct Folder {
    std::string name;
    mode_t mode;
  };
  struct Level {
    FileId id;
    std::vector<Folder> folders;  // in it, still to be seen
  };

  void Enter();
  bool Descend();
  bool Leave();

  FolderUse most_;
  FolderUse use_;
  int current_;
  std::vector<Level> levels_;
  std::set<FileId> linked_;  // files with several names, which take their place once
};

void Walk::Enter() {
  Level& level = levels_.emplace_back(Level{IdOf(current_), {}});
  DIR* entries = fdopendir(dup(current_));
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    const std::string name = entry->d_name;
    struct stat found {};
    if (name == "." || name == "..") continue;
    ++use_.names;
    if (use_.names > most_.names) break;
    if (fstatat(current_, entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const bool is_folder = S_ISDIR(found.st_mode);
    if (is_folder) level.folders.push_back({name, found.st_mode});
    if (S_ISREG(found.st_mode))
      use_.largest_bytes = std::max(use_.largest_bytes, static_cast<std::uint64_t>(found.st_size));
    if (is_folder || found.st_nlink < 2 || linked_.insert(IdOf(found)).second)
      use_.bytes += static_cast<std::uint64_t>(found.st_blocks) * kBlockBytes;
  }
  closedir(entries);
}

bool Walk::Descend() {
  const Folder folder = std::move(levels_.back().folders.back());
  levels_.back().folders.pop_back();
  const int next = OpenFolder(current_, folder.name, folder.mode);
  if (next < 0) return errno == ENOENT || errno == ENOTDIR || errno == ELOOP;  // it is gone
  close(std::exchange(current_, next));
  Enter();
  return true;
}

bool Walk::Leave() {
  levels_.pop_back();
  if (levels_.empty()) return true;
  const int next = openat(current_, "..", kFolderFlags);
  if (next < 0) return false;
  close(std::exchange(current_, next));
  return IdOf(current_) == levels_.back().id;
}

}  // namespace

std::optional<FolderUse> UseOfFolder(const std::string& path, const FolderUse& most) {
  for (int i = 0; i < kTries; ++i) {
    const int top = open(path.c_str(), kFolderFlags);
    if (top < 0) return std::nullopt;
    Walk walk(top, most);
    if (walk.Run()) return walk.use();
  }
  return std::nullopt;
}

std::optional<std::uint64_t> NamelessBytes(const std::string& path, const std::vector<pid_t>& processes) {
  // By the numbers of their inodes: what a file system of layers says of a file's device differs from call to
  // call.
  std::set<std::uint64_t> seen;
  std::uint64_t bytes = 0;
  for (const pid_t process : processes) {
    DIR* files = opendir(("/proc/" + std::to_string(process) + "/fd").c_str());
    if (files == nullptr) {
      if ((errno == EACCES || errno == EPERM) && !HasEnded(process)) return std::nullopt;
      continue;
    }
    while (const dirent* entry = readdir(files)) {
      struct stat found {};
      if (fstatat(dirfd(files), entry->d_name, &found, 0) != 0 || !S_ISREG(found.st_mode)) continue;
      if (found.st_nlink == 0 && seen.insert(found.st_ino).second)
        bytes += static_cast<std::uint64_t>(found.st_blocks) * kBlockBytes;
    }
    closedir(files);
  }
  for (const MappedFile& file : DeletedFiles(processes, path)) {
    if (seen.insert(file.number).second) bytes += file.bytes;
  }
  return bytes;
}

}  // namespace assay
