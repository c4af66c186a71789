// Builds the view by mounts, with the calls that take descriptors (Linux 5.12), so that no path is looked up
// twice.
#include "io/sandbox_host/files/view.h"

#include <fcntl.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "io/sandbox_host/files/files.h"

namespace assay {

namespace {

constexpr const char* kBuildPlace = "/tmp";
constexpr std::uint64_t kReadOnly = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

// What every toolchain sees. Names that do not exist on this machine are left out; names that are links to
// elsewhere (on Debian /bin is a link to usr/bin) stay links.
constexpr std::array kSystemRoots = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives"};
constexpr std::array kDevices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

struct Link {
  const char* path;
  const char* target;
};
constexpr std::array kLinks = {Link{"/dev/fd", "/proc/self/fd"},
                               Link{"/dev/stdin", "/proc/self/fd/0"},
                               Link{"/dev/stdout", "/proc/self/fd/1"},
                               Link{"/dev/stderr", "/proc/self/fd/2"}};
// What is a program's own. A place in which runtimes stand is a folder, onto which a run mounts its own
// memory and then the runtimes again, so that their names stay what they are; else it links to that memory.
constexpr std::array kOwnPlaces = {Link{"/dev/shm", "/sandbox/shm"}, Link{"/tmp", "/sandbox/tmp"},
                                   Link{"/var/tmp", "/sandbox/tmp"}};

struct Text {
  const char* path;
  const char* bytes;
};
constexpr std::array kTexts = {
    Text{"/etc/passwd", "user:x:1000:1000:user:/sandbox/folder:/bin/sh\n"},
    Text{"/etc/group", "user:x:1000:\n"},
    Text{"/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"},
    Text{"/etc/hosts", "127.0.0.1 localhost\n"},
};

// Something of the outside, on its way to the same place inside.
struct Shown {
  std::string path;
  std::string link = {};  // where it leads, if it is a link
  int tree = -1;          // else: a copy of its mount
  bool is_folder = false;
  std::uint64_t attributes = kReadOnly;
};

StepError Take(const std::string& path, std::uint64_t attributes, std::vector<Shown>& all) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return {};
  Shown shown{.path = path, .attributes = attributes};
  if (S_ISLNK(found.st_mode)) {
    std::array<char, 4096> target{};
    const ssize_t length = readlink(path.c_str(), target.data(), target.size());
    TRY_STEP("read the link " + path, length);
    shown.link.assign(target.data(), static_cast<std::size_t>(length));
  } else {
    shown.is_folder = S_ISDIR(found.st_mode);
    shown.tree = open_tree(AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    TRY_STEP("take " + path, shown.tree);
    mount_attr wanted{.attr_set = attributes, .attr_clr = 0, .propagation = MS_PRIVATE, .userns_fd = 0};
    TRY_STEP("make read-only " + path,
             mount_setattr(shown.tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &wanted, sizeof wanted));
  }
  all.push_back(std::move(shown));
  return {};
}

// `base`: before the path, "" or the folder in which the view is built.
StepError Put(const Shown& shown, const std::string& base) {
  const std::string target = base + shown.path;
  if (!shown.link.empty()) {
    TRY_STEP("create the folder of " + shown.path, MakeFolders(target, false));
    TRY_STEP("link " + shown.path, symlink(shown.link.c_str(), target.c_str()));
    return {};
  }
  if (shown.is_folder) {
    TRY_STEP("create " + shown.path, MakeFolders(target, true));
  } else {
    TRY_STEPS(CreateFile(target, ""));
  }
  TRY_STEP("show " + shown.path,
           move_mount(shown.tree, "", AT_FDCWD, target.c_str(), MOVE_MOUNT_F_EMPTY_PATH));
  close(shown.tree);
  return {};
}

StepError TakeAll(const SandboxSetup& setup, std::vector<Shown>& all) {
  for (const char* path : kSystemRoots) TRY_STEPS(Take(path, kReadOnly, all));
  for (const std::string& path : setup.roots) TRY_STEPS(Take(path, kReadOnly, all));
  for (const std::string& path : setup.scratch) TRY_STEPS(Take(path, kReadOnly, all));
  for (const char* path : kDevices) TRY_STEPS(Take(path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC, all));
  return Take("/proc", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC, all);
}

// The roots that stand in an own place.
std::vector<std::string> RootsIn(const Link& place, const SandboxSetup& setup) {
  std::vector<std::string> found;
  for (const std::vector<std::string>* roots : {&setup.roots, &setup.scratch}) {
    for (const std::string& root : *roots) {
      if (root.starts_with(std::string(place.path) + "/")) found.push_back(root);
    }
  }
  return found;
}

StepError AddOwnFiles(const SandboxSetup& setup) {
  for (const char* folder : {"/sandbox", "/dev", "/etc", "/var"})
    TRY_STEP("create a folder of the view", MakeFolders(std::string(kBuildPlace) + folder, true));
  for (const Link& link : kLinks)
    TRY_STEP("link a part of the view", symlink(link.target, (std::string(kBuildPlace) + link.path).c_str()));
  for (const Link& place : kOwnPlaces) {
    const std::string path = std::string(kBuildPlace) + place.path;
    TRY_STEP("create a place of the program's own",
             RootsIn(place, setup).empty() ? symlink(place.target, path.c_str()) : MakeFolders(path, true));
  }
  for (const Text& text : kTexts) TRY_STEPS(CreateFile(std::string(kBuildPlace) + text.path, text.bytes));
  return {};
}

}  // namespace

StepError EnterView(const SandboxSetup& setup) {
  TRY_STEP("part with the mounts of the machine", mount("none", "/", nullptr, MS_REC | MS_SLAVE, nullptr));
  std::vector<Shown> all;
  TRY_STEPS(TakeAll(setup, all));
  TRY_STEP("mount the view",
           mount("tmpfs", kBuildPlace, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=16m"));
  TRY_STEPS(AddOwnFiles(setup));
  for (const Shown& shown : all) TRY_STEPS(Put(shown, kBuildPlace));
  TRY_STEP("go to the view", chdir(kBuildPlace));
  TRY_STEP("make the view the root", syscall(SYS_pivot_root, ".", "."));
  TRY_STEP("let go of the machine's root", umount2(".", MNT_DETACH));
  TRY_STEP("go to the root", chdir("/"));
  mount_attr wanted{.attr_set = kReadOnly, .attr_clr = 0, .propagation = 0, .userns_fd = 0};
  TRY_STEP("make the view read-only", mount_setattr(AT_FDCWD, "/", 0, &wanted, sizeof wanted));
  return {};
}

StepError MapUser(std::uint32_t inside, std::uint32_t outside) {
  const std::string line = std::to_string(inside) + " " + std::to_string(outside) + " 1\n";
  // Where groups may not be set already, there is nothing to forbid.
  WriteWhole("/proc/self/setgroups", "deny");
  TRY_STEP("map the user", WriteWhole("/proc/self/uid_map", line) ? 0 : -1);
  TRY_STEP("map the group", WriteWhole("/proc/self/gid_map", line) ? 0 : -1);
  return {};
}

StepError MountProc() {
  TRY_STEP("mount /proc", mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr));
  return {};
}

namespace {

// An option of overlay ends at a comma, a folder in it at a colon.
std::string Escaped(const std::string& path) {
  std::string text;
  for (const char each : path) {
    if (each == '\\' || each == ',' || each == ':') text += '\\';
    text += each;
  }
  return text;
}

// The program's own memory over the places that are folders, and over it what stands there.
StepError CoverPlace(const Link& place, const std::vector<Shown>& standing) {
  TRY_STEP("create a place of the program's own", MakeFolders(place.target, true));
  const int own = open_tree(AT_FDCWD, place.target, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  TRY_STEP("take a place of the program's own", own);
  TRY_STEP("show a place of the program's own",
           move_mount(own, "", AT_FDCWD, place.path, MOVE_MOUNT_F_EMPTY_PATH));
  close(own);
  for (const Shown& shown : standing) TRY_STEPS(Put(shown, ""));
  return {};
}

}  // namespace

StepError MountPrivate(const SandboxSetup& setup, std::uint64_t bytes) {
  std::array<std::vector<Shown>, kOwnPlaces.size()> standing;
  for (std::size_t i = 0; i < kOwnPlaces.size(); ++i) {
    for (const std::string& root : RootsIn(kOwnPlaces[i], setup))
      TRY_STEPS(Take(root, kReadOnly, standing[i]));
  }
  const std::string options = "mode=0755,nr_inodes=65536,size=" + std::to_string(bytes);
  TRY_STEP("mount private memory",
           mount("tmpfs", kSandboxRoot.data(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()));
  TRY_STEPS(MountProc());
  for (std::size_t i = 0; i < kOwnPlaces.size(); ++i) {
    if (!standing[i].empty()) TRY_STEPS(CoverPlace(kOwnPlaces[i], standing[i]));
  }
  int count = 0;
  for (const std::string& scratch : setup.scratch) {
    const std::string own = std::string(kSandboxRoot) + "/scratch" + std::to_string(++count);
    TRY_STEP("create a scratch folder", MakeFolders(own + "/new", true));
    TRY_STEP("create a scratch folder", MakeFolders(own + "/work", true));
    const std::string layers =
        "lowerdir=" + Escaped(scratch) + ",upperdir=" + own + "/new,workdir=" + own + "/work,userxattr";
    TRY_STEP("mount a scratch folder",
             mount("overlay", scratch.c_str(), "overlay", MS_NOSUID | MS_NODEV, layers.c_str()));
  }
  return {};
}

StepError StartLoopback() {
  const int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (file < 0) return {};  // a machine without addresses
  ifreq loopback{};
  std::string_view("lo").copy(loopback.ifr_name, sizeof loopback.ifr_name - 1);
  loopback.ifr_flags = IFF_UP;
  const StepError error = Step("start the loopback", ioctl(file, SIOCSIFFLAGS, &loopback));
  close(file);
  return error;
}

}  // namespace assay
