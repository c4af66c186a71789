// Opens folders part by part as descriptors, so that no symbolic link below the output folder is followed;
// reads, removes and renames files through them.
#include "base/files/out_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/limits.h"

namespace assay {

namespace {

constexpr int kFolderFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kFolderMode = 0777;

std::string_view FolderPart(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string NamePart(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

bool IsLink(int parent, const std::string& name) {
  struct stat info {};
  return ::fstatat(parent, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
}

bool IsOfSystem(const std::string& folder) {
  const std::string real = WithoutLinks(folder) + "/";
  return real.starts_with("/dev/") || real.starts_with("/proc/");
}

Error LinkError(std::string_view path) {
  return {ErrorCode::kRefused,
          fmt::format("{} is a link, and nothing is written through links; name the folder "
                      "that it leads to, or remove it",
                      Quoted(path))};
}

// With all folders above it; those may be links.
int MakeFolders(const std::string& path) {
  int error_number = ::mkdir(path.c_str(), kFolderMode) == 0 ? 0 : errno;
  const std::size_t slash = path.rfind('/');
  if (error_number == ENOENT && slash != std::string::npos && slash > 0) {
    if (const int above = MakeFolders(path.substr(0, slash)); above != 0) return above;
    error_number = ::mkdir(path.c_str(), kFolderMode) == 0 ? 0 : errno;
  }
  if (error_number == 0) return 0;
  // Some systems answer "not permitted" for a folder that is there.
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return error_number;
  return S_ISDIR(info.st_mode) || S_ISLNK(info.st_mode) ? 0 : ENOTDIR;
}

Result<std::string> ReadAll(int descriptor, const std::string& path) {
  constexpr std::size_t kChunkBytes = 64u << 10;
  std::string bytes;
  while (true) {
    const std::size_t used = bytes.size();
    if (used > limits::kInputFileBytesMax) {
      return Error{ErrorCode::kLimit, fmt::format("{} is longer than {} bytes, the most that is read",
                                                  Quoted(path), limits::kInputFileBytesMax)};
    }
    bytes.resize(used + kChunkBytes);
    const ssize_t count = ::read(descriptor, bytes.data() + used, kChunkBytes);
    bytes.resize(used + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return bytes;
    if (count < 0 && errno != EINTR) return WriteError(path, errno);
  }
}

}  // namespace

Error WriteError(std::string_view path, int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return {ErrorCode::kIo,
              fmt::format("no space is left for {}; free some, or name another folder", Quoted(path))};
    case EACCES:
    case EPERM:
    case EROFS:
      return {ErrorCode::kRefused,
              fmt::format("may not write {}; check the permissions of its folder, or name another",
                          Quoted(path))};
    case ENOTDIR:
      return {ErrorCode::kRefused,
              fmt::format("cannot write {}: a part of the path is a file", Quoted(path))};
    case ENAMETOOLONG:
      return {ErrorCode::kInvalidInput,
              fmt::format("cannot write {}: the name is too long for this disk", Quoted(path))};
    case EEXIST:
      return {ErrorCode::kRefused,
              fmt::format("{} exists already and is never overwritten; remove it, or name another folder",
                          Quoted(path))};
    default:
      return {ErrorCode::kIo, fmt::format("cannot write {}: {}", Quoted(path), std::strerror(error_number))};
  }
}

Status WriteAll(int file, std::string_view bytes, std::string_view path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return WriteError(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return Ok();
}

Status NoLinkBelowHere(std::string_view path) {
  struct stat here {};
  struct stat top {};
  struct stat info {};
  const auto is_same = [](const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
  };
  // Nobody clones into the root of the disk, below which systems have links of their own.
  if (::stat(".", &here) != 0 || ::stat("/", &top) != 0 || is_same(here, top)) return Ok();
  bool is_below = !path.starts_with('/');
  // Below the current folder. None of them is a link, so that ".." takes the last one back, whether it is
  // there yet or not.
  std::vector<std::string> inner;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    const std::string so_far(path.substr(0, end));
    begin = end + 1;
    if (part.empty() || part == ".") continue;
    if (is_below && part != "..") {
      inner.push_back(inner.empty() ? std::string(part) : fmt::format("{}/{}", inner.back(), part));
      if (::lstat(inner.back().c_str(), &info) == 0 && S_ISLNK(info.st_mode)) return LinkError(so_far);
    } else if (is_below) {
      is_below = !inner.empty();
      if (is_below) inner.pop_back();
    } else {
      is_below = ::stat(so_far.c_str(), &info) == 0 && is_same(info, here);
    }
  }
  return Ok();
}

std::string WithoutLinks(const std::string& path) {
  std::error_code unseen;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, unseen);
  return unseen ? path : real.string();
}

OutFolder::OutFolder(std::string root) : root_(std::move(root)) {
  while (root_.size() > 1 && root_.ends_with('/')) root_.pop_back();
  if (root_.empty()) root_ = ".";
}

OutFolder::~OutFolder() {
  while (!open_.empty()) Leave();
  if (root_descriptor_ >= 0) ::close(root_descriptor_);
}

std::string OutFolder::PathOf(std::string_view path) const {
  return path.empty() ? root_ : fmt::format("{}/{}", root_ == "/" ? "" : root_, path);
}

Status OutFolder::OpenRoot(Missing missing) {
  if (root_descriptor_ >= 0) return Ok();
  ASSAY_CHECK_OK(NoLinkBelowHere(root_));
  if (missing == Missing::kMake) {
    if (const int failed = MakeFolders(root_); failed != 0) return WriteError(root_, failed);
  }
  root_descriptor_ = ::open(root_.c_str(), kFolderFlags);
  if (root_descriptor_ >= 0) return Ok();
  const int error_number = errno;
  if (IsLink(AT_FDCWD, root_)) return LinkError(root_);
  if (error_number == ENOENT) return Error{ErrorCode::kNotFound, Quoted(root_) + " does not exist"};
  return WriteError(root_, error_number);
}

void OutFolder::Leave() {
  ::close(open_.back().descriptor);
  open_.pop_back();
}

Result<OutFolder::Folder> OutFolder::OpenPart(int parent, std::string_view folder, std::size_t begin,
                                              std::size_t end, Missing missing) const {
  const std::string part(folder.substr(begin, end - begin));
  int error_number = EEXIST;
  if (missing == Missing::kMake) error_number = ::mkdirat(parent, part.c_str(), kFolderMode) == 0 ? 0 : errno;
  const int descriptor = ::openat(parent, part.c_str(), kFolderFlags);
  if (descriptor >= 0)
    return Folder{
        .path = std::string(folder.substr(0, end)), .descriptor = descriptor, .is_new = error_number == 0};
  const int open_error = errno;
  const std::string path = PathOf(folder.substr(0, end));
  if (IsLink(parent, part)) return LinkError(path);
  if (missing == Missing::kRefuse && open_error == ENOENT)
    return Error{ErrorCode::kNotFound, Quoted(path) + " does not exist"};
  const bool is_there = error_number == 0 || error_number == EEXIST;
  return WriteError(path, is_there ? open_error : error_number);
}

Result<int> OutFolder::Open(std::string_view folder, Missing missing) {
  ASSAY_CHECK_OK(OpenRoot(missing));
  const auto holds = [folder](std::string_view path) {
    return folder.starts_with(path) && (folder.size() == path.size() || folder[path.size()] == '/');
  };
  while (!open_.empty() && !holds(open_.back().path)) Leave();
  std::size_t begin = open_.empty() ? 0 : open_.back().path.size() + 1;
  while (begin < folder.size()) {
    const std::size_t end = std::min(folder.find('/', begin), folder.size());
    const int parent = open_.empty() ? root_descriptor_ : open_.back().descriptor;
    ASSAY_TRY(Folder opened, OpenPart(parent, folder, begin, end, missing));
    open_.push_back(std::move(opened));
    begin = end + 1;
  }
  return open_.empty() ? root_descriptor_ : open_.back().descriptor;
}

Result<int> OutFolder::FolderOf(std::string_view path) { return Open(FolderPart(path), Missing::kMake); }

Result<OutFolder::Kind> OutFolder::KindOf(std::string_view path) {
  const Result<int> folder = Open(FolderPart(path), Missing::kRefuse);
  if (!folder && folder.error().code == ErrorCode::kNotFound) return Kind::kNothing;
  if (!folder) return folder.error();
  struct stat info {};
  if (::fstatat(*folder, NamePart(path).c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0)
    return S_ISREG(info.st_mode) ? Kind::kFile : Kind::kOther;
  if (errno == ENOENT) return Kind::kNothing;
  return WriteError(PathOf(path), errno);
}

Result<int> OutFolder::StreamAt(std::string_view path) {
  const Result<int> folder = Open(FolderPart(path), Missing::kRefuse);
  if (!folder && folder.error().code == ErrorCode::kNotFound) return -1;
  if (!folder) return folder.error();
  const std::string name = NamePart(path);
  struct stat info {};
  if (::fstatat(*folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  const bool is_followed = S_ISLNK(info.st_mode) && IsOfSystem(root_);
  if (!is_followed && (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode))) return -1;
  if (!is_followed && !S_ISCHR(info.st_mode) && !S_ISFIFO(info.st_mode)) {
    return Error{ErrorCode::kIo,
                 fmt::format("cannot write {}: it is no file; name another", Quoted(PathOf(path)))};
  }
  const int flags = O_WRONLY | O_NOCTTY | O_CLOEXEC | (is_followed ? 0 : O_NOFOLLOW);
  const int descriptor = ::openat(*folder, name.c_str(), flags);
  return descriptor < 0 ? Result<int>(WriteError(PathOf(path), errno)) : descriptor;
}

Result<std::string> OutFolder::Read(std::string_view path) {
  ASSAY_TRY(const int folder, Open(FolderPart(path), Missing::kRefuse));
  const std::string name = NamePart(path);
  const int descriptor =
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return IsLink(folder, name) ? LinkError(PathOf(path)) : WriteError(PathOf(path), errno);
  Result<std::string> bytes = ReadAll(descriptor, PathOf(path));
  ::close(descriptor);
  return bytes;
}

Status OutFolder::Remove(std::string_view path) {
  const Result<int> folder = Open(FolderPart(path), Missing::kRefuse);
  if (!folder && folder.error().code == ErrorCode::kNotFound) return Ok();
  if (!folder) return folder.error();
  if (::unlinkat(*folder, NamePart(path).c_str(), 0) == 0 || errno == ENOENT) return Ok();
  return WriteError(PathOf(path), errno);
}

Status OutFolder::Rename(std::string_view from, std::string_view to) {
  ASSAY_TRY(const int folder, Open(FolderPart(from), Missing::kRefuse));
  if (::renameat(folder, NamePart(from).c_str(), folder, NamePart(to).c_str()) == 0) return Ok();
  return WriteError(PathOf(to), errno);
}

}  // namespace assay
