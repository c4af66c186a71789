// Creates the state folder for its user alone, and replaces its files whole under one lock.
#include "engine/state/state_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/errors/diagnostics.h"
#include "base/files/out_folder.h"
#include "engine/state/pinned_files.h"

namespace assay {

namespace {

constexpr char kLockName[] = "lock";
constexpr mode_t kOnlyUser = 0700;
constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;
constexpr mode_t kOthers = S_IRWXG | S_IRWXO;

Error Unusable(ErrorCode code, std::string_view path, std::string_view why) {
  return {code, fmt::format("{}, where assay remembers what this user made and trusts, {}; repair it, or "
                            "name another folder with XDG_STATE_HOME",
                            Quoted(path), why)};
}

// Those above it as well, for nobody but the user.
int MakeFolder(const std::string& path) {
  const std::filesystem::path above = std::filesystem::path(path).parent_path();
  std::error_code problem;
  if (!above.empty() && above != path && !std::filesystem::exists(above, problem)) {
    if (const int failed = MakeFolder(above.string()); failed != 0) return failed;
  }
  return ::mkdir(path.c_str(), kOnlyUser) == 0 || errno == EEXIST ? 0 : errno;
}

// The nearest folder above it in which every user can put another in its place; "": there is none.
std::string OpenFolderAbove(const std::string& path) {
  for (std::filesystem::path at = path; at.has_relative_path();) {
    at = at.parent_path();
    struct stat info {};
    const bool is_open = ::stat(at.c_str(), &info) == 0 && (info.st_mode & S_IWOTH) != 0;
    if (is_open && (info.st_mode & S_ISVTX) == 0) return at.string();
  }
  return {};
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

Result<StateFolder> StateFolder::Open() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return At(WithoutLinks(state) + "/assay");
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/')
    return At(WithoutLinks(fmt::format("{}/.local/state", home)) + "/assay");
  return Error{ErrorCode::kNotFound,
               "neither HOME nor XDG_STATE_HOME names a folder, so assay cannot remember what this user made "
               "and trusts; set XDG_STATE_HOME to a folder with an absolute path"};
}

Result<StateFolder> StateFolder::At(std::string path) {
  if (const int failed = MakeFolder(path); failed != 0)
    return Unusable(ErrorCode::kIo, path, fmt::format("cannot be made ({})", std::strerror(failed)));
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (folder.number() < 0 || ::fstat(folder.number(), &info) != 0)
    return Unusable(ErrorCode::kRefused, path,
                    fmt::format("cannot be opened as a folder ({})", std::strerror(errno)));
  if (info.st_uid != ::geteuid()) return Unusable(ErrorCode::kRefused, path, "belongs to another user");
  if ((info.st_mode & kOthersMayWrite) != 0)
    return Unusable(ErrorCode::kRefused, path, "can be written by other users");
  if (const std::string above = OpenFolderAbove(path); !above.empty()) {
    return Unusable(ErrorCode::kRefused, path,
                    fmt::format("lies in {}, which every user can write", Quoted(above)));
  }
  const bool is_closed = (info.st_mode & kOthers) == 0 || ::fchmod(folder.number(), kOnlyUser) == 0;
  if (!is_closed || ::faccessat(folder.number(), ".", W_OK | X_OK, AT_EACCESS) != 0)
    return Unusable(ErrorCode::kIo, path, fmt::format("cannot be written ({})", std::strerror(errno)));
  return StateFolder(std::move(path));
}

Result<std::string> StateFolder::Read(std::string_view name) const {
  PinnedFiles files(path_, ReadableBy::kOnlyOwner);
  ASSAY_TRY(const OutFolder::Kind kind, files.KindOf(name));
  return kind == OutFolder::Kind::kNothing ? std::string() : files.Read(name);
}

Status StateFolder::Update(std::string_view name, const Change& change) const {
  const std::string lock_path = fmt::format("{}/{}", path_, kLockName);
  const Descriptor lock(::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock.number() < 0 || ::flock(lock.number(), LOCK_EX) != 0)
    return Unusable(ErrorCode::kIo, path_, fmt::format("cannot be written ({})", std::strerror(errno)));
  ASSAY_TRY(std::string text, Read(name));
  const std::string before = text;
  ASSAY_TRY(const std::string changed, change(std::move(text)));
  return changed == before ? Ok() : PinnedFiles(path_, ReadableBy::kOnlyOwner).Put(name, changed);
}

}  // namespace assay
