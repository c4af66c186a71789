// Does file calls (modes, owners, times, attributes, sizes) in the program's place: the file is opened
// without rights to it, as the caller names it, and changed only if it stands inside the run.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include <array>
#include <vector>

#include "io/sandbox_host/fence/listener.h"

namespace assay {

namespace {

constexpr std::size_t kAttributeBytesMax = 65536;
constexpr int kNone = -1;

struct Work {
  const Caller& caller;
  const Bounds& bounds;
  int file;   // opened with O_PATH
  int first;  // of the call's arguments, behind what names the file
};
using Change = long (*)(const Work& work);

// A name of what is open, for calls that take no such descriptor.
std::string NameOf(const Work& work) { return "/proc/self/fd/" + std::to_string(work.file); }

long ChangeMode(const Work& work) {
  constexpr unsigned kRights = 01777;  // and not to become somebody else when it is run
  return chmod(NameOf(work).c_str(), static_cast<mode_t>(work.caller.argument(work.first)) & kRights);
}

long ChangeOwner(const Work& work) {
  return fchownat(work.file, "", static_cast<uid_t>(work.caller.argument(work.first)),
                  static_cast<gid_t>(work.caller.argument(work.first + 1)), AT_EMPTY_PATH);
}

// The times stand in memory as two of T; no address means now.
template <class T, class Convert>
long ChangeTimes(const Work& work, Convert convert) {
  const std::uint64_t address = work.caller.argument(work.first);
  T given[2] = {};
  timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
  if (address != 0) {
    if (!work.caller.Read(address, given, sizeof given)) return errno = EFAULT, -1;
    for (int i = 0; i < 2; ++i) times[i] = convert(given[i]);
  }
  return utimensat(work.file, "", times, AT_EMPTY_PATH);
}

long ChangeTimesInSeconds(const Work& work) {
  return ChangeTimes<time_t>(work, [](time_t seconds) { return timespec{seconds, 0}; });
}

long ChangeTimesInMicroseconds(const Work& work) {
  return ChangeTimes<timeval>(work, [](const timeval& time) {
    const bool is_valid = time.tv_usec >= 0 && time.tv_usec < 1'000'000;
    return timespec{time.tv_sec, is_valid ? time.tv_usec * 1'000 : -1};
  });
}

long ChangeTimesInNanoseconds(const Work& work) {
  return ChangeTimes<timespec>(work, [](const timespec& time) { return time; });
}

long SetAttribute(const Work& work) {
  std::string name;
  if (work.caller.ReadText(work.caller.argument(work.first), XATTR_NAME_MAX + 1, name) < 0)
    return errno = ERANGE, -1;
  const std::uint64_t size = work.caller.argument(work.first + 2);
  if (size > kAttributeBytesMax) return errno = E2BIG, -1;
  std::vector<char> value(size);
  if (size > 0 && !work.caller.Read(work.caller.argument(work.first + 1), value.data(), size))
    return errno = EFAULT, -1;
  return setxattr(NameOf(work).c_str(), name.c_str(), value.data(), size,
                  work.caller.integer(work.first + 3));
}

long RemoveAttribute(const Work& work) {
  std::string name;
  if (work.caller.ReadText(work.caller.argument(work.first), XATTR_NAME_MAX + 1, name) < 0)
    return errno = ERANGE, -1;
  return removexattr(NameOf(work).c_str(), name.c_str());
}

long ChangeSize(const Work& work) {
  const auto size = static_cast<std::int64_t>(work.caller.argument(work.first));
  if (size > static_cast<std::int64_t>(work.bounds.file_bytes)) return errno = EFBIG, -1;
  return truncate(NameOf(work).c_str(), size);
}

// Which arguments name the file: a folder and a path, or a descriptor; and where flags stand.
struct FileCall {
  int number;
  Change change;
  int folder;  // kNone: the current one
  int path;    // kNone: the first argument is a descriptor
  int first;
  bool follows = true;
  int flags = kNone;
};

constexpr FileCall kFileCalls[] = {
#ifdef SYS_chmod
    {SYS_chmod, ChangeMode, kNone, 0, 1},
    {SYS_chown, ChangeOwner, kNone, 0, 1},
    {SYS_lchown, ChangeOwner, kNone, 0, 1, false},
    {SYS_utime, ChangeTimesInSeconds, kNone, 0, 1},
    {SYS_utimes, ChangeTimesInMicroseconds, kNone, 0, 1},
    {SYS_futimesat, ChangeTimesInMicroseconds, 0, 1, 2},
#endif
    {SYS_fchmod, ChangeMode, 0, kNone, 1},
    {SYS_fchmodat, ChangeMode, 0, 1, 2},
    {SYS_fchown, ChangeOwner, 0, kNone, 1},
    {SYS_fchownat, ChangeOwner, 0, 1, 2, true, 4},
    {SYS_utimensat, ChangeTimesInNanoseconds, 0, 1, 2, true, 3},
    {SYS_setxattr, SetAttribute, kNone, 0, 1},
    {SYS_lsetxattr, SetAttribute, kNone, 0, 1, false},
    {SYS_fsetxattr, SetAttribute, 0, kNone, 1},
    {SYS_removexattr, RemoveAttribute, kNone, 0, 1},
    {SYS_lremovexattr, RemoveAttribute, kNone, 0, 1, false},
    {SYS_fremovexattr, RemoveAttribute, 0, kNone, 1},
    {SYS_truncate, ChangeSize, kNone, 0, 1},
};

const FileCall* Find(int number) {
  for (const FileCall& call : kFileCalls) {
    if (call.number == number) return &call;
  }
  return nullptr;
}

// Where the kernel says that it stands now. What has lost its name shows the last one.
bool StandsInside(int file, const std::string& root) {
  std::array<char, PATH_MAX> path;
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path.data(), path.size());
  return size > 0 && size < static_cast<ssize_t>(path.size()) &&
         std::string_view(path.data(), static_cast<std::size_t>(size)).starts_with(root + "/");
}

// What the caller names, or a negative errno.
int OpenNamed(const Caller& caller, const FileCall& call) {
  if (call.path == kNone) return caller.Open(caller.integer(0), "", true);
  const int flags = call.flags == kNone ? 0 : caller.integer(call.flags);
  if ((flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) != 0) return -EINVAL;
  const int folder = call.folder == kNone ? AT_FDCWD : caller.integer(call.folder);
  const std::uint64_t address = caller.argument(call.path);
  std::string path;
  if (address == 0) {
    // futimens() is utimensat() without a path.
    if (call.change != ChangeTimesInNanoseconds || folder == AT_FDCWD) return -EFAULT;
  } else if (const int problem = caller.ReadText(address, PATH_MAX, path); problem < 0) {
    return problem;
  } else if (path.empty() && (flags & AT_EMPTY_PATH) == 0) {
    return -ENOENT;
  }
  return caller.Open(folder, path, call.follows && (flags & AT_SYMLINK_NOFOLLOW) == 0);
}

}  // namespace

bool IsFileCall(int number) { return Find(number) != nullptr; }

std::int64_t DoFileCall(const Caller& caller, const Bounds& bounds) {
  const FileCall& call = *Find(caller.number());
  const int file = OpenNamed(caller, call);
  if (file < 0) return file;
  std::int64_t result = -EPERM;
  if (StandsInside(file, bounds.root) && caller.StillWaits())
    result = call.change({caller, bounds, file, call.first}) < 0 ? -errno : 0;
  close(file);
  return result;
}

}  // namespace assay
